#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// Byte offset of the first ill-formed UTF-8 sequence (surrogates and overlong forms are
/// ill-formed), or nothing if `text` is well formed.
std::optional<size_t> find_invalid_utf8(std::string_view text);

/// Well-formed UTF-8: each maximal ill-formed sequence becomes U+FFFD (Unicode, §3.9).
std::string repair_utf8(std::string_view text);

/// The text policy's first step on every line, of either language, everywhere: U+FFFD for
/// ill-formed bytes and for NUL, then NFC. White space of every kind (tabs, no-break and
/// ideographic spaces, U+2028, …) becomes a space. Other control characters, zero-width spaces
/// (U+200B), word joiners, soft hyphens, direction marks and byte-order marks inside the line are
/// dropped; ZWJ and ZWNJ stay. Idempotent.
std::string clean_text(std::string_view text);

/// Code points of well-formed UTF-8.
std::vector<char32_t> code_points(std::string_view text);
std::string to_utf8(char32_t code_point);

/// Columns of a terminal that `text` takes: 2 for wide East Asian characters and emoji, 0 for
/// combining marks, 1 otherwise.
int64_t display_width(std::string_view text);

/// True if the text has a character of a right-to-left script (Unicode bidi classes R and AL).
bool is_right_to_left(std::string_view text);

/// True for Han, Hiragana, Katakana and Hangul, and their punctuation: scripts in which an
/// unsegmented character counts as a word.
bool is_cjk(char32_t code_point);

/// True for the scripts whose words no space separates: Han, Hiragana, Katakana and their
/// punctuation, Thai, Lao, Khmer, Myanmar. Hangul isn't among them.
bool is_written_without_spaces(char32_t code_point);

/// Lower case by Unicode's simple mapping.
std::string lower_case(std::string_view text);

/// Words between ASCII white space.
std::vector<std::string_view> split_words(std::string_view text);

}  // namespace softalign
