// Training sentences in which the model was in a similar state, and where those states lie.
import { make } from "./dom.js";
import { svgElement } from "./grid.js";
import { say } from "./words.js";

/** Tokens as a sentence, with those at `marked` lit up. */
function sentence(parent, tokens, marked) {
  const line = make("span", parent, { dir: "auto" });
  tokens.forEach((token, k) => {
    if (token === "</s>") return;
    const text = token.startsWith("▁") ? token.slice(1) : token;
    if (k > 0 && token.startsWith("▁")) line.append(" ");
    if (marked.includes(k)) make("mark", line, { text });
    else line.append(text);
  });
}

function drawPlane(container, answer, labels, position) {
  const size = 300, margin = 16;
  const all = [...answer.cloud, ...answer.path, ...answer.neighbours.map((x) => x.at)];
  const range = (k) => [Math.min(...all.map((p) => p[k])), Math.max(...all.map((p) => p[k]))];
  const [x0, x1] = range(0), [y0, y1] = range(1);
  const at = ([x, y]) => [margin + (x - x0) / (x1 - x0 || 1) * (size - 2 * margin), size - margin - (y - y0) / (y1 - y0 || 1) * (size - 2 * margin)];
  const svg = svgElement("svg", container, { class: "plane", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("planeTitle") });
  for (const point of answer.cloud) {
    const [cx, cy] = at(point);
    svgElement("circle", svg, { class: "cloud", cx, cy, r: 2 });
  }
  for (const neighbour of answer.neighbours) {
    const [cx, cy] = at(neighbour.at);
    svgElement("circle", svg, { class: "near-dot", cx, cy, r: 4 });
  }
  const path = answer.path.map(at);
  svgElement("path", svg, { class: "path", d: path.map(([x, y], k) => `${k ? "L" : "M"}${x} ${y}`).join("") });
  path.forEach(([cx, cy], k) => {
    svgElement("circle", svg, { class: "path-dot" + (k === position ? " on" : ""), cx, cy, r: k === position ? 5 : 3 });
    svgElement("text", svg, { x: cx + 6, y: cy - 4, class: k === position ? "on" : "" }, labels[k] || "");
  });
}

/** `answer` is that of /neighbours. */
export function drawNeighbours(container, answer) {
  const labels = answer.kind === "encoder" ? answer.source_labels : answer.target_labels;
  const columns = make("div", container, { class: "neighbours" });
  const list = make("div", columns, { class: "neighbour-list" });
  for (const neighbour of answer.neighbours) {
    const entry = make("div", list, { class: "neighbour" });
    make("span", entry, { class: "number", text: neighbour.similarity.toFixed(2) });
    const [source, target] = answer.kind === "encoder"
      ? [[neighbour.position], neighbour.linked] : [neighbour.linked, [neighbour.position]];
    sentence(entry, neighbour.source_tokens, source);
    sentence(entry, neighbour.target_tokens, target);
  }
  const plane = make("div", columns);
  make("b", plane, { text: say("planeTitle") });
  drawPlane(plane, answer, labels, answer.position);
  make("p", plane, { class: "hint", text: say("planeHint", { share: `${Math.round(100 * answer.explained_variance)} %` }) });
}
