// Two walks side by side: before and after a change, two sentences, or two models.
import { Asker } from "./api.js";
import { make, segment } from "./dom.js";
import { drawGrid } from "./grid.js";
import { mapOf } from "./units.js";
import { say } from "./words.js";

const asker = new Asker();

function side(parent, title, walk, unit) {
  const box = make("div", parent);
  make("h3", box, { text: title });
  make("p", box, { class: "soft", text: walk.source, dir: "auto" });
  make("p", box, { dir: "auto" }).append(make("b", null, { text: walk.translation }), ` (${say("logProb", { value: walk.log_prob.toFixed(2) })})`);
  if (walk.steps.length === 0 || walk.steps[0].scores.length === 0) return;
  drawGrid(make("div", box), mapOf(walk, unit), { width: box.clientWidth, least: 15, most: 34, description: title });
}

/** `state` is the page's; `actions`: mode(name), trouble(work). */
export function drawCompare(tools, picture, state, actions) {
  const modes = [["change", say("compareChange")], ["other", say("compareOther")]];
  if (state.cards.length > 1) modes.push(["models", say("compareModels")]);
  segment(tools, modes, state.compareMode, actions.mode);
  const { walk } = state;
  if (!walk) return;

  if (state.compareMode === "change") {
    const before = state.base || (state.replaced && state.replaced.walk);
    if (!before) {
      make("p", picture, { class: "hint", text: say("nothingChanged") });
      return;
    }
    const [a, b] = say("beforeAfter", { before: "\t", after: "" }).split("\t");
    const columns = make("div", picture, { class: "compare" });
    const title = (text) => text.replace(/[:：·\s]+/g, " ").trim();
    side(columns, title(a), before, state.unit);
    side(columns, title(b), walk, state.unit);
    return;
  }
  if (state.compareMode === "models") {
    actions.trouble(async () => {
      const other = await asker.post("step", { source: state.source, model: 1 });
      picture.textContent = "";
      const columns = make("div", picture, { class: "compare" });
      side(columns, `${state.cards[0].name} · ${state.cards[0].attention.score}`, walk, state.unit);
      side(columns, `${state.cards[1].name} · ${state.cards[1].attention.score}`, other, state.unit);
    });
    return;
  }
  make("label", picture, { class: "hint", text: say("compareTyping"), for: "other-source" });
  const columns = make("div", picture, { class: "compare" });
  const input = make("textarea", null, { id: "other-source", rows: 1, maxlength: 4000, dir: "auto" });
  input.value = state.other || state.source;
  picture.insertBefore(input, columns);
  input.classList.add("other-source");
  let pause = 0;
  const show = () => actions.trouble(async () => {
    const other = await asker.post("step", { source: input.value });
    columns.textContent = "";
    side(columns, say("left"), walk, state.unit);
    side(columns, say("right"), other, state.unit);
  });
  input.addEventListener("input", () => {
    state.other = input.value;
    clearTimeout(pause);
    pause = setTimeout(show, 140);
  });
  show();
  if (state.cards.length < 2) make("p", picture, { class: "hint", text: say("compareHint") });
}
