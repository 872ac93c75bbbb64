#include <algorithm>
#include <cmath>

#include "app/render/colour.h"
#include "app/render/heatmap.h"
#include "app/render/label.h"
#include "data/unicode.h"

namespace softalign {
namespace {

constexpr int64_t kMaxLabel = 18;       // columns; longer tokens are cut with "…"
constexpr int64_t kGap = 2;             // between the row labels and the grid
constexpr double kLeastNumber = 0.095;  // smaller weights are colour alone

std::string spaces(int64_t count) {
  return std::string(static_cast<size_t>(std::max<int64_t>(count, 0)), ' ');
}

/// Text with colours and weight, or as it is where there is no colour.
class Painter {
 public:
  explicit Painter(const TerminalStyle& style) : style_(style) {}

  std::string faint(const std::string& text) const { return wrap("\x1b[2m", text); }
  std::string bold(const std::string& text) const { return wrap("\x1b[1m", text); }
  std::string label(const Label& label) const {
    return label.faint ? faint(label.text) : label.text;
  }

  /// A tile of `width` columns for a weight; `strongest` is its row's maximum.
  std::string cell(double weight, bool strongest, int64_t width) const {
    return style_.colour ? coloured_cell(weight, strongest, width)
                         : shaded_cell(weight, strongest, width);
  }

 private:
  std::string wrap(const char* code, const std::string& text) const {
    return style_.colour && !text.empty() ? code + text + "\x1b[0m" : text;
  }

  static std::string sgr(int what, Rgb c) {
    return std::to_string(what) + ";2;" + std::to_string(c.red) + ';' + std::to_string(c.green) +
           ';' + std::to_string(c.blue);
  }

  std::string coloured_cell(double weight, bool strongest, int64_t width) const {
    std::string text = weight >= kLeastNumber ? std::to_string(std::lround(100 * weight)) : "";
    const auto length = static_cast<int64_t>(text.size());
    const int64_t right = length < width ? (width - length) / 2 : 0;
    text = spaces(width - length - right) + text + spaces(right);
    return "\x1b[" + std::string(strongest ? "1;" : "") +
           sgr(38, text_colour(weight, style_.theme)) + ';' +
           sgr(48, heat_colour(weight, style_.theme)) + 'm' + text + "\x1b[0m";
  }

  /// "·" below 5 %, then ░ ▒ ▓ █ from 5, 25, 50 and 75 %; the row's maximum shows its number.
  static std::string shaded_cell(double weight, bool strongest, int64_t width) {
    const int64_t filled = width - 1;  // a blank column keeps neighbours apart
    if (weight < 0.05) return spaces(filled / 2) + "·" + spaces(width - 1 - filled / 2);
    const std::string shade = weight < 0.25 ? "░" : weight < 0.5 ? "▒" : weight < 0.75 ? "▓" : "█";
    std::string number = strongest ? std::to_string(std::lround(100 * weight)) : "";
    if (static_cast<int64_t>(number.size()) > filled) number.clear();
    std::string text;
    for (auto k = static_cast<int64_t>(number.size()); k < filled; ++k) text += shade;
    return text + number + " ";
  }

  TerminalStyle style_;
};

/// The first and the last but one column of a panel, and how its source labels are placed.
struct Panel {
  size_t begin = 0, end = 0;
  int64_t cell = 4;             // columns of a cell
  bool centred = false;         // all labels fit above their cells
  std::vector<int64_t> levels;  // else: the header line of each label, from the top
};

/// Labels start above the middle of their column and run to the right; a line leads down from each.
/// Label i is drawn above label j > i if it would reach over j's column.
std::vector<int64_t> stagger(const std::vector<Label>& labels, size_t begin, size_t end,
                             int64_t cell) {
  std::vector<int64_t> levels;
  for (size_t j = begin; j < end; ++j) {
    int64_t level = 0;
    for (size_t i = begin; i < j; ++i)
      if (labels[i].width >= static_cast<int64_t>(j - i) * cell)
        level = std::max(level, levels[i - begin] + 1);
    levels.push_back(level);
  }
  return levels;
}

Panel fit_panel(const std::vector<Label>& labels, size_t begin, size_t most, int64_t cell,
                int64_t columns) {
  Panel panel{begin, std::min(labels.size(), begin + most), cell, false, {}};
  const int64_t offset = (cell - 1) / 2;
  const auto reach = [&](size_t end) {
    int64_t last = 0;
    for (size_t i = begin; i < end; ++i)
      last = std::max(last, static_cast<int64_t>(i - begin) * cell + offset + labels[i].width);
    return std::max(last, static_cast<int64_t>(end - begin) * cell);
  };
  while (panel.end > begin + 1 && reach(panel.end) > columns) --panel.end;
  panel.levels = stagger(labels, begin, panel.end, cell);
  return panel;
}

/// One panel with centred labels if they fit, else staggered ones, else several panels of about
/// the same size.
std::vector<Panel> arrange(const std::vector<Label>& labels, int64_t columns) {
  const auto count = static_cast<int64_t>(labels.size());
  int64_t widest = 0;
  for (const Label& label : labels) widest = std::max(widest, label.width);
  const int64_t roomy = std::clamp<int64_t>(widest + 2, 5, 9);
  if (widest < roomy && count * roomy <= columns) return {{0, labels.size(), roomy, true, {}}};
  for (const int64_t cell : {6, 5, 4, 3}) {
    const Panel panel = fit_panel(labels, 0, labels.size(), cell, columns);
    if (panel.end == labels.size()) return {panel};
  }
  const auto panels_of = [&](size_t most) {
    std::vector<Panel> panels;
    for (size_t begin = 0; begin < labels.size(); begin = panels.back().end)
      panels.push_back(fit_panel(labels, begin, most, 3, columns));
    return panels;
  };
  const size_t least = panels_of(labels.size()).size();
  const auto even = panels_of((labels.size() + least - 1) / least);
  return even.size() == least ? even : panels_of(labels.size());
}

std::string header(const std::vector<Label>& labels, const Panel& panel, int64_t indent,
                   const Painter& painter) {
  std::string text;
  if (panel.centred) {
    text += spaces(indent);
    for (size_t i = panel.begin; i < panel.end; ++i) {
      const int64_t left = (panel.cell - labels[i].width + 1) / 2;
      text += spaces(left) + painter.label(labels[i]) + spaces(panel.cell - labels[i].width - left);
    }
    return text + '\n';
  }
  const int64_t lines = *std::max_element(panel.levels.begin(), panel.levels.end()) + 1;
  const int64_t offset = (panel.cell - 1) / 2;
  for (int64_t line = 0; line < lines; ++line) {
    int64_t cursor = 0;
    text += spaces(indent);
    for (size_t i = panel.begin; i < panel.end; ++i) {
      const int64_t level = panel.levels[i - panel.begin];
      if (level > line) continue;
      const int64_t column = static_cast<int64_t>(i - panel.begin) * panel.cell + offset;
      text += spaces(column - cursor);
      text += level == line ? painter.label(labels[i]) : painter.faint("│");
      cursor = column + (level == line ? labels[i].width : 1);
    }
    text += '\n';
  }
  return text;
}

std::string legend(const Painter& painter, const TerminalStyle& style, int64_t indent) {
  std::string text = spaces(indent);
  if (!style.colour) return text + "· <5%   ░ <25%   ▒ <50%   ▓ <75%   █ up to 100%\n";
  text += painter.faint("0 ");
  for (int step = 0; step <= 20; ++step) {
    const Rgb c = heat_colour(step / 20.0, style.theme);
    text += "\x1b[48;2;" + std::to_string(c.red) + ';' + std::to_string(c.green) + ';' +
            std::to_string(c.blue) + "m \x1b[0m";
  }
  return text + painter.faint(" 100 %") + '\n';
}

std::string heading(const Heatmap& map, const Painter& painter) {
  const auto line = [](const std::string& text) {
    std::string shown;
    for (const Label& label : labels_of({text}, true)) shown += label.text;
    return shown;
  };
  return painter.bold(line(map.source)) + '\n' + painter.faint("→ ") + line(map.target) + '\n';
}

}  // namespace

std::string render_terminal(const Heatmap& map, const TerminalStyle& style) {
  const Painter painter(style);
  std::string text = style.heading ? heading(map, painter) + '\n' : "";
  if (map.source_tokens.empty() || map.target_tokens.empty())
    return text + painter.faint("(nothing to attend to)") + '\n';
  if (!has_attention(map)) return text + painter.faint(std::string(kNoAttention)) + '\n';

  std::vector<Label> sources = labels_of(map.source_tokens, map.words);
  std::vector<Label> targets = labels_of(map.target_tokens, map.words);
  int64_t widest = 0;
  for (Label& label : sources) label = shortened(label, kMaxLabel);
  for (Label& label : targets) {
    label = shortened(label, kMaxLabel);
    widest = std::max(widest, label.width);
  }
  const int64_t indent = widest + kGap;
  const std::vector<Panel> panels = arrange(sources, std::max<int64_t>(style.columns - indent, 4));
  for (const Panel& panel : panels) {
    if (panels.size() > 1)
      text += spaces(indent) +
              painter.faint(std::to_string(panel.begin + 1) + "–" + std::to_string(panel.end) +
                            " of " + std::to_string(sources.size())) +
              '\n';
    text += header(sources, panel, indent, painter);
    for (size_t t = 0; t < targets.size(); ++t) {
      double maximum = 0;  // of the whole row, not of the panel
      for (size_t i = 0; i < sources.size(); ++i)
        maximum = std::max(maximum, drawn_weight(map, t, i));
      // A left-to-right mark ends a right-to-left label, lest the numbers join it.
      text += spaces(widest - targets[t].width) + painter.label(targets[t]) +
              (targets[t].right_to_left ? "\u200E" : "") + spaces(kGap);
      for (size_t i = panel.begin; i < panel.end; ++i) {
        const double weight = drawn_weight(map, t, i);
        text += painter.cell(weight, weight > 0 && weight == maximum, panel.cell);
      }
      text += '\n';
    }
    text += '\n';
  }
  return text + legend(painter, style, indent);
}

}  // namespace softalign
