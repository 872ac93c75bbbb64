// The model's card: what it is, how it was trained.
import { drawCurves } from "./curves.js";
import { make } from "./dom.js";
import { say } from "./words.js";

const count = (number) => number.toLocaleString("en");

export function curveNames() {
  return Object.fromEntries(["loss", "perplexity", "bleu", "rate", "norm", "speed", "training", "validation"]
    .map((key) => [key, say(key)]).concat([["step", say("stepName")]]));
}

function best(validations) {
  const kept = validations.filter((entry) => entry.best);
  const last = kept[kept.length - 1] || validations[validations.length - 1];
  if (!last) return "–";
  return last.bleu !== undefined ? `BLEU ${last.bleu.toFixed(1)}` : `ppl ${last.perplexity.toFixed(2)}`;
}

export function drawCard(container, card) {
  make("h2", container, { text: card.name });
  const training = card.training || { reports: [], validations: [], corpus: [] };
  const last = training.reports[training.reports.length - 1] || training.validations[training.validations.length - 1];
  const facts = [[count(card.parameters), say("parameters")], [`${(card.weights_bytes / 1048576).toFixed(1)} MiB`, say("weightsSize")],
    [count(card.source_vocabulary.pieces), say("sourcePieces")], [count(card.target_vocabulary.pieces), say("targetPieces")],
    [card.attention.score + (card.attention.heads > 1 ? ` × ${card.attention.heads}` : ""), say("attentionScore")],
    [best(training.validations), say("bestScore")]];
  if (last) facts.push([count(last.step), say("steps")], [count(last.epoch), say("epochs")]);
  const grid = make("div", container, { class: "facts" });
  for (const [value, name] of facts) {
    const fact = make("div", grid);
    make("b", fact, { text: value });
    make("span", fact, { text: name });
  }
  make("h3", container, { text: say("curves") });
  if (training.reports.length + training.validations.length === 0) make("p", container, { class: "hint", text: say("noLog") });
  drawCurves(make("div", container, { class: "charts" }), training, curveNames());
  if (training.corpus.length > 0) {
    make("h3", container, { text: say("corpus") });
    const list = make("ul", container, { class: "plain" });
    for (const line of training.corpus) make("li", list, { text: line });
  }
  const details = make("details", container);
  make("summary", details, { text: say("settings") });
  const settings = make("div", details, { class: "settings" });
  for (const [key, value] of Object.entries(card.settings)) {
    const row = make("div", settings);
    make("span", row, { text: key });
    make("span", row, { text: value });
  }
}
