// From the decoder's pieces to what the pictures show: pieces as they are, or whole words.

/** Label of a target or source token as running text: "·ing" is "ing". */
export const bare = (label) => (label.length > 1 ? label.replace(/^·/, "") : label);

/** Positions of tokens by word; tokens of no word (EOS) are left out. */
function groups(words) {
  const list = [];
  words.forEach((word, i) => {
    if (word < 0) return;
    if (list.length > 0 && list[list.length - 1].word === word) list[list.length - 1].tokens.push(i);
    else list.push({ word, tokens: [i] });
  });
  return list;
}

const weightsOf = (step, head) => (head >= 0 && step.head_weights[head] ? step.head_weights[head] : step.weights);

/**
 * {rows, columns, weights, rowTokens, columnTokens}: the attention of a walk (answer of /step) by
 * pieces, or by words: summed over the pieces of a source word, averaged over those of a target
 * word, without EOS, each row summing to 1 again. `head`: -1 is the mean.
 */
export function mapOf(walk, unit, head = -1) {
  const each = (list) => list.map((_, i) => [i]);
  if (unit === "pieces")
    return {
      rows: walk.target_labels, columns: walk.source_labels, weights: walk.steps.map((step) => weightsOf(step, head)),
      outside: walk.steps.map((step) => (step.scores[0] || []).map((e) => e === null)),
      rowTokens: each(walk.target_labels), columnTokens: each(walk.source_labels),
    };
  const rowGroups = groups(walk.target_words), columnGroups = groups(walk.source_words);
  const weights = rowGroups.map((row) => {
    const sums = columnGroups.map((column) =>
      row.tokens.reduce((sum, t) => sum + column.tokens.reduce((part, i) => part + (weightsOf(walk.steps[t], head)[i] || 0), 0), 0));
    const total = sums.reduce((a, b) => a + b, 0);
    return sums.map((x) => (total > 0 ? x / total : 0));
  });
  const labels = (list, texts) => list.map((group) => group.tokens.map((i) => bare(texts[i])).join(""));
  return {
    rows: labels(rowGroups, walk.target_labels), columns: labels(columnGroups, walk.source_labels), weights,
    rowTokens: rowGroups.map((x) => x.tokens), columnTokens: columnGroups.map((x) => x.tokens),
  };
}

/** The largest of `weights`, as [[position, weight], …], best first: those that matter. */
export function heaviest(weights, count, least = 0.08) {
  return weights.map((weight, i) => [i, weight]).sort((a, b) => b[1] - a[1]).slice(0, count)
    .filter(([, weight], k) => k === 0 || weight >= least);
}
