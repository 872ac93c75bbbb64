// The beam search as a tree that can be folded: one column per step.
import { svgElement, textWidth } from "./grid.js";
import { say } from "./words.js";

const COLUMN_GAP = 26, ROW = 34, NODE = 26;

/** Nodes of the best translation: the way from the best ended node to the root. */
function bestPath(nodes) {
  const ended = nodes.map((node, k) => [node, k]).filter(([node]) => node.fate === "ended");
  const finished = ended.filter(([node]) => node.token === "</s>");
  const best = (finished.length ? finished : ended).reduce((a, b) => (!a || b[0].score > a[0].score ? b : a), null);
  const path = new Set();
  for (let k = best ? best[1] : -1; k >= 0; k = nodes[k].parent) path.add(k);
  return path;
}

/** `answer` is that of /beam. `options`: dropped (show what was dropped), folded (a Set of nodes
 * that it keeps up to date), onPick(node, tokens up to it). */
export function drawBeam(container, answer, options) {
  container.textContent = "";
  const nodes = answer.nodes;
  const best = bestPath(nodes);
  const children = new Map();
  nodes.forEach((node, k) => {
    if (node.fate === "dropped" && !options.dropped) return;
    if (!children.has(node.parent)) children.set(node.parent, []);
    children.get(node.parent).push(k);
  });
  const widths = [];
  nodes.forEach((node) => { widths[node.step] = Math.max(widths[node.step] || 0, textWidth(node.label, 13) + 20); });
  const columns = [8];
  widths.forEach((width, step) => { columns[step + 1] = columns[step] + Math.max(44, width) + COLUMN_GAP; });

  const places = new Map();
  let rows = 0;
  // Depth first; a parent stands at the height of its first child.
  function place(k) {
    const below = options.folded.has(k) ? [] : children.get(k) || [];
    if (below.length === 0) {
      places.set(k, rows++);
      return places.get(k);
    }
    const heights = below.map(place);
    places.set(k, heights[0]);
    return heights[0];
  }
  for (const k of children.get(-1) || []) place(k);

  const width = columns[columns.length - 1] + 70, height = rows * ROW + 12;
  const svg = svgElement("svg", container, {
    class: "beam-svg", width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say("beam"),
  });
  const x = (k) => columns[nodes[k].step], y = (k) => 8 + places.get(k) * ROW + NODE / 2;
  const nodeWidth = (k) => Math.max(34, textWidth(nodes[k].label, 13) + 18);
  for (const k of places.keys()) {
    const { parent } = nodes[k];
    if (parent < 0) continue;
    const [a, b] = [x(parent) + nodeWidth(parent), x(k)], bend = COLUMN_GAP * 0.7;
    svgElement("path", svg, {
      class: "tree-line" + (best.has(k) ? " best" : ""),
      d: `M${a} ${y(parent)}H${b - bend}C${b - bend / 2} ${y(parent)} ${b - bend / 2} ${y(k)} ${b} ${y(k)}`,
    });
  }
  const textTo = (k) => {
    const labels = [];
    for (; k >= 0; k = nodes[k].parent) labels.unshift(nodes[k].label);
    return labels.join(" ");
  };
  for (const k of places.keys()) {
    const node = nodes[k];
    const group = svgElement("g", svg, {
      class: `tree-node ${node.fate}${best.has(k) ? " best" : ""}`, tabindex: 0, role: "button",
      "aria-label": say("beamNode", { text: textTo(k), value: node.log_prob.toFixed(2) }), "data-node": k,
    });
    svgElement("title", group, {}, say("beamNode", { text: textTo(k), value: node.log_prob.toFixed(3) }));
    svgElement("rect", group, { x: x(k), y: y(k) - NODE / 2, width: nodeWidth(k), height: NODE, rx: 7 });
    svgElement("text", group, { x: x(k) + nodeWidth(k) / 2, y: y(k) + 4.5, "text-anchor": "middle", "font-size": 13 }, node.label);
    if (node.fate === "ended")
      svgElement("text", group, { class: "small", x: x(k) + nodeWidth(k) + 5, y: y(k) + 4 }, node.score.toFixed(2));
    else if (options.folded.has(k))
      svgElement("text", group, { class: "small", x: x(k) + nodeWidth(k) + 4, y: y(k) + 4 }, "…");
    const toggle = () => {
      if (!(children.get(k) || []).length) return;
      if (options.folded.has(k)) options.folded.delete(k);
      else options.folded.add(k);
      drawBeam(container, answer, options);
      container.querySelector(`[data-node="${k}"]`).focus();
    };
    group.addEventListener("click", toggle);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }
}
