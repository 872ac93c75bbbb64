// The heat map: target tokens in rows, source tokens in columns. Imports nothing, so that the
// training report can hold it too.

const SVG = "http://www.w3.org/2000/svg";

export function svgElement(name, parent, attributes = {}, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
}

export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

// OKLab (Ottosson 2020): equal steps of a weight look like equal steps of light.
function toOklab([red, green, blue]) {
  const [r, g, b] = [red, green, blue].map((x) =>
    x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}
function fromOklab([L, a, b]) {
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s].map((x) => {
    const y = x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, y)));
  });
}
const SCALE = {
  light: [toOklab([246, 243, 238]), toOklab([251, 146, 60]), toOklab([154, 40, 8])],
  dark: [toOklab([38, 41, 46]), toOklab([154, 52, 18]), toOklab([255, 190, 120])],
};

/** The colour of a weight in [0, 1], as CSS. */
export function heatColour(weight, dark = isDark()) {
  const w = Math.min(1, Math.max(0, weight || 0));
  const scale = dark ? SCALE.dark : SCALE.light;
  const part = w < 0.5 ? 0 : 1;
  const share = (w - part * 0.5) * 2;
  const mixed = scale[part].map((x, k) => x + (scale[part + 1][k] - x) * share);
  return `rgb(${fromOklab(mixed).join(",")})`;
}

export function percent(weight) {
  const value = 100 * (weight || 0);
  if (value > 0 && value < 0.1) return "<0.1 %";
  return `${value.toFixed(value < 9.95 ? 1 : 0)} %`;
}

const FULL_WIDTH = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffe6]|[\ud840-\ud8bf]/;

/** About how wide a text is, in pixels. */
export function textWidth(text, size) {
  let width = 0;
  for (const c of text) width += FULL_WIDTH.test(c) ? size : 0.58 * size;
  return width;
}

/**
 * Draws `map` {rows, columns, weights, outside} into `container`; rows and columns are labels, and
 * `outside` (if there) is true where a window lets the step not look. `options`:
 * width (available pixels), row (the open one), onMove(t, i), onPick(t, i), onColumn(i), description.
 * Returns {svg, select(t, i)}: select lights up a cell, or nothing with (-1, -1).
 */
export function drawGrid(container, map, options = {}) {
  container.textContent = "";
  const font = 14;
  const rowLabel = Math.min(150, Math.max(30, ...map.rows.map((x) => textWidth(x, font) + 12)));
  const available = (options.width || container.clientWidth || 600) - rowLabel - 8;
  const columns = map.columns.length;
  const fitting = (room) => Math.max(options.least || 19, Math.min(options.most || 46, Math.floor(room / Math.max(1, columns))));
  const widths = map.columns.map((x) => textWidth(x, font));
  const widest = Math.max(0, ...widths);
  // How far slanted labels stand out on the right.
  const overhangOf = (size) => widest <= size - 2 ? 4
    : Math.max(4, ...widths.map((w, i) => (i + 0.5) * size + Math.min(w, 120) * 0.66 + 6 - columns * size));
  let cell = fitting(available);
  cell = fitting(available - overhangOf(cell));
  const height = Math.min(cell, 30);
  const slanted = widest > cell - 2;
  const top = slanted ? Math.min(110, widest * 0.78 + 16) : 26;
  const width = rowLabel + columns * cell + overhangOf(cell);
  const total = top + map.rows.length * height + 4;
  const svg = svgElement("svg", container, {
    class: "grid-svg", width, height: total, viewBox: `0 0 ${width} ${total}`, tabindex: 0,
    role: "application", "aria-label": options.description || "",
  });
  const tops = map.columns.map((label, i) => {
    const x = rowLabel + i * cell + cell / 2;
    const text = svgElement("text", svg, {
      x, y: top - 8, "font-size": font, "text-anchor": slanted ? "start" : "middle",
      class: options.onColumn ? "pick" : "",
    }, label);
    if (slanted) text.setAttribute("transform", `rotate(-50 ${x} ${top - 8})`);
    text.addEventListener("mouseenter", () => move(-1, i));
    if (options.onColumn) text.addEventListener("click", () => options.onColumn(i));
    return text;
  });
  const sides = [], cells = [];
  const dark = isDark();
  map.rows.forEach((label, t) => {
    const y = top + t * height;
    const side = svgElement("text", svg, {
      x: rowLabel - 8, y: y + height / 2 + font * 0.36, "font-size": font, "text-anchor": "end",
      class: options.onPick ? "pick" : "",
    }, label);
    side.addEventListener("mouseenter", () => move(t, -1));
    if (options.onPick) side.addEventListener("click", () => options.onPick(t));
    sides.push(side);
    cells.push(map.columns.map((_, i) => {
      const weight = (map.weights[t] || [])[i] || 0;
      const rect = svgElement("rect", svg, {
        x: rowLabel + i * cell + 1, y: y + 1, width: cell - 2, height: height - 2, rx: 4,
        fill: heatColour(weight, dark),
        class: "grid-cell" + (options.onPick ? " pick" : "") + (map.outside && map.outside[t][i] ? " outside" : ""),
        "data-row": t, "data-column": i, "data-weight": weight,
      });
      rect.addEventListener("mouseenter", () => move(t, i));
      if (options.onPick) rect.addEventListener("click", () => options.onPick(t, i));
      return rect;
    }));
  });
  const rowFrame = svgElement("rect", svg, { class: "row-frame", rx: 6, visibility: "hidden" });
  const frame = svgElement("rect", svg, { class: "frame", rx: 5, visibility: "hidden" });
  let at = [-1, -1];

  function select(t, i) {
    at = [t, i];
    const nothing = t < 0 && i < 0;
    tops.forEach((text, k) => text.classList.toggle("on", k === i));
    sides.forEach((text, k) => text.classList.toggle("on", k === t));
    cells.forEach((row, r) => row.forEach((rect, c) => {
      const lit = nothing || r === t || c === i;
      rect.setAttribute("opacity", lit ? 1 : 0.45);
    }));
    frame.setAttribute("visibility", t >= 0 && i >= 0 ? "visible" : "hidden");
    if (t >= 0 && i >= 0)
      for (const key of ["x", "y", "width", "height"]) frame.setAttribute(key, cells[t][i].getAttribute(key));
  }
  function openRow(t) {
    rowFrame.setAttribute("visibility", t >= 0 && t < map.rows.length ? "visible" : "hidden");
    for (const [key, value] of Object.entries({
      x: rowLabel - 1, y: top + t * height - 1, width: columns * cell + 2, height: height + 2,
    })) rowFrame.setAttribute(key, value);
  }
  function move(t, i) {
    select(t, i);
    if (options.onMove) options.onMove(t, i);
  }
  svg.addEventListener("mouseleave", () => move(-1, -1));
  svg.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const [t, i] = [Math.max(0, at[0]), Math.max(0, at[1])];
    if (steps[event.key]) {
      const first = at[0] < 0 || at[1] < 0;
      const row = first ? t : t + steps[event.key][0], column = first ? i : i + steps[event.key][1];
      move(Math.min(map.rows.length - 1, Math.max(0, row)), Math.min(columns - 1, Math.max(0, column)));
    } else if (event.key === "Home") {
      move(t, 0);
    } else if (event.key === "End") {
      move(t, columns - 1);
    } else if (event.key === "Escape") {
      move(-1, -1);
    } else if ((event.key === "Enter" || event.key === " ") && options.onPick && at[0] >= 0) {
      options.onPick(at[0], at[1]);
    } else {
      return;
    }
    event.preventDefault();
  });
  openRow(options.row === undefined ? -1 : options.row);
  return { svg, select, openRow };
}
