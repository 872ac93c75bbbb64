#include <array>
#include <utility>

#include "data/unicode.h"
#include "model/metrics/bleu.h"
#include "model/metrics/ngrams.h"

namespace softalign {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_period_or_comma(char c) { return c == '.' || c == ','; }

// ASCII punctuation that always stands alone: all but the apostrophe, comma, hyphen and period.
bool is_separate(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= '!' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

std::string replace_all(std::string_view text, std::string_view from, std::string_view to) {
  std::string result;
  size_t position = 0;
  for (size_t found; (found = text.find(from, position)) != std::string_view::npos;
       position = found + from.size()) {
    result.append(text.substr(position, found - position)).append(to);
  }
  return result.append(text.substr(position));
}

std::string separate_punctuation(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (is_separate(c)) {
      result += {' ', c, ' '};
    } else {
      result += c;
    }
  }
  return result;
}

// Walks over pairs of neighbours from the left; a pair that matches is replaced whole, so its
// second character never begins the next pair. Digits, periods and commas are ASCII, so bytes serve
// as characters.
template <typename Matches, typename Append>
std::string rewrite_pairs(std::string_view text, Matches matches, Append append) {
  std::string result;
  size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      append(result, text[i], text[i + 1]);
      i += 2;
    } else {
      result += text[i++];
    }
  }
  return result;
}

// The part of mteval-v13a for Western languages, three rewriting passes in this order.
std::string separate_western(std::string_view text) {
  std::string result = separate_punctuation(text);
  result = rewrite_pairs(  // period and comma, unless after a digit
      result, [](char a, char b) { return !is_digit(a) && is_period_or_comma(b); },
      [](std::string& out, char a, char b) {
        out += {a, ' ', b, ' '};
      });
  result = rewrite_pairs(  // period and comma, unless before a digit
      result, [](char a, char b) { return is_period_or_comma(a) && !is_digit(b); },
      [](std::string& out, char a, char b) {
        out += {' ', a, ' ', b};
      });
  return rewrite_pairs(  // hyphen after a digit
      result, [](char a, char b) { return is_digit(a) && b == '-'; },
      [](std::string& out, char a, char b) {
        out += {a, ' ', b, ' '};
      });
}

std::string unescape(std::string_view line) {
  std::string text = replace_all(line, "<skipped>", "");
  text = replace_all(text, "&quot;", "\"");
  text = replace_all(text, "&amp;", "&");
  text = replace_all(text, "&lt;", "<");
  return replace_all(text, "&gt;", ">");
}

// sacreBLEU's ranges as they take effect there: U+2001–U+2A6D is what its spelling of CJK extension
// B comes to, so typographic quotes and dashes stand alone and extension B stays unseparated.
// Scores are comparable only if this is kept.
bool is_chinese(char32_t c) {
  constexpr std::array<std::pair<char32_t, char32_t>, 15> kRanges{{{0x2001, 0x2a6d},
                                                                   {0x2e80, 0x2fdf},
                                                                   {0x2ff0, 0x303f},
                                                                   {0x3100, 0x312f},
                                                                   {0x31a0, 0x31bf},
                                                                   {0x31c0, 0x31ef},
                                                                   {0x3200, 0x33ff},
                                                                   {0x3400, 0x4db5},
                                                                   {0x4e00, 0x9fbb},
                                                                   {0xf900, 0xfa2d},
                                                                   {0xfa30, 0xfa6a},
                                                                   {0xfa70, 0xfad9},
                                                                   {0xfe10, 0xfe1f},
                                                                   {0xfe30, 0xfe4f},
                                                                   {0xff00, 0xffef}}};
  for (const auto& [first, last] : kRanges)
    if (c >= first && c <= last) return true;
  return false;
}

std::string separate_chinese(std::string_view line) {
  std::string result;
  for (const char32_t c : code_points(repair_utf8(line))) {
    const std::string character = to_utf8(c);
    result += is_chinese(c) ? ' ' + character + ' ' : character;
  }
  return result;
}

std::string_view strip(std::string_view text) {
  const auto words = split_white_space(text);
  if (words.empty()) return {};
  const char* begin = words.front().data();
  const char* end = words.back().data() + words.back().size();
  return {begin, static_cast<size_t>(end - begin)};
}

}  // namespace

std::vector<std::string> tokenize(std::string_view line, const BleuOptions& options) {
  std::string text(line);
  if (options.lowercase) text = lower_case(repair_utf8(text));
  switch (options.tokenizer) {
    case BleuTokenizer::mteval13a:
      text = separate_western(' ' + unescape(text) + ' ');
      break;
    case BleuTokenizer::zh:
      text = separate_western(separate_chinese(strip(text)));
      break;
    case BleuTokenizer::none:
      break;
  }
  const auto words = split_white_space(text);
  return {words.begin(), words.end()};
}

}  // namespace softalign
