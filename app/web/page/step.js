// One step of the decoder: where it looks, what it could write, and the sums behind both.
import { make, share, word } from "./dom.js";
import { percent } from "./grid.js";
import { bare, heaviest } from "./units.js";
import { say, sayInto } from "./words.js";

const number = (value, digits = 3) => (value === null || value === undefined ? "" : value.toFixed(digits).replace("-", "−"));
const subscript = (parent, letter, index) => {
  make("i", parent, { text: letter });
  make("sub", parent, { text: index });
};

/** The formula of a score, as in the papers (model/attention/scores.h). */
function scoreFormula(parent, attention) {
  const bahdanau = attention.order === "bahdanau";
  const s = (box) => subscript(box, "s", bahdanau ? "t−1" : "t");
  const h = (box) => subscript(box, "h", "i");
  subscript(parent, "e", "ti");
  parent.append(" = ");
  switch (attention.score) {
    case "dot": s(parent); parent.append(" · "); h(parent); break;
    case "scaled_dot": s(parent); parent.append(" · "); h(parent); parent.append(" / √d"); break;
    case "general": s(parent); parent.append("ᵀ "); make("i", parent, { text: "W " }); h(parent); parent.append(" / √d"); break;
    case "additive":
      parent.append("vᵀ tanh("); make("i", parent, { text: "W " }); s(parent); parent.append(" + "); make("i", parent, { text: "U " }); h(parent); parent.append(")"); break;
    case "concat":
      parent.append("vᵀ tanh("); make("i", parent, { text: "W " }); parent.append("["); s(parent); parent.append(" ; "); h(parent); parent.append("])"); break;
    case "location": parent.append("("); make("i", parent, { text: "W " }); s(parent); parent.append(")"); make("sub", parent, { text: "i" }); break;
    case "projected":
      parent.append("("); make("i", parent, { text: "W" }); make("sub", parent, { text: "Q" }); s(parent); parent.append(") · (");
      make("i", parent, { text: "W" }); make("sub", parent, { text: "K" }); h(parent); parent.append(") / √d"); make("sub", parent, { text: "k" }); break;
    default: break;
  }
  if (attention.window === "predictive") parent.append(" − (i − p)² / 2σ²");
}

/** Weights after `weights[i]` has become `value`: the others shrink or grow alike, the sum is 1. */
export function moved(weights, i, value) {
  const kept = Math.min(1, Math.max(0, value));
  const others = weights.reduce((sum, x, k) => (k === i ? sum : sum + x), 0);
  return weights.map((x, k) => {
    if (k === i) return kept;
    return others > 1e-9 ? x * (1 - kept) / others : (1 - kept) / Math.max(1, weights.length - 1);
  });
}

function listOf(weights, labels, count) {
  const nodes = [];
  heaviest(weights, count).slice(1).forEach(([i, weight]) => {
    const part = make("span");
    sayInto(part, "saysRest", { share: share(percent(weight)), source: word(bare(labels[i])) });
    nodes.push(part);
  });
  return nodes;
}

/**
 * The panel. `view`: {walk, t, original (the step before the user's weights, or null), attention,
 * head, playing, open (the sums)}; `actions`: go(t), play(), weights(list | "uniform" | null),
 * choose(id), column(i, on), toggle(open).
 */
export function drawStep(container, view, actions) {
  const focused = document.activeElement && container.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
  const { walk, t } = view;
  container.textContent = "";
  const step = walk.steps[t];
  if (!step) return;
  const last = walk.steps.length - 1;

  const walker = make("div", container, { class: "walker" });
  make("h2", walker, { text: say("step", { t: t + 1, n: last + 1 }) });
  make("button", walker, { type: "button", text: "‹", "aria-label": say("before"), title: say("before"), disabled: t === 0, "data-focus": "before", on: { click: () => actions.go(t - 1) } });
  make("button", walker, { type: "button", text: view.playing ? "❚❚" : "▶", "aria-label": say(view.playing ? "pause" : "play"), title: say(view.playing ? "pause" : "play"), "data-focus": "play", on: { click: actions.play } });
  make("button", walker, { type: "button", text: "›", "aria-label": say("after"), title: say("after"), disabled: t === last, "data-focus": "after", on: { click: () => actions.go(t + 1) } });

  const line = make("div", container, { class: "words-line", dir: "auto" });
  walk.target_labels.forEach((label, k) =>
    make("button", line, { type: "button", text: label, class: k === t ? "now" : k < t ? "done" : "", "aria-current": k === t ? "step" : undefined, "data-focus": `word${k}`, on: { click: () => actions.go(k) } }));

  if (step.scores.length === 0) {
    make("p", container, { class: "says", text: say("noAttention") });
  } else {
    drawWeights(container, view, step, actions);
  }

  make("h3", container, { text: say("nextTitle") });
  const next = make("div", container, { class: "next" });
  const largest = Math.max(...step.next.map((x) => x.probability), 1e-9);
  step.next.forEach((choice, k) => {
    const button = make("button", next, {
      type: "button", class: choice.id === step.id ? "on" : "", "data-id": choice.id, "data-focus": `next${k}`,
      on: { click: () => actions.choose(choice.id) },
    });
    make("bdi", button, { text: choice.token === "</s>" ? `⏎ ${say("end")}` : choice.label });
    const meter = make("span", button, { class: "meter" });
    make("i", meter).style.width = `${100 * choice.probability / largest}%`;
    make("span", button, { class: "number", text: percent(choice.probability) });
  });
  make("p", container, { class: "explain", text: say("nextHint") });

  if (focused) container.querySelector(`[data-focus="${focused}"]`)?.focus();
}

function drawWeights(container, view, step, actions) {
  const { walk, t } = view;
  const top = heaviest(step.weights, 1)[0];
  const isEnd = step.token === "</s>";
  sayInto(make("p", container, { class: "says" }), step.given_weights ? "saysGiven" : isEnd ? "saysEnd" : "says", {
    word: word(isEnd ? say("end") : bare(walk.target_labels[t])), share: share(percent(top[1])),
    source: word(bare(walk.source_labels[top[0]])), rest: listOf(step.weights, walk.source_labels, 3),
  });
  const symbol = make("span", null, { class: "symbol", text: "α" });
  make("sub", symbol, { text: t + 1 });
  sayInto(make("h3", container), "weightsTitle", { alpha: symbol });
  const bars = make("div", container, { class: "bars" });
  let current = step.weights.slice();
  const tracks = [];
  const show = () => tracks.forEach(({ track, fill, handle, value }, i) => {
    fill.style.width = `${100 * current[i]}%`;
    handle.style.left = `${100 * current[i]}%`;
    handle.hidden = current[i] < 0.05;
    value.textContent = percent(current[i]);
    track.setAttribute("aria-valuenow", Math.round(100 * current[i]));
    track.setAttribute("aria-valuetext", percent(current[i]));
  });
  walk.source_labels.forEach((label, i) => {
    const name = make("span", bars, { class: "name" + (i === top[0] ? " on" : "") });
    make("bdi", name, { text: label });
    const track = make("div", bars, {
      class: "track" + (step.given_weights ? " given" : ""), role: "slider", tabindex: 0, "aria-valuemin": 0, "aria-valuemax": 100,
      "aria-label": say("weightOf", { source: bare(label) }), "data-focus": `bar${i}`, "data-source": i,
    });
    const fill = make("span", track, { class: "fill" });
    const handle = make("span", track, { class: "handle" });
    if (view.original) make("span", track, { class: "was" }).style.left = `${100 * view.original.weights[i]}%`;
    const value = make("span", bars, { class: "number" });
    tracks.push({ track, fill, handle, value });
    const at = (event) => (event.clientX - track.getBoundingClientRect().left) / track.clientWidth;
    track.addEventListener("pointerdown", (event) => {
      track.setPointerCapture(event.pointerId);
      tracks.forEach((one) => one.track.classList.add("held"));
      current = moved(current, i, at(event));
      show();
    });
    track.addEventListener("pointermove", (event) => {
      if (!track.hasPointerCapture(event.pointerId)) return;
      current = moved(current, i, at(event));
      show();
    });
    track.addEventListener("pointerup", () => actions.weights(current));
    track.addEventListener("pointercancel", () => actions.weights(current));
    track.addEventListener("mouseenter", () => actions.column(i, true));
    track.addEventListener("mouseleave", () => actions.column(i, false));
    track.addEventListener("keydown", (event) => {
      const change = { ArrowRight: 0.05, ArrowUp: 0.05, ArrowLeft: -0.05, ArrowDown: -0.05, PageUp: 0.2, PageDown: -0.2, Home: -1, End: 1 }[event.key];
      if (change === undefined) return;
      event.preventDefault();
      current = moved(current, i, current[i] + change);
      show();
      actions.weights(current);
    });
  });
  show();
  const sum = make("div", bars, { class: "sum" });
  make("span", sum, { text: say("sum") });
  make("span", sum, { class: "number", text: "100 %" });
  const row = make("div", container, { class: "row" });
  make("button", row, { type: "button", class: "small", text: say("uniform"), "data-focus": "uniform", on: { click: () => actions.weights("uniform") } });
  if (step.given_weights)
    make("button", row, { type: "button", class: "small on", text: say("own"), "data-focus": "own", on: { click: () => actions.weights(null) } });
  make("p", container, { class: "explain", text: say("weightsHint") });
}

/** e, exp, α of the open step in a table whose sums can be checked, then a and s̃ with their first
 * numbers. Arguments as of drawStep. */
export function drawHand(container, view, actions) {
  const { walk, t, attention } = view;
  const step = walk.steps[t];
  container.textContent = "";
  container.hidden = !step || step.scores.length === 0;
  if (container.hidden) return;
  const details = make("details", container, { class: "sum-by-hand", open: view.open });
  make("summary", details, { text: say("handTitle", { t: t + 1 }) });
  details.addEventListener("toggle", () => { if (details.open !== view.open) actions.toggle(details.open); });
  const two = make("div", details, { class: "two" });
  const left = make("div", two), right = make("div", two);
  const symbol = (letter, index) => {
    const box = make("span", null);
    subscript(box, letter, index);
    return box;
  };
  const query = attention.order === "bahdanau" ? "t−1" : "t";
  sayInto(make("p", left, { class: "explain" }), "handIntro", { s: symbol("s", query), h: symbol("h", "i") });
  scoreFormula(make("div", left, { class: "formula" }), attention);
  const softmax = make("div", left, { class: "formula" });
  subscript(softmax, "α", "ti");
  softmax.append(" = exp(");
  subscript(softmax, "e", "ti");
  softmax.append(") / Σ");
  make("sub", softmax, { text: "j" });
  softmax.append(" exp(");
  subscript(softmax, "e", "tj");
  softmax.append(")");

  const head = Math.min(Math.max(0, view.head), step.scores.length - 1);
  const scores = step.scores[head];
  const weights = step.given_weights ? step.weights : step.head_weights[head];
  if (step.scores.length > 1) make("p", left, { class: "explain", text: say("handHeads", { n: step.scores.length, k: head + 1 }) });
  const inside = scores.filter((e) => e !== null);
  const max = Math.max(...inside);
  const sum = inside.reduce((total, e) => total + Math.exp(e - max), 0);
  const table = make("table", left, { class: "hand" });
  const header = make("tr", make("thead", table));
  for (const key of ["sourceWord", "score", "exp", "weight"]) make("th", header, { text: say(key), scope: "col" });
  const body = make("tbody", table);
  const heaviestAt = heaviest(weights, 1)[0][0];
  scores.forEach((e, i) => {
    const row = make("tr", body, { class: i === heaviestAt ? "on" : "" });
    make("bdi", make("td", row), { text: walk.source_labels[i] });
    make("td", row, { text: e === null ? say("outside") : number(e) });
    make("td", row, { text: e === null ? "0" : number(Math.exp(e - max), 4) });
    make("td", row, { text: number(weights[i], 4) });
  });
  const foot = make("tr", make("tfoot", table));
  for (const text of [say("sum"), "", number(sum, 4), number(weights.reduce((a, b) => a + b, 0), 4)]) make("td", foot, { text });
  make("p", left, { class: "explain", text: step.given_weights ? say("handGiven") : say("handSoftmax", { sum: number(sum, 4), max: number(max) }) });
  if (inside.length < scores.length) make("p", left, { class: "explain", text: say("handWindow") });

  if (!step.context) return;
  const shown = (vector) => vector.slice(0, 4).map((x) => number(x)).join("  ") + (vector.length > 4 ? "  …" : "");
  sayInto(make("p", right, { class: "explain" }), "handContext", { a: symbol("a", "t"), width: step.context.length });
  const context = make("div", right, { class: "formula" });
  subscript(context, "a", "t");
  context.append(" = Σ");
  make("sub", context, { text: "i" });
  context.append(" ");
  subscript(context, "α", "ti");
  context.append(" ");
  if (attention.score === "projected") make("i", context, { text: "W" }), make("sub", context, { text: "V" });
  subscript(context, "h", "i");
  if (attention.score !== "projected" && walk.states)
    heaviest(weights, 3, 0.02).forEach(([i, weight], k) =>
      make("span", context, { class: "numbers", text: `${k ? "+ " : "= "}${number(weight)} · [${shown(walk.states[i])}]  ${walk.source_labels[i]}` }));
  make("span", context, { class: "numbers", text: `${attention.score === "projected" ? "=" : "≈"} [${shown(step.context)}]` });
  sayInto(make("p", right, { class: "explain" }), "handState", { s: symbol("s̃", "t") });
  const state = make("div", right, { class: "formula" });
  subscript(state, "s̃", "t");
  state.append(" = tanh(");
  subscript(state, "W", "c");
  state.append(" [");
  subscript(state, "a", "t");
  state.append(" ; ");
  subscript(state, "s", "t");
  state.append("])");
  make("span", state, { class: "numbers", text: `= [${shown(step.attentional_state)}]` });
  sayInto(make("p", right, { class: "explain" }), "handNext", { word: word(bare(walk.target_labels[t])), share: share(percent(step.probability)) });
  const output = make("div", right, { class: "formula" });
  subscript(output, "p", "t");
  output.append(" = softmax(");
  make("i", output, { text: "W" });
  output.append(" ");
  subscript(output, "s̃", "t");
  output.append(" + b)");
}
