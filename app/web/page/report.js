// The training report: what report.html shows of its data. Stands behind chart.js, curves.js and
// grid.js in one module.

const data = JSON.parse(document.getElementById("data").textContent);

function element(name, parent, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  parent.append(made);
  return made;
}

const main = document.getElementById("report");
const training = data.training || { reports: [], validations: [], corpus: [] };
const validations = training.validations;
const last = training.reports[training.reports.length - 1] || validations[validations.length - 1];

element("h1", main, data.name);
element("p", main, `${data.parameters.toLocaleString("en")} parameters` +
  (last ? `, ${last.step.toLocaleString("en")} updates, epoch ${last.epoch}, ${Math.round((last.seconds || 0) / 6) / 10} minutes of training` : ""), "soft");

// One sentence at up to six validations side by side.
function drawFilm(withSamples) {
  const count = Math.min(6, withSamples.length);
  const frames = Array.from({ length: count }, (_, k) => withSamples[Math.round(k * (withSamples.length - 1) / Math.max(1, count - 1))]);
  // The shortest sample: its frames fit beside each other.
  const lengths = withSamples[withSamples.length - 1].samples.map((sample) => (sample.source_labels || []).length || Infinity);
  const shortest = lengths.indexOf(Math.min(...lengths));
  const film = element("div", main, undefined, "film");
  for (const entry of frames) {
    const sample = entry.samples[shortest];
    if (!sample || !sample.attention || sample.attention.length === 0) continue;
    const frame = element("figure", film);
    element("figcaption", frame, `epoch ${entry.epoch}, step ${entry.step.toLocaleString("en")}`);
    drawGrid(element("div", frame), { rows: sample.target_labels, columns: sample.source_labels, weights: sample.attention },
      { width: 0, least: 17, description: `attention at step ${entry.step}` });
    element("p", frame, sample.output).dir = "auto";
  }
}

// The same sentences at every validation: one sees where the alignment comes from.
function drawSamples() {
  const withSamples = validations.filter((entry) => (entry.samples || []).length > 0);
  if (withSamples.length === 0) return;
  element("h2", main, "The alignment emerging");
  element("p", main, "Held-out sentences as the model translated them at each validation. A row is one step: where it looked to write that word.", "soft");
  drawFilm(withSamples);
  const control = element("div", main, undefined, "control");
  const label = element("label", control);
  const slider = element("input", control);
  Object.assign(slider, { type: "range", min: 0, max: withSamples.length - 1, value: withSamples.length - 1, id: "validation" });
  label.htmlFor = "validation";
  const play = element("button", control, "▶ play");
  play.type = "button";
  const box = element("div", main, undefined, "samples");
  function show() {
    const entry = withSamples[slider.value];
    label.textContent = `epoch ${entry.epoch}, step ${entry.step.toLocaleString("en")}: perplexity ${entry.perplexity.toFixed(2)}` + (entry.bleu === undefined ? "" : `, BLEU ${entry.bleu.toFixed(1)}`);
    box.textContent = "";
    for (const sample of entry.samples) {
      const article = element("article", box);
      element("p", article, sample.source).dir = "auto";
      element("p", article, sample.output, "output").dir = "auto";
      element("p", article, `reference: ${sample.reference}`, "soft").dir = "auto";
      if (!sample.attention || sample.attention.length === 0) continue;
      const readout = element("p", article, "", "readout soft");
      readout.setAttribute("aria-live", "polite");
      drawGrid(element("div", article), { rows: sample.target_labels, columns: sample.source_labels, weights: sample.attention }, {
        width: article.clientWidth - 32, most: 34, description: "attention",
        onMove: (t, i) => { readout.textContent = t >= 0 && i >= 0 ? `${sample.target_labels[t]} ← ${sample.source_labels[i]} ${percent(sample.attention[t][i])}` : ""; },
      });
    }
  }
  let playing = 0;
  play.addEventListener("click", () => {
    clearInterval(playing);
    slider.value = 0;
    show();
    playing = setInterval(() => {
      if (Number(slider.value) >= withSamples.length - 1) clearInterval(playing);
      else slider.value = Number(slider.value) + 1;
      show();
    }, 700);
  });
  slider.addEventListener("input", () => { clearInterval(playing); show(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
}
drawSamples();

element("h2", main, "Curves");
const charts = element("div", main, undefined, "charts");
drawCurves(charts, training, {
  loss: "Loss", perplexity: "Perplexity", bleu: "BLEU, chrF", rate: "Learning rate", norm: "Gradient norm",
  speed: "Target tokens per second", training: "training", validation: "validation", step: "step",
});
if (charts.childNodes.length === 0) element("p", charts, "Nothing was reported yet.", "soft");

if (training.corpus.length > 0) {
  element("h2", main, "Corpus");
  const list = element("ul", main);
  for (const line of training.corpus) element("li", list, line);
}

element("h2", main, "Go on");
for (const command of data.commands) element("pre", main, command);

function drawTable(title, rows) {
  element("h2", main, title);
  const table = element("table", main);
  for (const [key, value] of Object.entries(rows)) {
    const row = element("tr", table);
    element("th", row, key).scope = "row";
    element("td", row, String(value));
  }
}
drawTable("Environment", data.environment);
drawTable("Config", data.settings);
