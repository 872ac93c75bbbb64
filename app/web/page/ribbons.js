// The same weights as lines between two sentences: source above, target below.
import { svgElement, textWidth } from "./grid.js";

function laidOut(labels, size) {
  const gap = size * 1.1;
  let x = 8;
  return labels.map((label) => {
    const width = Math.max(size, textWidth(label, size));
    const place = { x: x + width / 2, width };
    x += width + gap;
    return place;
  });
}

const end = (places) => (places.length ? places[places.length - 1].x + places[places.length - 1].width / 2 + 8 : 0);

/** `options`: width, row (the open step), onMove(t, i), onPick(t), description. */
export function drawRibbons(container, map, options) {
  container.textContent = "";
  let size = 17;
  let above = laidOut(map.columns, size), below = laidOut(map.rows, size);
  const natural = Math.max(end(above), end(below));
  if (natural > options.width) {
    size = Math.max(12, size * options.width / natural);
    above = laidOut(map.columns, size);
    below = laidOut(map.rows, size);
  }
  const width = Math.max(end(above), end(below), Math.min(options.width, 320)), height = 250;
  // The shorter sentence is spread out to the width of the longer one.
  for (const places of [above, below]) {
    const spare = width - end(places);
    places.forEach((place, k) => { place.x += spare * (k + 0.5) / places.length; });
  }
  const svg = svgElement("svg", container, {
    class: "grid-svg", width, height, viewBox: `0 0 ${width} ${height}`, tabindex: 0, role: "application",
    "aria-label": options.description,
  });
  const [y0, y1] = [38, height - 42];
  const ribbons = [];
  map.weights.forEach((row, t) => row.forEach((weight, i) => {
    if (weight < 0.02) return;
    const [a, b] = [above[i].x, below[t].x], middle = (y0 + y1) / 2;
    const path = svgElement("path", svg, {
      class: "ribbon", d: `M${a} ${y0}C${a} ${middle} ${b} ${middle} ${b} ${y1}`,
      "stroke-width": Math.max(0.75, 13 * weight),
    });
    svgElement("title", path, {}, `${map.rows[t]} ← ${map.columns[i]} ${(100 * weight).toFixed(1)} %`);
    path.addEventListener("mouseenter", () => move(t, i));
    ribbons.push({ t, i, weight, path });
  }));
  const texts = (labels, places, y, onEnter, pick) => labels.map((label, k) => {
    const text = svgElement("text", svg, {
      class: "ribbon-word" + (pick ? " pick" : ""), x: places[k].x, y, "text-anchor": "middle", "font-size": size,
    }, label);
    text.addEventListener("mouseenter", () => onEnter(k));
    if (pick) text.addEventListener("click", () => pick(k));
    return text;
  });
  const tops = texts(map.columns, above, 26, (i) => move(-1, i));
  const bottoms = texts(map.rows, below, height - 16, (t) => move(t, -1), options.onPick);

  function select(t, i) {
    const nothing = t < 0 && i < 0;
    const [row, column] = nothing ? [options.row, -1] : [t, i];
    for (const ribbon of ribbons) {
      const lit = (row < 0 || ribbon.t === row) && (column < 0 || ribbon.i === column);
      ribbon.path.setAttribute("opacity", lit ? 0.35 + 0.6 * ribbon.weight : 0.1);
    }
    tops.forEach((text, k) => text.classList.toggle("on", k === column || (column < 0 && row >= 0 && map.weights[row][k] > 0.3)));
    bottoms.forEach((text, k) => text.classList.toggle("on", k === row));
  }
  function move(t, i) {
    select(t, i);
    options.onMove(t, i);
  }
  let at = 0;
  svg.addEventListener("mouseleave", () => move(-1, -1));
  svg.addEventListener("keydown", (event) => {
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      at = Math.min(map.rows.length - 1, Math.max(0, at + (event.key === "ArrowRight" ? 1 : -1)));
      move(at, -1);
    } else if (event.key === "Enter" && options.onPick) {
      options.onPick(at);
    } else {
      return;
    }
    event.preventDefault();
  });
  select(-1, -1);
  return { svg, select };
}
