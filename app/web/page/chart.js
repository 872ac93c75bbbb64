// A line chart with a readout. Imports nothing, so that the training report can hold it too.

function chartElement(name, parent, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  parent.append(element);
  return element;
}

/** A number as people write it: three significant digits, no more than are there. */
export function shortNumber(value) {
  if (!Number.isFinite(value)) return "–";
  if (value !== 0 && Math.abs(value) < 0.001) return value.toExponential(1);
  if (Math.abs(value) >= 10000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(Math.abs(value) >= 1000 ? 4 : 3)));
}

/** About `count` round numbers between `low` and `high`. */
function ticks(low, high, count) {
  const span = high - low || 1;
  const rough = span / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((x) => x * power).find((x) => x >= rough);
  const list = [];
  for (let k = Math.ceil(low / step); k * step <= high + step * 1e-9; ++k) list.push(k * step);
  return list;
}

/**
 * Draws `series` [{name, points: [[x, y], …], second}] into `container`, whose readout names the
 * point nearest to the pointer, or chosen by the arrow keys. `options`: title, x (its name).
 */
export function drawChart(container, series, options) {
  const filled = series.map((one) => ({ ...one, points: one.points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) }))
    .filter((one) => one.points.length > 0);
  if (filled.length === 0) return;
  const figure = document.createElement("figure");
  figure.className = "chart";
  const caption = document.createElement("figcaption");
  const title = document.createElement("b");
  title.textContent = options.title;
  const readout = document.createElement("span");
  readout.setAttribute("aria-live", "polite");
  caption.append(title, readout);
  figure.append(caption);
  container.append(figure);

  const width = 360, height = 190, left = 46, right = 8, top = 8, bottom = 24;
  const xs = filled.flatMap((one) => one.points.map((p) => p[0]));
  const ys = filled.flatMap((one) => one.points.map((p) => p[1]));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  let [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  if (y0 === y1) [y0, y1] = [y0 - (Math.abs(y0) || 1) / 2, y1 + (Math.abs(y1) || 1) / 2];
  const X = (x) => left + (x1 > x0 ? (x - x0) / (x1 - x0) : 0.5) * (width - left - right);
  const Y = (y) => height - bottom - (y - y0) / (y1 - y0) * (height - top - bottom);
  const svg = chartElement("svg", figure, {
    class: "chart-svg", viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: 0, "aria-label": options.title,
  });
  for (const y of ticks(y0, y1, 4)) {
    chartElement("line", svg, { class: "chart-axis", x1: left, x2: width - right, y1: Y(y), y2: Y(y) });
    chartElement("text", svg, { x: left - 6, y: Y(y) + 4, "text-anchor": "end" }, shortNumber(y));
  }
  for (const x of ticks(x0, x1, 4))
    chartElement("text", svg, { x: X(x), y: height - 6, "text-anchor": "middle" }, shortNumber(x));
  for (const one of filled) {
    const path = one.points.map(([x, y], k) => `${k ? "L" : "M"}${X(x).toFixed(1)} ${Y(y).toFixed(1)}`).join("");
    chartElement("path", svg, { class: "chart-line" + (one.second ? " second" : ""), d: path });
    if (one.points.length === 1)
      chartElement("circle", svg, { class: "chart-dot", cx: X(one.points[0][0]), cy: Y(one.points[0][1]), r: 3 });
  }
  const rule = chartElement("line", svg, { class: "chart-rule", y1: top, y2: height - bottom, visibility: "hidden" });
  const dots = filled.map(() => chartElement("circle", svg, { class: "chart-dot", r: 4, visibility: "hidden" }));
  const longest = filled.reduce((a, b) => (b.points.length > a.points.length ? b : a));
  let chosen = longest.points.length - 1;

  function show(x) {
    rule.setAttribute("visibility", "visible");
    rule.setAttribute("x1", X(x));
    rule.setAttribute("x2", X(x));
    const texts = filled.map((one, k) => {
      const nearest = one.points.reduce((a, b) => (Math.abs(b[0] - x) < Math.abs(a[0] - x) ? b : a));
      dots[k].setAttribute("visibility", "visible");
      dots[k].setAttribute("cx", X(nearest[0]));
      dots[k].setAttribute("cy", Y(nearest[1]));
      return `${filled.length > 1 ? one.name + " " : ""}${shortNumber(nearest[1])}`;
    });
    readout.textContent = `${options.x} ${shortNumber(x)}: ${texts.join(" · ")}`;
  }
  function pick(index) {
    chosen = Math.min(longest.points.length - 1, Math.max(0, index));
    show(longest.points[chosen][0]);
  }
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = x0 + ((event.clientX - box.left) / box.width * width - left) / (width - left - right) * (x1 - x0);
    pick(longest.points.reduce((best, p, k) => (Math.abs(p[0] - x) < Math.abs(longest.points[best][0] - x) ? k : best), 0));
  });
  svg.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    pick(chosen + (event.key === "ArrowRight" ? 1 : -1));
    event.preventDefault();
  });
  pick(chosen);
}
