#include "app/lab/plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "app/lab/text.h"
#include "app/render/heatmap.h"
#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

// Sizes in user units, which are CSS pixels.
constexpr double kWidth = 720, kHeight = 400;
constexpr double kTop = 34, kBottom = 52, kLeft = 70, kLeastRight = 24;
constexpr double kFont = 13, kCharacter = 7.3, kLabelDistance = 17;
constexpr size_t kColours = 7;
constexpr std::array<const char*, kColours> kLight{"#1f5fa8", "#c2481c", "#1b7f58", "#7a4aa8",
                                                   "#9a6b00", "#0b8494", "#b03a76"};
constexpr std::array<const char*, kColours> kDark{"#74b3f2", "#f59267", "#63c99c", "#c4a0ee",
                                                  "#dfb452", "#5cc6d4", "#ee8fbb"};

std::string number(double value) { return short_number(std::round(value * 100) / 100); }

std::string style_sheet() {
  std::string light, dark;
  for (size_t k = 0; k < kColours; ++k) {
    const std::string name = std::to_string(k);
    const auto rule = [&](const char* colour) {
      return ".lp-l" + name + "{stroke:" + colour + "}.lp-f" + name + "{fill:" + colour + "}";
    };
    light += rule(kLight[k]);
    dark += rule(kDark[k]);
  }
  return "<style>.lp-ground{fill:#fffefb}.lp-text{fill:#24241f}.lp-faint{fill:#6b6a63}"
         ".lp-grid{stroke:#e4e2d9}.lp-axis{stroke:#8d8b82}.lp-theory{stroke:#6b6a63}"
         ".lp-hole{fill:#fffefb}" +
         light +
         "@media (prefers-color-scheme:dark){.lp-ground{fill:#15171a}.lp-text{fill:#e8e6df}"
         ".lp-faint{fill:#9c9a92}.lp-grid{stroke:#2b2e33}.lp-axis{stroke:#6d7178}"
         ".lp-theory{stroke:#9c9a92}.lp-hole{fill:#15171a}" +
         dark + "}</style>\n";
}

/// From numbers to places along one axis.
struct Ruler {
  double low = 0, high = 1, from = 0, to = 1;
  bool logarithmic = false;

  double place(double value) const {
    const double share =
        logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    return from + share * (to - from);
  }
};

bool can_be_drawn(double value, const Axis& axis) {
  return std::isfinite(value) && (axis.scale == Scale::linear || value > 0);
}

/// The data's range along an axis, widened a little.
Ruler make_ruler(const Axis& axis, const std::vector<double>& values, double from, double to,
                 bool widen) {
  Ruler ruler;
  ruler.from = from;
  ruler.to = to;
  ruler.logarithmic = axis.scale == Scale::logarithmic;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : values) {
    if (!can_be_drawn(value, axis)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) low = high = 1;
  if (!axis.categories.empty()) {
    low = -0.5;
    high = static_cast<double>(axis.categories.size()) - 0.5;
    widen = false;
  }
  if (widen && ruler.logarithmic) {
    const double margin = std::pow(high / low, 0.06);
    low /= margin;
    high *= margin;
  } else if (widen) {
    const double margin = 0.07 * (high - low);
    low = low >= 0 && low - margin < 0 ? 0 : low - margin;
    high += margin;
  }
  ruler.low = axis.from.value_or(low);
  ruler.high = axis.to.value_or(high);
  if (!(ruler.low < ruler.high)) {
    ruler.low = ruler.logarithmic ? ruler.high / 2 : ruler.high - 1;
    ruler.high = ruler.logarithmic ? ruler.high * 2 : ruler.high + 1;
  }
  return ruler;
}

std::string tick_text(double value) {
  const double size = std::abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) {
    const double power = std::floor(std::log10(size) + 1e-9);
    const double factor = value / std::pow(10, power);
    const std::string ten = "$10^{" + typeset_number(power, 0) + "}$";
    return std::abs(factor - 1) < 1e-9 ? ten : short_number(factor) + "·" + ten;
  }
  return value < 0 ? "−" + short_number(size) : short_number(value);
}

std::string text_at(double x, double y, const std::string& text, const std::string& anchor,
                    const std::string& name, const std::string& more = "") {
  return "<text class=\"" + name + "\" x=\"" + number(x) + "\" y=\"" + number(y) +
         "\" text-anchor=\"" + anchor + "\"" + more + ">" + to_svg_text(text) + "</text>\n";
}

std::string line_between(double x1, double y1, double x2, double y2, const std::string& name) {
  return "<line class=\"" + name + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" +
         number(x2) + "\" y2=\"" + number(y2) + "\"/>\n";
}

/// A shape of its own for each curve; `index` counts the curves.
std::string marker(size_t index, double x, double y) {
  const std::string colour = "lp-f" + std::to_string(index % kColours);
  const auto polygon = [&](std::initializer_list<std::pair<double, double>> corners) {
    std::string points;
    for (const auto& [dx, dy] : corners)
      points += (points.empty() ? "" : " ") + number(x + dx) + "," + number(y + dy);
    return "<polygon class=\"" + colour + "\" points=\"" + points + "\"";
  };
  switch (index % 4) {
    case 0:
      return "<circle class=\"" + colour + "\" cx=\"" + number(x) + "\" cy=\"" + number(y) +
             "\" r=\"3.6\"";
    case 1:
      return polygon({{-3.3, -3.3}, {3.3, -3.3}, {3.3, 3.3}, {-3.3, 3.3}});
    case 2:
      return polygon({{0, -4.6}, {4.2, 3}, {-4.2, 3}});
    default:
      return polygon({{0, -4.6}, {4.6, 0}, {0, 4.6}, {-4.6, 0}});
  }
}

double label_width(const std::string& text) {
  return kCharacter * static_cast<double>(display_width(to_plain(text)));
}

/// A curve's name beside its end.
struct EndLabel {
  double y = 0;     // where it stands
  double wish = 0;  // where its curve ends
  size_t series = 0;
};

/// Moves labels apart that would cover each other.
void spread(std::vector<EndLabel>& labels, double top, double bottom) {
  std::sort(labels.begin(), labels.end(),
            [](const EndLabel& a, const EndLabel& b) { return a.wish < b.wish; });
  for (EndLabel& label : labels) label.y = label.wish;
  for (int round = 0; round < 200; ++round) {
    bool moved = false;
    for (size_t k = 1; k < labels.size(); ++k) {
      const double missing = kLabelDistance - (labels[k].y - labels[k - 1].y);
      if (missing < 0.01) continue;
      labels[k - 1].y -= missing / 2;
      labels[k].y += missing / 2;
      moved = true;
    }
    if (!labels.empty()) {
      labels.front().y = std::max(labels.front().y, top);
      labels.back().y = std::min(labels.back().y, bottom);
    }
    if (!moved) break;
  }
}

/// Draws one plot; curves first, so that text is never covered.
class Drawing {
 public:
  Drawing(const Plot& plot, Language language) : plot_(plot), language_(language) {
    double right = kLeastRight;
    for (const Series& series : plot.series)
      right = std::max(right, label_width(series.label.in(language)) + 30);
    std::vector<double> xs, ys;
    for (const Series& series : plot.series) {
      for (const Point& p : series.points) {
        xs.push_back(p.x);
        ys.push_back(p.y);
        if (p.low < p.high) {
          ys.push_back(p.low);
          ys.push_back(p.high);
        }
      }
    }
    x_ = make_ruler(plot.x, xs, kLeft, kWidth - right, /*widen=*/false);
    y_ = make_ruler(plot.y, ys, kHeight - kBottom, kTop, /*widen=*/true);
  }

  std::string render() {
    std::string svg =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 " + number(kWidth) +
        " " + number(kHeight) + "\" width=\"" + number(kWidth) + "\" height=\"" + number(kHeight) +
        "\" font-family=\"'Helvetica Neue',Arial,'DejaVu Sans','Noto Sans','PingFang SC',"
        "'Microsoft YaHei','Noto Sans CJK SC',sans-serif\" font-size=\"" +
        number(kFont) + "\">\n<title>" + escape_markup(to_plain(plot_.caption.in(language_))) +
        "</title>\n" + style_sheet() +
        "<rect class=\"lp-ground\" width=\"100%\" height=\"100%\"/>\n";
    svg += axes();
    size_t curve = 0;
    std::string curves;
    for (size_t k = 0; k < plot_.series.size(); ++k) {
      if (plot_.series[k].style == Series::Style::theory) {
        curves += theory(plot_.series[k]);
      } else {
        curves += measured(plot_.series[k], curve);
        colours_.emplace_back(k, curve++);
      }
    }
    return svg + curves + end_labels() + "</svg>\n";
  }

 private:
  std::string axes() const {
    std::string svg;
    const double left = x_.from, right = x_.to, bottom = y_.from;
    for (const double tick : axis_ticks(y_.low, y_.high, plot_.y.scale, 6)) {
      const double y = y_.place(tick);
      svg += line_between(left, y, right, y, "lp-grid") +
             text_at(left - 9, y + 4.5, tick_text(tick), "end", "lp-faint");
    }
    if (!plot_.x.categories.empty()) {
      for (size_t k = 0; k < plot_.x.categories.size(); ++k)
        svg += text_at(x_.place(static_cast<double>(k)), bottom + 20,
                       plot_.x.categories[k].in(language_), "middle", "lp-faint");
    } else {
      for (const double tick : axis_ticks(x_.low, x_.high, plot_.x.scale, 9)) {
        const double x = x_.place(tick);
        svg += line_between(x, bottom, x, bottom + 5, "lp-axis") +
               text_at(x, bottom + 20, tick_text(tick), "middle", "lp-faint");
      }
    }
    svg += line_between(left, bottom, right, bottom, "lp-axis");
    svg +=
        text_at((left + right) / 2, bottom + 42, plot_.x.label.in(language_), "middle", "lp-text");
    return svg + text_at(16, 20, plot_.y.label.in(language_), "start", "lp-text");
  }

  std::string path(const Series& series, const std::string& attributes) const {
    std::string d;
    for (const Point& p : series.points) {
      if (!can_be_drawn(p.y, plot_.y) || !can_be_drawn(p.x, plot_.x)) continue;
      d += (d.empty() ? "M" : "L") + number(x_.place(p.x)) + " " + number(clipped(p.y));
    }
    return d.empty() ? d : "<path fill=\"none\" " + attributes + " d=\"" + d + "\"/>\n";
  }

  std::string theory(const Series& series) const {
    return path(series, "class=\"lp-theory\" stroke-width=\"1.5\" stroke-dasharray=\"6 4\"");
  }

  std::string measured(const Series& series, size_t curve) const {
    const std::string colour = "lp-l" + std::to_string(curve % kColours);
    std::string svg;
    if (series.style == Series::Style::line)
      svg += path(series, "class=\"" + colour + "\" stroke-width=\"2\" stroke-linejoin=\"round\"");
    for (const Point& p : series.points) {
      if (!can_be_drawn(p.y, plot_.y) || !can_be_drawn(p.x, plot_.x)) continue;
      const double x = x_.place(p.x);
      if (p.low < p.high && can_be_drawn(p.low, plot_.y)) {
        const double low = clipped(p.low), high = clipped(p.high);
        svg += line_between(x, low, x, high, colour) +
               line_between(x - 4, low, x + 4, low, colour) +
               line_between(x - 4, high, x + 4, high, colour);
      }
      if (series.points.size() > 60) continue;  // markers would run together
      svg += marker(curve, x, clipped(p.y)) + "><title>" +
             escape_markup(to_plain(series.label.in(language_))) + ": " + short_number(p.y) +
             "</title></" + (curve % 4 == 0 ? "circle" : "polygon") + ">\n";
    }
    return svg;
  }

  double clipped(double y) const { return std::clamp(y_.place(y), y_.to - 6, y_.from); }

  std::string end_labels() const {
    std::vector<EndLabel> labels;
    for (size_t k = 0; k < plot_.series.size(); ++k) {
      const Series& series = plot_.series[k];
      for (auto p = series.points.rbegin(); p != series.points.rend(); ++p) {
        if (!can_be_drawn(p->y, plot_.y)) continue;
        labels.push_back({0, clipped(p->y), k});
        break;
      }
    }
    spread(labels, y_.to, y_.from - 4);
    std::string svg;
    for (const EndLabel& label : labels) {
      std::string name = "lp-faint";
      for (const auto& [series, colour] : colours_)
        if (series == label.series) name = "lp-f" + std::to_string(colour % kColours);
      if (std::abs(label.y - label.wish) > 3)
        svg += "<path fill=\"none\" class=\"lp-grid\" d=\"M" + number(x_.to + 5) + " " +
               number(label.wish) + "L" + number(x_.to + 12) + " " + number(label.y) + "\"/>\n";
      svg += text_at(x_.to + 15, label.y + 4.5, plot_.series[label.series].label.in(language_),
                     "start", name);
    }
    return svg;
  }

  const Plot& plot_;
  Language language_;
  Ruler x_, y_;
  std::vector<std::pair<size_t, size_t>> colours_;  // of the measured series: place and colour
};

bool is_power_of_two(double value) {
  return value > 0 && std::abs(std::log2(value) - std::round(std::log2(value))) < 1e-9;
}

}  // namespace

std::vector<double> axis_ticks(double low, double high, Scale scale, int about) {
  std::vector<double> ticks;
  if (scale == Scale::logarithmic) {
    const bool binary = is_power_of_two(low) || is_power_of_two(high);
    const double base = binary ? 2 : 10;
    double first = std::ceil(std::log(low) / std::log(base) - 1e-9);
    const double last = std::floor(std::log(high) / std::log(base) + 1e-9);
    const double step = std::max(1.0, std::ceil((last - first + 1) / about));
    first = step * std::ceil(first / step);  // 1 is always one of them
    for (double power = first; power <= last; power += step) ticks.push_back(std::pow(base, power));
    if (!binary && last - first < 2)  // little more than a decade
      for (double power = first - 1; power <= last; ++power)
        for (const double factor : {2.0, 5.0}) {
          const double tick = factor * std::pow(base, power);
          if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
        }
    std::sort(ticks.begin(), ticks.end());
    return ticks;
  }
  const double rough = (high - low) / about;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double share = rough / power;
  const double step = power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k)
    ticks.push_back(k * step);
  return ticks;
}

std::string render_plot(const Plot& plot, Language language) {
  return Drawing(plot, language).render();
}

}  // namespace softalign
