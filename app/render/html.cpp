#include "app/render/colour.h"
#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "app/render/label.h"
#include "app/render/number.h"

namespace softalign {
namespace {

constexpr char kStyle[] = R"css(
:root{--ground:#fff;--panel:#f6f8fa;--text:#1f2328;--faint:#6e7781;--line:#d8dee4;--mark:#bc4c00}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--panel:#151b23;--text:#e6edf3;
--faint:#8b949e;--line:#2b323b;--mark:#ffa657}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);line-height:1.5;
font-family:system-ui,-apple-system,"Segoe UI","Helvetica Neue",Arial,"Noto Sans","PingFang SC",
"Hiragino Sans","Microsoft YaHei","Noto Sans CJK SC","Noto Naskh Arabic",sans-serif}
main{max-width:70rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.35rem;margin:0 0 .25rem}
.about{color:var(--faint);margin:0 0 1.5rem;font-size:.9rem}
article{border:1px solid var(--line);border-radius:12px;margin:0 0 1.5rem;overflow:hidden}
header{background:var(--panel);border-bottom:1px solid var(--line);padding:.8rem 1.1rem}
header p{margin:0;font-size:1.05rem;overflow-wrap:anywhere}
header .target{font-weight:600}
.meta{color:var(--faint);font-size:.8rem;float:right;margin-left:1rem;
font-variant-numeric:tabular-nums}
.map{padding:.8rem 1.1rem 1rem;overflow-x:auto;min-height:3rem}
.readout{color:var(--faint);font-size:.85rem;min-height:1.4em;margin:0 0 .3rem;position:sticky;left:0}
.readout b{color:var(--text);font-weight:600}
table{border-collapse:separate;border-spacing:2px}
th{font-weight:400;font-size:.9rem;padding:0;white-space:nowrap}
thead th{vertical-align:bottom;text-align:left;padding:0 0 .35rem;height:2rem}
thead th span{writing-mode:vertical-rl;display:inline-block;line-height:1.75rem;
width:1.75rem;text-orientation:mixed}
thead th.latin span{transform:rotate(180deg)}
thead th.flat span{writing-mode:horizontal-tb;text-align:center}
tbody th{text-align:right;padding:0 .55rem 0 0;position:sticky;left:0;background:var(--ground)}
th.faint{color:var(--faint)}
td{width:1.75rem;min-width:1.75rem;height:1.75rem;border-radius:4px;padding:0}
th.on{color:var(--mark);font-weight:600}
table.live td:not(.on){opacity:.45}
td.at{outline:2px solid var(--text);outline-offset:0}
@media (max-width:40rem){main{padding:1rem .5rem 3rem}td,thead th span{width:1.35rem;
min-width:1.35rem;line-height:1.35rem}td{height:1.35rem}th{font-size:.8rem}
.map,header{padding-left:.7rem;padding-right:.7rem}}
@media print{article{break-inside:avoid}}
)css";

constexpr char kScript[] = R"js(
"use strict";
const maps = JSON.parse(document.getElementById("maps").textContent);
const wide = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffe6]|[\ud840-\ud8bf]/;
const percent = (w) => (100 * w).toFixed(w < 0.0995 ? 1 : 0) + " %";
const clamp = (w) => Math.min(1, Math.max(0, w || 0));

function make(name, parent, text, className) {
  const element = document.createElement(name);
  if (text !== undefined) element.textContent = text;
  if (className) element.className = className;
  parent.append(element);
  return element;
}

function draw(article) {
  const map = maps[article.dataset.index];
  const box = article.querySelector(".map");
  box.textContent = "";
  if (map.note) { make("p", box, map.note, "about"); return; }
  const readout = make("p", box, "", "readout");
  readout.setAttribute("aria-live", "polite");
  const table = make("table", box);
  const row = make("tr", make("thead", table));
  make("td", row).style.background = "none";
  const tops = map.sources.map((label) => {
    const th = make("th", row, undefined, label.faint ? "faint" : "");
    th.scope = "col";
    th.classList.add(label.width <= 2 ? "flat" : wide.test(label.text) ? "wide" : "latin");
    make("bdi", make("span", th), label.text);
    return th;
  });
  const body = make("tbody", table);
  const sides = [], cells = [];
  map.targets.forEach((label, t) => {
    const tr = make("tr", body);
    const th = make("th", tr, undefined, label.faint ? "faint" : "");
    th.scope = "row";
    make("bdi", th, label.text);
    sides.push(th);
    const weights = map.sources.map((_, i) => clamp((map.attention[t] || [])[i]));
    cells.push(weights.map((w, i) => {
      const td = make("td", tr, undefined, "w" + Math.round(w * LEVELS));
      td.title = label.text + " ← " + map.sources[i].text + "  " + w.toPrecision(3);
      td.setAttribute("aria-label", td.title);
      td.dataset.t = t;
      td.dataset.i = i;
      return td;
    }));
  });
  const weightOf = (t, i) => clamp((map.attention[t] || [])[i]);
  const clear = () => {
    table.classList.remove("live");
    table.querySelectorAll(".on,.at").forEach((x) => x.classList.remove("on", "at"));
    readout.textContent = "Rows: translation. Columns: source. Point at a cell or a word.";
  };
  const say = (label, arrow, others) => {
    readout.textContent = "";
    make("b", readout).append(make("bdi", readout, label.text));
    readout.append(" " + arrow + " ");
    others.forEach(([other, w], k) => {
      if (k) readout.append(", ");
      make("bdi", readout, other.text);
      readout.append(" " + percent(w));
    });
  };
  const strongest = (labels, weight) => labels.map((label, k) => [label, weight(k)])
      .filter((pair) => pair[1] >= 0.02).sort((a, b) => b[1] - a[1]).slice(0, 5);
  const light = (t, i) => {
    clear();
    table.classList.add("live");
    cells.forEach((line, r) => line.forEach((td, c) => {
      if (r === t || c === i) td.classList.add("on");
    }));
    if (t !== undefined) sides[t].classList.add("on");
    if (i !== undefined) tops[i].classList.add("on");
    if (t !== undefined && i !== undefined) {
      cells[t][i].classList.add("at");
      say(map.targets[t], "←", [[map.sources[i], weightOf(t, i)]]);
    } else if (t !== undefined) {
      say(map.targets[t], "←", strongest(map.sources, (k) => weightOf(t, k)));
    } else {
      say(map.sources[i], "→", strongest(map.targets, (k) => weightOf(k, i)));
    }
  };
  const at = (event) => {
    const td = event.target.closest("td[data-t]"), th = event.target.closest("th");
    if (td) light(+td.dataset.t, +td.dataset.i);
    else if (sides.includes(th)) light(sides.indexOf(th), undefined);
    else if (tops.includes(th)) light(undefined, tops.indexOf(th));
    else clear();
  };
  table.addEventListener("mouseover", at);
  table.addEventListener("click", at);
  table.addEventListener("mouseleave", clear);
  clear();
}

const articles = document.querySelectorAll("article");
if ("IntersectionObserver" in window) {
  const observer = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (!entry.isIntersecting) return;
    observer.unobserve(entry.target);
    draw(entry.target);
  }), {rootMargin: "600px"});
  // The first ones at once, so that a printer or a camera sees them, too.
  articles.forEach((article, k) => k < 20 ? draw(article) : observer.observe(article));
} else {
  articles.forEach(draw);
}
)js";

std::string levels_css(Theme theme) {
  std::string css;
  for (int level = 0; level <= kHeatLevels; ++level)
    css += ".w" + std::to_string(level) +
           "{background:" + to_css(heat_colour(static_cast<double>(level) / kHeatLevels, theme)) +
           "}";
  return css;
}

std::string json_labels(const std::vector<std::string>& tokens, bool words) {
  std::string json = "[";
  for (const Label& label : labels_of(tokens, words))
    json += (json.size() > 1 ? "," : "") + ("{\"text\":" + json_string(label.text)) +
            ",\"width\":" + std::to_string(label.width) +
            ",\"faint\":" + (label.faint ? "true" : "false") + "}";
  return json + "]";
}

/// What the script draws: labels, weights, and a note where there is nothing to draw.
std::string json_picture(const Heatmap& map) {
  const bool empty = map.source_tokens.empty() || map.target_tokens.empty();
  if (empty || !has_attention(map))
    return "{\"note\":" + json_string(empty ? "Nothing to attend to." : kNoAttention) + "}";
  std::string json = "{\"sources\":" + json_labels(map.source_tokens, map.words) +
                     ",\"targets\":" + json_labels(map.target_tokens, map.words) +
                     ",\"attention\":[";
  for (size_t t = 0; t < map.target_tokens.size(); ++t) {
    json += t > 0 ? ",[" : "[";
    for (size_t i = 0; i < map.source_tokens.size(); ++i)
      json += (i > 0 ? "," : "") + json_number(drawn_weight(map, t, i));
    json += "]";
  }
  return json + "]}";
}

std::string article(const Heatmap& map, size_t index) {
  std::string meta = std::to_string(index + 1);
  if (map.score) meta += " · score " + short_number(*map.score);
  return "<article data-index=\"" + std::to_string(index) + "\">\n<header><span class=\"meta\">" +
         meta + "</span>\n<p dir=\"auto\">" + escape_markup(map.source) +
         "</p>\n<p dir=\"auto\" class=\"target\">" + escape_markup(map.target) +
         "</p></header>\n<div class=\"map\"></div>\n</article>\n";
}

std::string script_with_levels() {
  std::string script = kScript;
  constexpr std::string_view kPlace = "LEVELS";
  return script.replace(script.find(kPlace), kPlace.size(), std::to_string(kHeatLevels));
}

}  // namespace

std::string render_html(const std::vector<Heatmap>& maps, const std::string& title) {
  const std::string shown_title = escape_markup(title);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>" +
      shown_title + "</title>\n<style>" + kStyle + levels_css(Theme::light) +
      "\n@media (prefers-color-scheme:dark){" + levels_css(Theme::dark) +
      "}\n</style>\n</head>\n<body>\n<main>\n<h1>" + shown_title + "</h1>\n<p class=\"about\">" +
      std::to_string(maps.size()) + (maps.size() == 1 ? " sentence" : " sentences") +
      ". Each row shows where the model looked when it wrote that token; the darker or brighter, "
      "the more.</p>\n<noscript><p>The pictures need JavaScript; the sentences are readable "
      "without.</p></noscript>\n";
  std::string data;
  for (size_t k = 0; k < maps.size(); ++k) {
    page += article(maps[k], k);
    data += (k > 0 ? ",\n" : "") + json_picture(maps[k]);
  }
  return page + "</main>\n<script type=\"application/json\" id=\"maps\">[" + json_for_script(data) +
         "]</script>\n<script>" + script_with_levels() + "</script>\n</body>\n</html>\n";
}

}  // namespace softalign
