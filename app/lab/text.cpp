#include "app/lab/text.h"

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "app/log.h"
#include "app/render/heatmap.h"
#include "data/unicode.h"

namespace softalign {
namespace {

/// How a notation marks up a piece of mathematics.
struct Notation {
  std::string_view italic, italic_end, below, below_end, above, above_end;
};
constexpr Notation kHtml{"<i>", "</i>", "<sub>", "</sub>", "<sup>", "</sup>"};
constexpr Notation kSvg{
    "<tspan font-style=\"italic\">",       "</tspan>",
    "<tspan dy=\"3\" font-size=\"75%\">",  "</tspan><tspan dy=\"-3\">\u200b</tspan>",
    "<tspan dy=\"-4\" font-size=\"75%\">", "</tspan><tspan dy=\"4\">\u200b</tspan>"};
constexpr Notation kPlain{"", "", "_", "", "^", ""};

bool is_letter(char32_t c) {
  return (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z') || (c >= U'α' && c <= U'ω');
}

class MathSetter {
 public:
  MathSetter(const Notation& notation, bool escapes) : notation_(notation), escapes_(escapes) {}

  std::string set(const std::vector<char32_t>& math) const {
    std::string out;
    for (size_t i = 0; i < math.size();) {
      if ((math[i] == U'_' || math[i] == U'^') && i + 1 < math.size()) {
        const bool below = math[i] == U'_';
        std::vector<char32_t> script = taken(math, ++i);
        out += std::string(below ? notation_.below : notation_.above) + set(script) +
               std::string(below ? notation_.below_end : notation_.above_end);
      } else if (is_letter(math[i])) {
        out += notation_.italic;
        // A word such as Var or softmax stands upright.
        std::string word;
        size_t letters = 0;
        for (; i < math.size() && is_letter(math[i]); ++i, ++letters) word += to_utf8(math[i]);
        if (letters >= 3) out.resize(out.size() - notation_.italic.size());
        out += word;
        if (letters < 3) out += notation_.italic_end;
      } else {
        const std::string sign = to_utf8(math[i++]);
        out += escapes_ ? escape_markup(sign) : sign;
      }
    }
    return out;
  }

 private:
  /// What a subscript covers: the group in braces or one character; moves `i` behind it.
  static std::vector<char32_t> taken(const std::vector<char32_t>& math, size_t& i) {
    if (math[i] != U'{') return {math[i++]};
    std::vector<char32_t> group;
    for (++i; i < math.size() && math[i] != U'}'; ++i) group.push_back(math[i]);
    if (i < math.size()) ++i;
    return group;
  }

  const Notation& notation_;
  bool escapes_;
};

std::string set_text(const std::string& text, const Notation& notation, bool escapes) {
  std::string out;
  size_t begin = 0;
  bool math = false;
  while (begin <= text.size()) {
    const size_t end = std::min(text.find('$', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    if (math)
      out += MathSetter(notation, escapes).set(code_points(part));
    else
      out += escapes ? escape_markup(part) : part;
    math = !math;
    begin = end + 1;
  }
  return out;
}

}  // namespace

std::string to_html(const std::string& text) { return set_text(text, kHtml, true); }
std::string to_svg_text(const std::string& text) { return set_text(text, kSvg, true); }
std::string to_plain(const std::string& text) { return set_text(text, kPlain, false); }

std::string typeset_number(double value, int decimals) {
  if (std::isnan(value)) return "–";
  if (std::isinf(value)) return value > 0 ? "∞" : "−∞";
  const std::string digits = fixed(std::abs(value), decimals);
  const size_t whole = std::min(digits.find('.'), digits.size());
  std::string text;
  for (size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0 && whole > 4) text += "\u2009";
    text += digits[i];
  }
  text += digits.substr(whole);
  const bool is_zero = text.find_first_of("123456789") == std::string::npos;
  return value < 0 && !is_zero ? "−" + text : text;
}

std::string memory_text(double bytes) {
  constexpr std::array<const char*, 4> kUnits{"B", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fixed(bytes, unit == 0 || bytes >= 100 ? 0 : 1) + " " + kUnits[unit];
}

std::string time_text(double seconds) {
  const auto digits = [](double value) {
    return fixed(value, value >= 100 ? 0 : value >= 10 ? 1 : 2);
  };
  if (seconds < 1e-3) return digits(seconds * 1e6) + " µs";
  if (seconds < 1) return digits(seconds * 1e3) + " ms";
  return digits(seconds) + " s";
}

}  // namespace softalign
