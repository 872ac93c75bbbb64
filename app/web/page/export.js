// Pictures and numbers to take away.

function save(name, blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** A copy of an SVG that looks the same without the page's style sheet. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  for (const name of ["tabindex", "role", "aria-label", "class"]) copy.removeAttribute(name);
  const originals = svg.querySelectorAll("*"), copies = copy.querySelectorAll("*");
  originals.forEach((original, k) => {
    const style = getComputedStyle(original);
    for (const property of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-weight", "visibility"])
      if (style.getPropertyValue(property)) copies[k].setAttribute(property, style.getPropertyValue(property));
    if (original.tagName === "text") copies[k].setAttribute("font-family", "system-ui, sans-serif");
    copies[k].removeAttribute("class");
  });
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ width: "100%", height: "100%", fill: getComputedStyle(document.body).getPropertyValue("--panel").trim() }))
    ground.setAttribute(key, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(svg, name) {
  save(`${name}.svg`, new Blob([standalone(svg)], { type: "image/svg+xml" }));
}

/** Twice the size, for screens and print. */
export function savePng(svg, name) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => save(`${name}.png`, blob), "image/png");
  };
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
}

/** The columns of `softalign attention --format tsv`. */
export function saveTsv(walk, name) {
  const escaped = (text) => text.replace(/[\\\t\n\r]/g, (c) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[c]);
  const lines = ["sentence\tstep\ttarget_token\tsource_index\tsource_token\tweight"];
  walk.steps.forEach((step, t) => step.weights.forEach((weight, i) =>
    lines.push([0, t, escaped(walk.target_tokens[t]), i, escaped(walk.source_tokens[i]), weight].join("\t"))));
  save(`${name}.tsv`, new Blob([lines.join("\n") + "\n"], { type: "text/tab-separated-values" }));
}

/** As `softalign translate --json` writes it. */
export function saveJson(walk, name) {
  const object = {
    source: walk.source, translation: walk.translation, score: walk.log_prob, source_tokens: walk.source_tokens,
    target_tokens: walk.target_tokens, attention: walk.steps.map((step) => step.weights),
  };
  save(`${name}.json`, new Blob([JSON.stringify(object) + "\n"], { type: "application/json" }));
}
