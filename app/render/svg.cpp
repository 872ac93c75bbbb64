#include <algorithm>
#include <cmath>
#include <set>

#include "app/render/colour.h"
#include "app/render/heatmap.h"
#include "app/render/label.h"
#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

// Sizes in user units, which are CSS pixels.
constexpr double kFont = 14;
constexpr double kColumn = 7.7;  // of a label, for each column of its terminal width
constexpr double kLine = 16;     // of stacked characters
constexpr double kMargin = 16;
constexpr double kLabelGap = 9;    // between labels and grid
constexpr double kSlant = 0.7071;  // sine and cosine of the slanted labels' 45°
constexpr int64_t kMaxLabel = 28;  // columns

std::string number(double value) { return short_number(std::round(value * 100) / 100); }

double label_width(const Label& label) { return kColumn * static_cast<double>(label.width); }

double widest(const std::vector<Label>& labels) {
  double width = 0;
  for (const Label& label : labels) width = std::max(width, label_width(label));
  return width;
}

/// Source labels stand flat above their columns if they are short; else their characters are
/// stacked if the script has square ones; else they are slanted.
enum class Headers { flat, stacked, slanted };

/// Where things stand: the grid's corner, the size of a cell and of the whole.
struct Layout {
  double cell = 30, left = 0, top = 0, width = 0, height = 0;
  Headers headers = Headers::flat;
};

bool can_be_stacked(const Label& label) {
  if (label.width <= 2) return true;
  const auto points = code_points(label.text);
  return points.size() <= 8 && std::all_of(points.begin(), points.end(), is_cjk);
}

double header_height(const std::vector<Label>& sources, Headers headers) {
  if (headers == Headers::flat) return kFont;
  if (headers == Headers::slanted) return (widest(sources) + kFont / 2) * kSlant;
  size_t most = 1;
  for (const Label& label : sources) most = std::max(most, code_points(label.text).size());
  return kLine * static_cast<double>(most);
}

Layout lay_out(const std::vector<Label>& sources, const std::vector<Label>& targets) {
  Layout layout;
  layout.cell = std::max(sources.size(), targets.size()) > 30 ? 22 : 30;
  const double columns = static_cast<double>(sources.size()) * layout.cell;
  const double rows = static_cast<double>(targets.size()) * layout.cell;
  if (widest(sources) > layout.cell - 1)
    layout.headers = std::all_of(sources.begin(), sources.end(), can_be_stacked) ? Headers::stacked
                                                                                 : Headers::slanted;
  double overhang = 0;  // of slanted labels to the right of the grid
  for (size_t i = 0; i < sources.size() && layout.headers == Headers::slanted; ++i)
    overhang = std::max(overhang, (static_cast<double>(i) + 0.5) * layout.cell +
                                      (label_width(sources[i]) + kFont / 2) * kSlant - columns);
  layout.left = kMargin + widest(targets) + kLabelGap;
  layout.top = kMargin + kLabelGap + header_height(sources, layout.headers);
  layout.width = layout.left + columns + kMargin + overhang;
  layout.height = layout.top + rows + kMargin + 26;
  return layout;
}

std::string level_class(int level) { return "sa-w" + std::to_string(level); }

/// Colours for the levels that occur; the same class names mean the same in every picture.
std::string style_sheet(const std::set<int>& levels) {
  std::string light, dark;
  for (const int level : levels) {
    const double weight = static_cast<double>(level) / kHeatLevels;
    const std::string name = "." + level_class(level) + "{fill:";
    light += name + to_css(heat_colour(weight, Theme::light)) + "}";
    dark += name + to_css(heat_colour(weight, Theme::dark)) + "}";
  }
  return "<style>.sa-ground{fill:#fff}.sa-text{fill:#1f2328}.sa-faint{fill:#8b949e}" + light +
         "@media (prefers-color-scheme:dark){.sa-ground{fill:#0d1117}.sa-text{fill:#e6edf3}"
         ".sa-faint{fill:#7d8590}" +
         dark + "}</style>\n";
}

/// `anchor` is physical: "start" is left, "end" is right, whatever the label's direction.
std::string text_element(const Label& label, const std::string& place, const std::string& anchor) {
  std::string attributes = "class=\"" + std::string(label.faint ? "sa-faint" : "sa-text") + "\" ";
  std::string logical = anchor;
  if (label.right_to_left) {
    attributes += "direction=\"rtl\" unicode-bidi=\"embed\" ";
    if (anchor != "middle") logical = anchor == "start" ? "end" : "start";
  }
  return "<text " + attributes + place + " text-anchor=\"" + logical + "\">" +
         escape_markup(label.text) + "</text>\n";
}

std::string stacked_text(const Label& label, double x, double bottom) {
  const auto points = code_points(label.text);
  if (points.size() < 2 || label.width <= 2)
    return text_element(label, "x=\"" + number(x) + "\" y=\"" + number(bottom) + "\"", "middle");
  std::string svg = "<text class=\"sa-text\" text-anchor=\"middle\">";
  for (size_t k = 0; k < points.size(); ++k)
    svg += "<tspan x=\"" + number(x) + "\" y=\"" +
           number(bottom - kLine * static_cast<double>(points.size() - 1 - k)) + "\">" +
           escape_markup(to_utf8(points[k])) + "</tspan>";
  return svg + "</text>\n";
}

std::string source_labels(const std::vector<Label>& sources, const Layout& layout) {
  std::string svg;
  for (size_t i = 0; i < sources.size(); ++i) {
    const double x = layout.left + (static_cast<double>(i) + 0.5) * layout.cell;
    const double y = layout.top - kLabelGap;
    if (layout.headers == Headers::stacked) {
      svg += stacked_text(sources[i], x, y);
    } else if (layout.headers == Headers::slanted) {
      svg += text_element(sources[i],
                          "transform=\"translate(" + number(x + kFont * 0.25) + "," +
                              number(y + 2) + ") rotate(-45)\"",
                          "start");
    } else {
      svg += text_element(sources[i], "x=\"" + number(x) + "\" y=\"" + number(y) + "\"", "middle");
    }
  }
  return svg;
}

std::string legend(const Layout& layout) {
  constexpr double kStep = 9, kThickness = 9;
  const double y = layout.height - kMargin - kThickness;
  const auto text = [&](double x, const char* what) {
    return "<text class=\"sa-faint\" x=\"" + number(x) + "\" y=\"" + number(y + kThickness - 0.5) +
           "\" font-size=\"11\">" + what + "</text>\n";
  };
  std::string svg = text(layout.left, "0");
  for (int step = 0; step <= 10; ++step)
    svg += "<rect class=\"" + level_class(step * kHeatLevels / 10) + "\" x=\"" +
           number(layout.left + 12 + kStep * step) + "\" y=\"" + number(y) + "\" width=\"" +
           number(kStep) + "\" height=\"" + number(kThickness) + "\"/>\n";
  return svg + text(layout.left + 12 + kStep * 11 + 5, "1");
}

std::string picture_of_text(const std::string& text, const std::string& title) {
  const std::string width = number(2 * kMargin + 6.8 * static_cast<double>(text.size()));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + width +
         " 46\" width=\"" + width +
         "\" height=\"46\" font-family=\"sans-serif\" font-size=\"14\">\n" + title +
         style_sheet({}) + "<rect class=\"sa-ground\" width=\"100%\" height=\"100%\"/>\n" +
         "<text class=\"sa-text\" x=\"16\" y=\"28\">" + escape_markup(text) + "</text>\n</svg>\n";
}

}  // namespace

std::string render_svg(const Heatmap& map) {
  const std::string title =
      "<title>" + escape_markup(map.source) + " → " + escape_markup(map.target) + "</title>\n";
  if (map.source_tokens.empty() || map.target_tokens.empty())
    return picture_of_text("nothing to attend to", title);
  if (!has_attention(map)) return picture_of_text(std::string(kNoAttention), title);

  std::vector<Label> sources, targets;
  for (const Label& label : labels_of(map.source_tokens, map.words))
    sources.push_back(shortened(label, kMaxLabel));
  for (const Label& label : labels_of(map.target_tokens, map.words))
    targets.push_back(shortened(label, kMaxLabel));
  const Layout layout = lay_out(sources, targets);

  std::set<int> levels;
  for (int step = 0; step <= 10; ++step) levels.insert(step * kHeatLevels / 10);
  std::string cells, labels;
  const std::string side = number(layout.cell - 2);
  for (size_t t = 0; t < targets.size(); ++t) {
    const double y = layout.top + static_cast<double>(t) * layout.cell;
    labels += text_element(targets[t],
                           "x=\"" + number(layout.left - kLabelGap) + "\" y=\"" +
                               number(y + layout.cell / 2 + kFont * 0.34) + "\"",
                           "end");
    for (size_t i = 0; i < sources.size(); ++i) {
      const double weight = drawn_weight(map, t, i);
      levels.insert(heat_level(weight));
      cells += "<rect class=\"" + level_class(heat_level(weight)) + "\" x=\"" +
               number(layout.left + static_cast<double>(i) * layout.cell + 1) + "\" y=\"" +
               number(y + 1) + "\" width=\"" + side + "\" height=\"" + side +
               "\" rx=\"3\"><title>" + escape_markup(map.target_tokens[t]) + " ← " +
               escape_markup(map.source_tokens[i]) + ": " + short_number(weight) +
               "</title></rect>\n";
    }
  }
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " +
         number(layout.width) + " " + number(layout.height) + "\" width=\"" + number(layout.width) +
         "\" height=\"" + number(layout.height) +
         "\" font-family=\"'Helvetica Neue',Arial,'DejaVu Sans','Noto Sans','PingFang SC',"
         "'Hiragino Sans','Microsoft YaHei','Noto Sans CJK SC','Noto Naskh Arabic',sans-serif\""
         " font-size=\"" +
         number(kFont) + "\">\n" + title + style_sheet(levels) +
         "<rect class=\"sa-ground\" width=\"100%\" height=\"100%\"/>\n" +
         source_labels(sources, layout) + labels + cells + legend(layout) + "</svg>\n";
}

}  // namespace softalign
