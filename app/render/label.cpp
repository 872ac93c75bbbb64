#include "app/render/label.h"

#include <algorithm>
#include <string_view>

#include "data/unicode.h"

namespace softalign {
namespace {

constexpr std::string_view kWordStart = "▁";
constexpr std::string_view kEosToken = "</s>";

bool starts_word(std::string_view token) {
  return token.substr(0, kWordStart.size()) == kWordStart;
}

bool is_special(std::string_view token) {
  return token == "<unk>" || token == "<s>" || token == "<pad>";
}

bool has_cjk(std::string_view token) {
  const auto points = code_points(repair_utf8(token));
  return std::any_of(points.begin(), points.end(), is_cjk);
}

bool is_direction_mark(char32_t c) {
  return c == 0x200E || c == 0x200F || c == 0x061C || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F); }

/// A first character that needs no mark to be seen as the middle of a word.
bool is_punctuation(char32_t c) {
  if (c < 0x80) return !((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
  return c == 0xAB || c == 0xB7 || c == 0xBB || c == 0x60C || c == 0x61B || c == 0x61F ||
         (c >= 0x2010 && c <= 0x2044) || (c >= 0x3000 && c <= 0x303F);
}

/// The token without ▁ and without characters that a reader can't see.
std::string visible_text(std::string_view token) {
  std::string text;
  for (const char32_t c : code_points(repair_utf8(token))) {
    if (is_direction_mark(c)) continue;
    text += is_control(c) ? "\uFFFD" : c == U'▁' ? " " : to_utf8(c);
  }
  return text;
}

Label make_label(std::string text, bool faint) {
  Label label{std::move(text), 0, faint, false};
  label.width = display_width(label.text);
  label.right_to_left = is_right_to_left(label.text);
  return label;
}

}  // namespace

std::vector<Label> labels_of(const std::vector<std::string>& tokens, bool words) {
  std::vector<Label> labels;
  bool in_word = false;  // a piece came before that this one may go on with
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::string& token = tokens[i];
    if (i + 1 == tokens.size() && token == kEosToken) {
      labels.push_back(make_label("⏎", true));
    } else if (token == kWordStart) {
      labels.push_back(make_label("␣", true));
      in_word = false;
    } else {
      const bool begins = words || starts_word(token);
      const std::string text =
          visible_text(begins && !words ? std::string_view(token).substr(kWordStart.size())
                                        : std::string_view(token));
      const auto points = code_points(text);
      const bool marked = !begins && in_word && !points.empty() && !has_cjk(token) &&
                          !is_punctuation(points.front()) && !is_special(token);
      labels.push_back(make_label((marked ? "·" : "") + text, is_special(token)));
      in_word = !has_cjk(token);
    }
  }
  return labels;
}

std::vector<std::string> label_texts(const std::vector<std::string>& tokens, bool words) {
  std::vector<std::string> texts;
  for (Label& label : labels_of(tokens, words)) texts.push_back(std::move(label.text));
  return texts;
}

Label shortened(const Label& label, int64_t width) {
  if (label.width <= width) return label;
  std::string text;
  for (const char32_t c : code_points(label.text)) {
    const std::string longer = text + to_utf8(c);
    if (display_width(longer) > width - 1) break;
    text = longer;
  }
  return make_label(text + "…", label.faint);
}

std::vector<int64_t> words_of_tokens(const std::vector<std::string>& tokens) {
  const size_t count = tokens.size() - (!tokens.empty() && tokens.back() == kEosToken ? 1 : 0);
  std::vector<int64_t> words;
  bool joins_next = false;  // a bare ▁, or a piece that the next may go on with
  for (size_t i = 0; i < count; ++i) {
    const bool bare = tokens[i] == kWordStart, cjk = has_cjk(tokens[i]);
    const bool after_bare = i > 0 && tokens[i - 1] == kWordStart;
    const bool begins =
        starts_word(tokens[i]) || (cjk && !after_bare) || !joins_next || is_special(tokens[i]);
    words.push_back(words.empty() ? 0 : words.back() + (begins ? 1 : 0));
    joins_next = bare || !cjk;
  }
  return words;
}

}  // namespace softalign
