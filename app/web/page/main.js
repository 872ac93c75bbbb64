// The explorer: what was typed and chosen, and what is drawn of it.
import { ApiError, Asker, getModel } from "./api.js";
import { drawBeam } from "./beam.js";
import { drawCard } from "./card.js";
import { drawCompare } from "./compare.js";
import { make, segment, share, word } from "./dom.js";
import { saveJson, savePng, saveSvg, saveTsv } from "./export.js";
import { drawGrid, heatColour, percent } from "./grid.js";
import { drawNeighbours } from "./neighbours.js";
import { drawRibbons } from "./ribbons.js";
import { drawHand, drawStep } from "./step.js";
import { bare, heaviest, mapOf } from "./units.js";
import { currentLanguage, firstLanguage, say, sayInto, setLanguage } from "./words.js";

const $ = (id) => document.getElementById(id);
const askers = { translate: new Asker(), walk: new Asker(), vectors: new Asker(), beam: new Asker(), neighbours: new Asker() };
const VIEWS = ["heatmap", "ribbons", "beam", "neighbours", "compare", "card"];
const NBEST = 4, TYPING_PAUSE = 140;

const state = {
  cards: [], source: "", translation: null, chosen: 0,
  walk: null, // what is shown: the answer of /step
  base: null, // the walk before the user's changes to it
  prefix: [], interventions: [], forced: null, // those changes
  replaced: null, // {before, after, walk}: a source word was replaced
  own: false, // the target is the user's
  t: 0, view: "heatmap", unit: "pieces", head: -1, handOpen: true, playing: null,
  dropped: false, folded: new Set(), kind: "encoder", position: -1,
  compareMode: "change", other: "",
};
let drawn = null; // the picture of heat map or ribbons

const card = () => state.cards[0];
const ids = (walk) => walk.steps.map((step) => step.id);

// ---- asking ----

async function quietly(work) {
  try {
    await work();
    hideTrouble();
  } catch (error) {
    if (error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    showTrouble(error.status === 0 ? say("offline") : error.message);
  }
}

function clearChanges() {
  Object.assign(state, { base: null, prefix: [], interventions: [], forced: null });
}

async function translate() {
  const text = $("source").value;
  state.source = text;
  const beam = card().beam;
  const answer = await askers.translate.post("translate", { text, beam, nbest: Math.min(NBEST, beam), attention: false });
  state.translation = answer;
  state.chosen = 0;
  state.own = false;
  state.folded = new Set();
  state.position = -1;
  clearChanges();
  await walkAlong(answer.ids);
  performance.mark("translated");
}

/** Asks for the walk along `prefix` and with the interventions, and shows it. */
async function walkAlong(prefix, go = true) {
  state.prefix = prefix;
  const request = { source: state.source, prefix_ids: prefix, interventions: state.interventions, continue: go };
  if (state.handOpen) request.vectors = [state.t];
  const walk = await askers.walk.post("step", request);
  state.walk = walk;
  state.t = Math.max(0, Math.min(state.t, walk.steps.length - 1));
  showAll();
}

async function loadVectors() {
  const { walk, t } = state;
  if (!state.handOpen || !walk || !walk.steps[t] || walk.steps[t].context) return;
  const answer = await askers.vectors.post("step", {
    source: state.source, prefix_ids: ids(walk), interventions: state.interventions, continue: false, vectors: [t], top: 1,
  });
  walk.states = answer.states;
  for (const key of ["query", "context", "attentional_state"]) walk.steps[t][key] = answer.steps[t][key];
  if (state.walk === walk && state.t === t) showStep();
}

// ---- changing ----

let typing = 0;
function typed() {
  clearTimeout(typing);
  state.replaced = null;
  typing = setTimeout(() => quietly(translate), TYPING_PAUSE);
}

function go(t) {
  state.t = Math.max(0, Math.min(t, state.walk.steps.length - 1));
  showStep();
  if (drawn && drawn.openRow) drawn.openRow(rowOf(state.t));
  else if (state.view === "ribbons") showPicture();
  quietly(loadVectors);
}

function stopPlaying() {
  clearInterval(state.playing);
  state.playing = null;
}

function play() {
  if (state.playing) {
    stopPlaying();
  } else {
    if (state.t >= state.walk.steps.length - 1) state.t = -1;
    state.playing = setInterval(() => {
      if (state.t >= state.walk.steps.length - 1) stopPlaying();
      else state.t += 1;
      go(state.t);
    }, 1300);
    go(state.t + 1);
  }
  showStep();
}

function chooseToken(id) {
  stopPlaying();
  const { walk, t } = state;
  const chosen = walk.steps[t].next.find((x) => x.id === id);
  state.base = state.base || walk;
  state.forced = { t, label: chosen.label };
  state.interventions = state.interventions.filter((x) => x.step <= t);
  quietly(() => walkAlong([...ids(walk).slice(0, t), id]));
}

/** The user's weights for the open step; "uniform"; or null: the model's own again. */
function chooseWeights(weights) {
  stopPlaying();
  const { walk, t } = state;
  state.base = state.base || walk;
  state.interventions = state.interventions.filter((x) => x.step < t);
  if (weights) state.interventions.push({ step: t, weights });
  if (!weights && state.interventions.length === 0 && !state.forced) {
    undo();
    return;
  }
  quietly(() => walkAlong(ids(walk).slice(0, t)));
}

function undo() {
  const { base, replaced } = state;
  if (base) {
    clearChanges();
    state.walk = base;
    state.prefix = ids(base);
    state.t = Math.min(state.t, base.steps.length - 1);
    showAll();
  } else if (replaced) {
    $("source").value = replaced.walk.source;
    state.replaced = null;
    quietly(translate);
  }
}

/** Asks for another word in place of word number `index` of the source. */
function replaceWord(index) {
  const map = mapOf(state.walk, "words");
  const before = map.columns[index];
  if (before === undefined) return;
  const dialog = $("replace"), input = $("replacement");
  $("replace-label").textContent = say("replaceWord", { word: before });
  input.value = before;
  dialog.returnValue = "";
  dialog.onclose = () => {
    const after = input.value.trim();
    if (dialog.returnValue !== "ok" || after === before) return;
    // The words stand in the text in this order; normalisation may have changed one beyond finding.
    let at = 0;
    for (let k = 0; k <= index && at >= 0; ++k) {
      at = state.source.indexOf(map.columns[k], at);
      if (at >= 0 && k < index) at += map.columns[k].length;
    }
    const walk = state.base || state.walk;
    $("source").value = at >= 0
      ? state.source.slice(0, at) + after + state.source.slice(at + before.length)
      : map.columns.map((x, k) => (k === index ? after : x)).join(" ");
    state.replaced = { before, after, walk };
    state.compareMode = "change";
    quietly(translate);
  };
  dialog.showModal();
  input.select();
}

function writeOwn() {
  state.own = !state.own;
  if (state.own) {
    $("own-target").value = state.walk ? state.walk.translation : "";
    showTexts();
    $("own-target").focus();
  } else {
    clearChanges();
    quietly(() => walkAlong(state.translation.ids));
  }
}

let writing = 0;
function ownTyped() {
  clearTimeout(writing);
  writing = setTimeout(() => quietly(async () => {
    clearChanges();
    const request = { source: state.source, target: $("own-target").value };
    state.walk = await askers.walk.post("step", request);
    state.prefix = ids(state.walk);
    state.t = Math.max(0, Math.min(state.t, state.walk.steps.length - 1));
    showAll();
  }), TYPING_PAUSE);
}

// ---- showing ----

function hideTrouble() {
  if ($("notice").classList.contains("bad")) showNotice();
}

function showTrouble(text) {
  $("notice").hidden = false;
  $("notice").className = "notice bad";
  $("notice").textContent = text;
}

/** What the user has changed, and what became of the translation. */
function showNotice() {
  const notice = $("notice");
  notice.className = "notice";
  notice.textContent = "";
  const { walk, base, forced, replaced } = state;
  const line = (key, values) => sayInto(make("span", notice), key, values);
  const changed = base || replaced;
  if (base && forced) line("forced", { t: forced.t + 1, word: word(bare(forced.label)) });
  if (base) for (const one of state.interventions) line("given", { t: one.step + 1 });
  if (!base && replaced) line("replaced", { before: word(replaced.before), after: word(replaced.after) });
  const before = base ? base.translation : replaced ? replaced.walk.translation : "";
  if (changed && walk) line(before === walk.translation ? "same" : "beforeAfter", { before: make("del", null, { text: before }), after: word(walk.translation) });
  if (state.own && state.translation && walk) line("ownTarget", { own: walk.log_prob.toFixed(2), best: state.translation.log_prob.toFixed(2).replace("-", "−") });
  if (walk && walk.source_cut) line("cut", { n: walk.source_tokens.length - 1 });
  if (walk && walk.steps.length > 0 && !walk.finished && !state.own) line("unfinished", {});
  if (changed) {
    make("button", notice, { type: "button", class: "small", text: say("showCompare"), id: "show-compare", on: { click: () => { state.compareMode = "change"; openView("compare"); } } });
    make("button", notice, { type: "button", class: "small", text: say("reset"), id: "undo", on: { click: undo } });
  }
  notice.hidden = notice.childNodes.length === 0;
}

function showTexts() {
  const { translation, walk } = state;
  $("target").textContent = walk ? walk.translation : "";
  $("target").hidden = state.own;
  $("own-target").hidden = !state.own;
  $("write").textContent = say(state.own ? "modelsOwn" : "writeOwn");
  $("write").disabled = !walk || walk.steps.length === 0;
  $("score").textContent = walk && walk.steps.length > 0 ? say("logProb", { value: walk.log_prob.toFixed(2).replace("-", "−") }) : "";
  const list = $("nbest");
  list.textContent = "";
  if (!translation || translation.nbest.length < 2 || state.own) return;
  translation.nbest.forEach((candidate, k) => {
    const button = make("button", list, {
      type: "button", class: k === state.chosen && !state.base ? "on" : "", title: say("logProb", { value: candidate.log_prob.toFixed(2).replace("-", "−") }),
      on: { click: () => { state.chosen = k; clearChanges(); quietly(() => walkAlong(candidate.ids)); } },
    });
    make("bdi", make("span", button), { text: candidate.translation });
    make("span", button, { class: "number", text: candidate.score.toFixed(2).replace("-", "−") });
  });
}

function showStep() {
  const { walk, t, base } = state;
  $("step").hidden = !walk || walk.steps.length === 0;
  if ($("step").hidden) {
    $("hand").hidden = true;
    return;
  }
  const given = walk.steps[t].given_weights;
  const view = {
    walk, t, original: given && base && base.steps[t] ? base.steps[t] : null, attention: card().attention, head: state.head,
    playing: Boolean(state.playing), open: state.handOpen,
  };
  const actions = {
    go: (to) => { stopPlaying(); go(to); }, play, weights: chooseWeights, choose: chooseToken,
    column: (i, on) => { if (drawn && state.unit === "pieces") drawn.select(on ? rowOf(state.t) : -1, on ? i : -1); },
    toggle: (open) => { state.handOpen = open; quietly(loadVectors); },
  };
  drawStep($("step"), view, actions);
  drawHand($("hand"), view, actions);
}

/** The row of the picture that holds step t. */
function rowOf(t) {
  return mapOf(state.walk, state.unit, state.head).rowTokens.findIndex((tokens) => tokens.includes(t));
}

function readout(map, t, i) {
  const line = $("readout");
  const named = (labels, list) => {
    const nodes = [];
    list.forEach(([k, weight], n) => nodes.push(n ? ", " : "", word(bare(labels[k])), " ", share(percent(weight))));
    return nodes;
  };
  if (t >= 0 && i >= 0 && map.outside && map.outside[t][i])
    sayInto(line, "readoutOutside", { target: word(bare(map.rows[t])), source: word(bare(map.columns[i])) });
  else if (t >= 0 && i >= 0)
    sayInto(line, "readout", { target: word(bare(map.rows[t])), source: word(bare(map.columns[i])), share: share(percent(map.weights[t][i])) });
  else if (t >= 0)
    sayInto(line, "readoutRow", { target: word(bare(map.rows[t])), list: named(map.columns, heaviest(map.weights[t], 3)) });
  else if (i >= 0)
    sayInto(line, "readoutColumn", { source: word(bare(map.columns[i])), list: named(map.rows, heaviest(map.weights.map((row) => row[i]), 3)) });
  else
    line.textContent = say("readoutIdle");
}

function legend(parent) {
  const line = make("div", parent, { class: "legend" });
  make("span", line, { text: say("less") });
  const canvas = make("canvas", line, { width: 128, height: 1, "aria-hidden": "true" });
  const brush = canvas.getContext("2d");
  for (let x = 0; x < 128; ++x) {
    brush.fillStyle = heatColour(x / 127);
    brush.fillRect(x, 0, 1, 1);
  }
  make("span", line, { text: say("more") });
}

function showAttention(tools, picture) {
  const { walk } = state;
  segment(tools, [["pieces", say("pieces")], ["words", say("words")]], state.unit, (unit) => { state.unit = unit; showPicture(); });
  const heads = walk.steps[0].head_weights.length;
  if (heads > 1) {
    const select = make("select", tools, { id: "head", "aria-label": say("head", { n: "" }), on: { change: (event) => { state.head = Number(event.target.value); showPicture(); showStep(); } } });
    for (let k = -1; k < heads; ++k) make("option", select, { value: k, text: k < 0 ? say("allHeads") : say("head", { n: k + 1 }), selected: k === state.head });
  }
  make("span", tools, { class: "space" });
  make("span", tools, { class: "soft", text: say("export") });
  const name = "attention";
  for (const [format, save] of [["SVG", () => saveSvg(drawn.svg, name)], ["PNG", () => savePng(drawn.svg, name)], ["JSON", () => saveJson(walk, name)], ["TSV", () => saveTsv(walk, name)]])
    make("button", tools, { type: "button", text: format, "data-export": format.toLowerCase(), on: { click: save } });

  if (walk.steps[0].scores.length === 0) {
    make("p", picture, { class: "hint", text: say("noAttention") });
    drawn = null;
    return;
  }
  const map = mapOf(walk, state.unit, state.head);
  // A row opens its step; a cell of the open row takes all of the step's attention.
  const open = (t, i) => {
    const tokens = map.rowTokens[t];
    if (i === undefined || !tokens.includes(state.t)) {
      go(tokens[0]);
    } else {
      const here = map.columnTokens[i];
      chooseWeights(walk.source_labels.map((_, k) => (here.includes(k) ? 1 / here.length : 0)));
    }
  };
  const options = {
    width: picture.clientWidth - 36, row: rowOf(state.t), onMove: (t, i) => readout(map, t, i), onPick: open,
    description: say("heatmapLabel"),
    onColumn: (i) => { const index = walk.source_words[map.columnTokens[i][0]]; if (index >= 0) replaceWord(index); },
  };
  const box = make("div", picture);
  drawn = state.view === "ribbons" ? drawRibbons(box, map, options) : drawGrid(box, map, options);
  readout(map, -1, -1);
  if (state.view === "heatmap") {
    legend(picture);
    make("p", picture, { class: "hint", text: say("columnHint") });
  }
}

async function showBeam(tools, picture) {
  const width = Math.max(2, card().beam);
  const label = make("label", tools, {});
  make("input", label, { type: "checkbox", id: "dropped", checked: state.dropped, on: { change: (event) => { state.dropped = event.target.checked; showPicture(); } } });
  label.append(` ${say("showDropped")}`);
  const answer = await askers.beam.post("beam", { source: state.source, beam: width });
  $("readout").textContent = say("beamHint", { n: width });
  picture.textContent = "";
  drawBeam(make("div", picture), answer, { dropped: state.dropped, folded: state.folded });
}

async function showNeighbours(tools, picture) {
  if (!card().neighbours) {
    make("p", picture, { class: "hint", text: say("neighbourNone") });
    return;
  }
  const { walk } = state;
  segment(tools, [["encoder", say("kindEncoder")], ["decoder", say("kindDecoder")], ["context", say("kindContext")]], state.kind, (kind) => { state.kind = kind; state.position = -1; showPicture(); });
  make("span", tools, { class: "soft", text: say("neighbourHint") });
  const labels = state.kind === "encoder" ? walk.source_labels : walk.target_labels;
  // To begin with, the word that the open step looks at, or the step itself.
  if (state.position < 0 || state.position >= labels.length)
    state.position = state.kind === "encoder" ? heaviest(walk.steps[state.t].weights, 1)[0][0] : state.t;
  const chips = make("div", tools, { class: "chips" });
  labels.forEach((label, k) => make("button", chips, { type: "button", text: label, class: k === state.position ? "on" : "", "aria-pressed": String(k === state.position), on: { click: () => { state.position = k; showPicture(); } } }));
  const answer = await askers.neighbours.post("neighbours", { source: state.source, prefix_ids: ids(walk), kind: state.kind, position: state.position });
  sayInto($("readout"), "neighbourReadout", { word: word(bare(labels[state.position])), n: card().neighbours.toLocaleString("en") });
  picture.textContent = "";
  drawNeighbours(picture, answer);
}

function showTabs() {
  const tabs = $("views");
  tabs.textContent = "";
  VIEWS.forEach((name, k) => make("button", tabs, {
    type: "button", role: "tab", text: say(name), id: `tab-${name}`, "aria-selected": String(name === state.view), tabindex: name === state.view ? 0 : -1,
    "aria-controls": "picture",
    on: {
      click: () => openView(name),
      keydown: (event) => {
        const change = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!change) return;
        openView(VIEWS[(k + change + VIEWS.length) % VIEWS.length]);
        $(`tab-${state.view}`).focus();
      },
    },
  }));
}

function openView(name) {
  state.view = name;
  showTabs();
  showPicture();
}

function showPicture() {
  const tools = $("tools"), picture = $("picture");
  const focused = document.activeElement && picture.contains(document.activeElement) ? document.activeElement.getAttribute("class") : null;
  tools.textContent = "";
  picture.textContent = "";
  $("readout").textContent = "";
  drawn = null;
  if (state.view === "card") {
    state.cards.forEach((one) => drawCard(picture, one));
    return;
  }
  if (state.view === "compare") {
    drawCompare(tools, picture, state, { mode: (mode) => { state.compareMode = mode; showPicture(); }, trouble: quietly });
    return;
  }
  if (!state.walk || state.walk.steps.length === 0) return;
  if (state.view === "beam") quietly(() => showBeam(tools, picture));
  else if (state.view === "neighbours") quietly(() => showNeighbours(tools, picture));
  else showAttention(tools, picture);
  if (focused && drawn) drawn.svg.focus();
}

function showAll() {
  showTexts();
  showNotice();
  showStep();
  showPicture();
  quietly(loadVectors);
}

function showWords() {
  for (const element of document.querySelectorAll("[data-say]")) sayInto(element, element.dataset.say);
  $("language").textContent = say("other");
  $("language").title = say("languageTitle");
  const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  $("theme").textContent = say(dark ? "light" : "dark");
  $("theme").title = say("themeTitle");
  $("model-name").textContent = state.cards.map((one) => `${one.name} · ${one.attention.score} · ${one.parameters.toLocaleString("en")} ${say("parameters")}`).join("  |  ");
  showTabs();
}

function switchTheme() {
  const dark = document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "light" : "dark";
  localStorage.setItem("theme", document.documentElement.dataset.theme);
  showWords();
  showAll();
}

function switchLanguage() {
  setLanguage(currentLanguage() === "zh" ? "en" : "zh");
  localStorage.setItem("language", currentLanguage());
  showWords();
  showAll();
}

/** Held-out sentences that the training translated: this model's languages. */
function examples() {
  const validations = (card().training || {}).validations || [];
  const last = validations[validations.length - 1];
  return last ? last.samples.map((sample) => sample.source) : [];
}

async function start() {
  setLanguage(firstLanguage());
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  state.cards = (await getModel()).models;
  if (state.cards.length > 1) state.compareMode = "models";
  showWords();
  $("source").addEventListener("input", typed);
  $("own-target").addEventListener("input", ownTyped);
  $("write").addEventListener("click", writeOwn);
  $("theme").addEventListener("click", switchTheme);
  $("language").addEventListener("click", switchLanguage);
  let resizing = 0;
  addEventListener("resize", () => { clearTimeout(resizing); resizing = setTimeout(showPicture, 120); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { showWords(); showAll(); });
  for (const text of examples())
    make("button", $("examples"), { type: "button", text, dir: "auto", on: { click: () => { $("source").value = text; state.replaced = null; quietly(translate); } } });
  const first = new URLSearchParams(location.search).get("text") || examples()[0] || "";
  $("source").value = first;
  if (first) await translate();
}

quietly(start);
