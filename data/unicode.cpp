#include "data/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "data/error.h"

namespace softalign {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

/// A sequence at the start of a text: its bytes, and whether they are well formed. Of ill-formed
/// text, `size` is the maximal subpart that one U+FFFD replaces.
struct Sequence {
  size_t size = 1;
  bool well_formed = false;
  char32_t code_point = kReplacement;
};

/// Unicode, table 3-7: the second byte's range depends on the first byte.
Sequence first_sequence(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {1, true, first};
  if (first < 0xC2 || first > 0xF4) return {};
  const size_t size = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  const unsigned char low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned char high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  char32_t code_point = first & (0xFFu >> (size + 1));
  for (size_t i = 1; i < size; ++i) {
    const bool fits =
        i < text.size() && byte(i) >= (i == 1 ? low : 0x80) && byte(i) <= (i == 1 ? high : 0xBF);
    if (!fits) return {i, false, kReplacement};
    code_point = code_point << 6 | (byte(i) & 0x3Fu);
  }
  return {size, true, code_point};
}

struct Range {
  char32_t first, last;
};

template <size_t n>
bool is_in(char32_t c, const std::array<Range, n>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return range.first <= c && c <= range.last; });
}

// Becomes a space: everything that a reader sees as white space. Line ends are here because only
// '\n' ends a line of a file.
constexpr std::array<Range, 9> kSpaces = {{{0x09, 0x0D},        // tab … carriage return
                                           {0x85, 0x85},        // next line
                                           {0xA0, 0xA0},        // no-break space
                                           {0x1680, 0x1680},    // Ogham space
                                           {0x2000, 0x200A},    // en quad … hair space
                                           {0x2028, 0x2029},    // line and paragraph separator
                                           {0x202F, 0x202F},    // narrow no-break space
                                           {0x205F, 0x205F},    // mathematical space
                                           {0x3000, 0x3000}}};  // ideographic space

// Dropped: what nobody sees and what would make another word of a known one. The zero-width joiner
// and non-joiner (U+200C, U+200D) carry meaning and stay.
constexpr std::array<Range, 11> kDropped = {{{0x01, 0x08},  // control characters
                                             {0x0E, 0x1F},
                                             {0x7F, 0x84},
                                             {0x86, 0x9F},
                                             {0xAD, 0xAD},      // soft hyphen
                                             {0x61C, 0x61C},    // marks of writing direction
                                             {0x200B, 0x200B},  // zero-width space
                                             {0x200E, 0x200F},  // marks of writing direction
                                             {0x202A, 0x202E},
                                             {0x2060, 0x206F},    // word joiner, invisible signs
                                             {0xFEFF, 0xFEFF}}};  // byte-order mark

constexpr std::array<Range, 10> kHanAndKana = {{{0x2E80, 0x2FDF},      // radicals
                                                {0x2FF0, 0x303F},      // description, punctuation
                                                {0x3040, 0x312F},      // Hiragana … Bopomofo
                                                {0x3190, 0x33FF},      // Kanbun … compatibility
                                                {0x3400, 0x4DBF},      // Han, extension A
                                                {0x4E00, 0x9FFF},      // Han
                                                {0xF900, 0xFAFF},      // Han, compatibility
                                                {0xFE30, 0xFE4F},      // vertical punctuation
                                                {0xFF00, 0xFF9F},      // full- and half-width forms
                                                {0x1AFF0, 0x1B16F}}};  // Kana supplements
constexpr std::array<Range, 5> kHangul = {
    {{0x1100, 0x11FF}, {0x3130, 0x318F}, {0xA960, 0xA97F}, {0xAC00, 0xD7FF}, {0xFFA0, 0xFFDC}}};
constexpr std::array<Range, 1> kHanSupplement = {{{0x20000, 0x3FFFD}}};
constexpr std::array<Range, 4> kSoutheastAsian = {{{0x0E00, 0x0EFF},    // Thai, Lao
                                                   {0x1000, 0x109F},    // Myanmar
                                                   {0x1780, 0x17FF},    // Khmer
                                                   {0x1950, 0x19FF}}};  // Tai Le … Khmer symbols

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void append_utf8(std::string& text, char32_t c) {
  std::array<utf8proc_uint8_t, 4> bytes{};
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes.data());
  text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(size));
}

/// Calls visit(code point) for each; ill-formed sequences are U+FFFD.
template <typename Visitor>
void for_each_code_point(std::string_view text, const Visitor& visit) {
  while (!text.empty()) {
    const Sequence sequence = first_sequence(text);
    visit(sequence.code_point);
    text.remove_prefix(sequence.size);
  }
}

std::string to_nfc(const std::string& text) {
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &composed,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(composed, &std::free);
  if (size < 0) throw Error("normalising text failed: " + std::string(utf8proc_errmsg(size)), 1);
  return {reinterpret_cast<const char*>(composed), static_cast<size_t>(size)};
}

}  // namespace

std::optional<size_t> find_invalid_utf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    const Sequence sequence = first_sequence(text.substr(i));
    if (!sequence.well_formed) return i;
    i += sequence.size;
  }
  return std::nullopt;
}

std::string repair_utf8(std::string_view text) {
  std::string repaired;
  repaired.reserve(text.size());
  for_each_code_point(text, [&repaired](char32_t c) { append_utf8(repaired, c); });
  return repaired;
}

std::string clean_text(std::string_view text) {
  std::string cleaned;
  cleaned.reserve(text.size());
  for_each_code_point(text, [&cleaned](char32_t c) {
    if (c == 0) {
      append_utf8(cleaned, kReplacement);
    } else if (is_in(c, kSpaces)) {
      cleaned += ' ';
    } else if (!is_in(c, kDropped)) {
      append_utf8(cleaned, c);
    }
  });
  return is_ascii(cleaned) ? cleaned : to_nfc(cleaned);
}

std::vector<char32_t> code_points(std::string_view text) {
  std::vector<char32_t> points;
  for_each_code_point(text, [&points](char32_t c) { points.push_back(c); });
  return points;
}

std::string to_utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

int64_t display_width(std::string_view text) {
  int64_t width = 0;
  for_each_code_point(text, [&width](char32_t c) {
    width += utf8proc_charwidth(static_cast<utf8proc_int32_t>(c));
  });
  return width;
}

bool is_right_to_left(std::string_view text) {
  bool found = false;
  for_each_code_point(text, [&found](char32_t c) {
    const auto bidi = utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->bidi_class;
    found = found || bidi == UTF8PROC_BIDI_CLASS_R || bidi == UTF8PROC_BIDI_CLASS_AL;
  });
  return found;
}

bool is_cjk(char32_t code_point) {
  return is_in(code_point, kHanAndKana) || is_in(code_point, kHangul) ||
         is_in(code_point, kHanSupplement);
}

bool is_written_without_spaces(char32_t code_point) {
  return is_in(code_point, kHanAndKana) || is_in(code_point, kHanSupplement) ||
         is_in(code_point, kSoutheastAsian);
}

std::string lower_case(std::string_view text) {
  std::string lower;
  lower.reserve(text.size());
  for_each_code_point(text, [&lower](char32_t c) {
    const auto mapped = utf8proc_tolower(static_cast<utf8proc_int32_t>(c));
    append_utf8(lower, static_cast<char32_t>(mapped));
  });
  return lower;
}

std::vector<std::string_view> split_words(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\n\v\f\r";
  std::vector<std::string_view> words;
  for (size_t begin = text.find_first_not_of(kWhiteSpace); begin != std::string_view::npos;) {
    const size_t end = std::min(text.find_first_of(kWhiteSpace, begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = text.find_first_not_of(kWhiteSpace, end);
  }
  return words;
}

}  // namespace softalign
