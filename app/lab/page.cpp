#include "app/lab/page.h"

#include "app/lab/plot.h"
#include "app/lab/table.h"
#include "app/lab/text.h"
#include "app/log.h"
#include "app/render/heatmap.h"
#include "data/file.h"

namespace softalign {
namespace {

constexpr Language kLanguages[] = {Language::english, Language::chinese};

constexpr char kStyle[] = R"css(
:root{--ground:#fffefb;--panel:#f6f4ec;--text:#24241f;--faint:#6b6a63;--line:#dcd9cd;--rule:#24241f;
--link:#1f5fa8;--yes:#1b7f58;--yes-ground:#edf6f0;--no:#b4460f;--no-ground:#fcf1e9}
@media (prefers-color-scheme:dark){:root{--ground:#15171a;--panel:#1d2024;--text:#e8e6df;
--faint:#9c9a92;--line:#33373d;--rule:#8d8b82;--link:#74b3f2;--yes:#63c99c;--yes-ground:#17251f;
--no:#f59267;--no-ground:#2a1e17}}
*{box-sizing:border-box}
html{font-size:17px}
body{margin:0;background:var(--ground);color:var(--text);line-height:1.6;
font-family:"Iowan Old Style","Palatino Linotype","URW Palladio L","P052","Source Serif 4",Georgia,
"Noto Serif","DejaVu Serif","Songti SC","Noto Serif CJK SC",serif;text-rendering:optimizeLegibility}
main{max-width:46rem;margin:0 auto;padding:0 1.2rem 5rem}
a{color:var(--link);text-decoration:none}a:hover{text-decoration:underline}
.top{max-width:46rem;margin:0 auto;padding:1rem 1.2rem 0;display:flex;gap:1rem;align-items:baseline;
font-size:.82rem;color:var(--faint);font-family:system-ui,"Helvetica Neue",Arial,"Noto Sans",
"PingFang SC","Noto Sans CJK SC",sans-serif}
.top nav{flex:1;line-height:1.9}.top nav a{margin-right:.9em;white-space:nowrap}
.top nav .here{color:var(--text);font-weight:600}
.switch label{cursor:pointer;padding:.1em .55em;border:1px solid var(--line);white-space:nowrap}
.switch label:first-of-type{border-radius:1em 0 0 1em;border-right:0}
.switch label:last-of-type{border-radius:0 1em 1em 0}
input[name=lang]{position:absolute;opacity:0;pointer-events:none}
#lang-en:checked~.top label[for=lang-en],#lang-zh:checked~.top label[for=lang-zh]{background:var(--panel);
color:var(--text);font-weight:600}
#lang-en:focus-visible~.top label[for=lang-en],#lang-zh:focus-visible~.top label[for=lang-zh]{outline:2px solid var(--link)}
#lang-en:checked~* [lang=zh],#lang-zh:checked~* [lang=en]{display:none!important}
h1{font-size:2rem;line-height:1.2;margin:2.2rem 0 .2rem;font-weight:600;letter-spacing:-.01em}
h2{font-size:1.22rem;margin:2.6rem 0 .6rem;font-weight:600}
.number{color:var(--faint);font-weight:400;margin-right:.45em}
.claim{font-size:1.12rem;font-style:italic;margin:.9rem 0 0;padding-left:1.1rem;
border-left:3px solid var(--line)}
[lang=zh].claim{font-style:normal}
p{margin:.75rem 0}
math{font-size:1.12em;font-family:"Latin Modern Math","STIX Two Math","Cambria Math",
"Libertinus Math","DejaVu Math TeX Gyre","Noto Sans Math",math}
math .bold{font-weight:700}
.formula{margin:1.3rem 0;padding:.9rem .4rem;background:var(--panel);border-radius:8px;
overflow-x:auto}
.formula math{margin:.15rem 0}
.verdict{display:grid;grid-template-columns:8.1rem 1fr;align-items:baseline;gap:.1rem .9rem;margin:.7rem 0;
padding:.75rem 1rem;border-radius:8px;background:var(--yes-ground);border-left:4px solid var(--yes)}
#lang-zh:checked~* .verdict{grid-template-columns:5rem 1fr}
.verdict.no{background:var(--no-ground);border-left-color:var(--no)}
.verdict b{color:var(--yes);font-weight:600;white-space:nowrap;font-size:.88rem;line-height:1.85;
font-family:system-ui,"Helvetica Neue",Arial,"Noto Sans","PingFang SC","Noto Sans CJK SC",sans-serif}
.verdict.no b{color:var(--no)}
.verdict p{margin:0}.verdict .words{grid-column:2;color:var(--faint);font-size:.92rem}
figure{margin:1.5rem 0}figure svg{display:block;width:100%;height:auto;max-width:100%}
figure.picture svg{width:auto;margin:0 auto}
figcaption,.caption{color:var(--faint);font-size:.88rem;line-height:1.5;text-align:left}
figcaption{margin-top:.5rem}.caption{margin:0 0 .5rem}
.wide{overflow-x:auto;margin:1.5rem 0}
table{border-collapse:collapse;font-size:.88rem;line-height:1.35;min-width:60%;
font-variant-numeric:tabular-nums lining-nums;border-top:1.5px solid var(--rule);
border-bottom:1.5px solid var(--rule)}
th{font-weight:400;font-style:normal;color:var(--faint);text-align:right;vertical-align:bottom;
padding:.42rem 0 .42rem 1.25rem;border-bottom:.8px solid var(--rule)}
td{text-align:right;padding:.24rem 0 .24rem 1.25rem;white-space:nowrap}
tbody tr:first-child td{padding-top:.45rem}tbody tr:last-child td{padding-bottom:.45rem}
th.left,td.left{text-align:left}th:first-child,td:first-child{padding-left:.3rem}
th:last-child,td:last-child{padding-right:.3rem}
td.left{white-space:normal}
.timed{color:var(--no)}.note{color:var(--faint);font-size:.82rem;margin:.35rem 0}
code,pre{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
font-size:.82em}
pre{background:var(--panel);border-radius:8px;padding:.8rem 1rem;overflow-x:auto;line-height:1.5}
dl{display:grid;grid-template-columns:auto 1fr;gap:.15rem 1.2rem;font-size:.88rem}
dt{color:var(--faint)}dd{margin:0;font-variant-numeric:tabular-nums}
.steps td.left{white-space:normal}.steps td:last-child{white-space:nowrap}
.listing{font-size:.66rem;padding:.8rem .6rem}.listing span{display:block}.listing span:target{background:var(--yes-ground);
outline:1px solid var(--yes)}.listing i{font-style:normal;color:var(--faint);user-select:none}
.cards{list-style:none;margin:1.6rem 0;padding:0}
.cards li{border-top:1px solid var(--line);padding:1rem 0}
.cards h2{margin:0 0 .2rem}.cards p{margin:.25rem 0}
.cards .verdict b{font-size:.82rem}.cards .verdict{margin:.4rem 0;padding:.4rem .8rem;font-size:.92rem}
footer{margin-top:3.5rem;padding-top:.8rem;border-top:1px solid var(--line);color:var(--faint);
font-size:.85rem}
@media (max-width:34rem){html{font-size:16px}.verdict{grid-template-columns:1fr}
.verdict .words{grid-column:1}}
@media print{.top{display:none}figure,.wide,.verdict{break-inside:avoid}}
)css";

// Without it the switch works as well; it remembers the choice and takes the reader's language.
constexpr char kScript[] = R"js(
(() => {
  const store = { get() { try { return localStorage.getItem("lab-lang"); } catch { return null; } },
                  set(v) { try { localStorage.setItem("lab-lang", v); } catch {} } };
  const wish = location.hash === "#zh" || location.hash === "#en" ? location.hash.slice(1)
    : store.get() || (navigator.language.startsWith("zh") ? "zh" : "en");
  const choose = (v) => {
    document.getElementById("lang-" + v).checked = true;
    document.documentElement.lang = v === "zh" ? "zh-Hans" : "en";
  };
  choose(wish);
  document.querySelectorAll("input[name=lang]").forEach((input) =>
    input.addEventListener("change", () => { const v = input.id.slice(5); store.set(v); choose(v); }));
})();
)js";

std::string code_of(Language language) { return language == Language::english ? "en" : "zh"; }

/// The same element once for each language.
template <typename Content>
std::string in_both(const std::string& tag, const std::string& attributes, Content&& content) {
  std::string html;
  for (const Language language : kLanguages)
    html += "<" + tag + " lang=\"" + code_of(language) + "\"" +
            (attributes.empty() ? "" : " " + attributes) + ">" + content(language) + "</" + tag +
            ">\n";
  return html;
}
std::string in_both(const std::string& tag, const Text& text, const std::string& attributes = "") {
  return in_both(tag, attributes, [&](Language language) { return to_html(text.in(language)); });
}

std::string page_head(const Text& title, const std::vector<Report>& reports,
                      const std::string& here) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
      escape_markup(to_plain(title.en)) + " · softalign lab</title>\n<style>" + kStyle +
      "</style>\n</head>\n<body>\n"
      "<input type=\"radio\" name=\"lang\" id=\"lang-en\" checked aria-label=\"English\">"
      "<input type=\"radio\" name=\"lang\" id=\"lang-zh\" aria-label=\"中文\">\n"
      "<div class=\"top\"><nav>";
  const auto link = [&](const std::string& name, const std::string& text) {
    html += name == here ? "<a class=\"here\">" + text + "</a>"
                         : "<a href=\"" + name + ".html\">" + text + "</a>";
  };
  link("index", "<span lang=\"en\">Laboratory</span><span lang=\"zh\">实验室</span>");
  for (const Report& report : reports) link(report.name, escape_markup(report.name));
  return html +
         "</nav><span class=\"switch\"><label for=\"lang-en\">English</label><label "
         "for=\"lang-zh\">中文</label></span></div>\n<main>\n";
}

std::string page_end() {
  return "</main>\n<script>" + std::string(kScript) + "</script>\n</body>\n</html>\n";
}

std::string verdict_html(const Verdict& verdict, bool with_words) {
  std::string html =
      "<div class=\"verdict " + std::string(verdict.confirmed ? "yes" : "no") + "\">";
  const Text outcome =
      verdict.confirmed ? Text{"✓ confirmed", "✓ 证实"} : Text{"✗ not confirmed", "✗ 未证实"};
  html +=
      "<b>" + in_both("span", outcome) + "</b><div>" + in_both("p", verdict.statement) + "</div>";
  if (with_words) html += in_both("p", verdict.words, "class=\"words\"");
  return html + "</div>\n";
}

std::string figure(const std::string& picture, const Text& caption, Language language,
                   const std::string& more = "") {
  return "<figure" + more + " lang=\"" + code_of(language) + "\">" + picture + "<figcaption>" +
         to_html(caption.in(language)) + "</figcaption></figure>\n";
}

struct BlockHtml {
  std::string operator()(const Heading& heading) const { return in_both("h2", heading.text); }
  std::string operator()(const Paragraph& paragraph) const { return in_both("p", paragraph.text); }
  std::string operator()(const Listing& listing) const { return listing.html; }
  std::string operator()(const Table& table) const {
    return in_both("div", "", [&](Language language) { return to_html(table, language); });
  }
  std::string operator()(const Plot& plot) const {
    std::string html;
    for (const Language language : kLanguages)
      html += figure(render_plot(plot, language), plot.caption, language);
    return html;
  }
  std::string operator()(const Picture& picture) const {
    std::string html;
    for (const Language language : kLanguages)
      html += figure(picture.svg, picture.caption, language, " class=\"picture\"");
    return html;
  }
  std::string operator()(const Markup& markup) const {
    return in_both("div", "", [&](Language language) { return markup.html.in(language); });
  }
};

/// Links to the files with the page's data.
std::string file_links(const Report& report) {
  std::string links;
  for (const Block& block : report.blocks) {
    std::string file;
    if (const auto* table = std::get_if<Table>(&block)) file = table->name + ".csv";
    if (const auto* plot = std::get_if<Plot>(&block)) file = plot->name + ".svg";
    if (const auto* picture = std::get_if<Picture>(&block)) file = picture->name + ".svg";
    if (!file.empty())
      links += (links.empty() ? "" : ", ") + ("<a href=\"" + file + "\">" + file + "</a>");
  }
  return links;
}

}  // namespace

std::string render_page(const Report& report, const std::vector<Report>& others) {
  std::string html = page_head(report.title, others, report.name);
  html += in_both("h1", "", [&](Language language) {
    return "<span class=\"number\">" + std::to_string(report.number) + "</span>" +
           to_html(report.title.in(language));
  });
  html += in_both("p", report.claim, "class=\"claim\"");
  html += "<div class=\"formula\">" + report.formula + "</div>\n";
  for (const Verdict& verdict : report.verdicts) html += verdict_html(verdict, true);
  html += in_both("h2", Text{"What is measured", "测量什么"}) + in_both("p", report.measured);
  for (const Block& block : report.blocks) html += std::visit(BlockHtml(), block);
  html += in_both("h2", Text{"How to run it", "如何运行"});
  html += "<pre>" + escape_markup(report.command) + "</pre>\n";
  for (const Language language : kLanguages) {
    html += "<dl lang=\"" + code_of(language) + "\">";
    for (const auto& [name, value] : report.settings)
      html += "<dt>" + to_html(name.in(language)) + "</dt><dd>" + escape_markup(value) + "</dd>";
    html += "</dl>\n";
  }
  const std::string links = file_links(report);
  const std::string took = duration(report.seconds);
  html += "<footer>" +
          in_both("p", "",
                  [&](Language language) {
                    return language == Language::english
                               ? "This run took " + took + ". Data and pictures: " + links
                               : "本次运行用时 " + took + "。数据与图片：" + links;
                  }) +
          "</footer>\n";
  return html + page_end();
}

std::string render_index(const std::vector<Report>& reports) {
  const Text title{"The laboratory", "实验室"};
  std::string html = page_head(title, reports, "index");
  html += in_both("h1", title);
  html += in_both(
      "p",
      Text{"What the theory of attention says, measured and drawn. Every experiment states a "
           "claim, measures it with the program's own code, and says what the numbers say: also "
           "where they don't confirm it.",
           "注意力机制的理论是怎么说的？这里逐条测量，画成图表。每个实验先写出一个论断，再用本程序"
           "自己的代码去"
           "测量，最后由数据下结论——包括论断没有得到证实的时候。"},
      "class=\"claim\"");
  html += "<ol class=\"cards\">\n";
  for (const Report& report : reports) {
    html += "<li>" +
            in_both("h2", "",
                    [&](Language language) {
                      return "<span class=\"number\">" + std::to_string(report.number) +
                             "</span><a href=\"" + report.name + ".html\">" +
                             to_html(report.title.in(language)) + "</a>";
                    }) +
            in_both("p", report.claim);
    for (const Verdict& verdict : report.verdicts) html += verdict_html(verdict, false);
    html += "</li>\n";
  }
  return html + "</ol>\n" + page_end();
}

std::string render_terminal(const Report& report, Language language) {
  std::string text =
      to_plain(report.title.in(language)) + "\n\n" + to_plain(report.claim.in(language)) + "\n\n";
  for (const Block& block : report.blocks)
    if (const auto* table = std::get_if<Table>(&block))
      text += to_plain(table->caption.in(language)) + '\n' + to_terminal(*table, language) + '\n';
  for (const Verdict& verdict : report.verdicts)
    text += std::string(verdict.confirmed ? "confirmed" : "NOT CONFIRMED") + ": " +
            to_plain(verdict.statement.in(language)) + "\n  " +
            to_plain(verdict.words.in(language)) + '\n';
  return text;
}

void write_report(const Report& report, const std::vector<Report>& others,
                  const std::filesystem::path& folder) {
  for (const Block& block : report.blocks) {
    if (const auto* table = std::get_if<Table>(&block))
      write_atomically(folder / (table->name + ".csv"), to_csv(*table));
    if (const auto* plot = std::get_if<Plot>(&block)) {
      write_atomically(folder / (plot->name + ".svg"), render_plot(*plot, Language::english));
      write_atomically(folder / (plot->name + ".zh.svg"), render_plot(*plot, Language::chinese));
    }
    if (const auto* picture = std::get_if<Picture>(&block))
      write_atomically(folder / (picture->name + ".svg"), picture->svg);
  }
  write_atomically(folder / (report.name + ".html"), render_page(report, others));
}

}  // namespace softalign
