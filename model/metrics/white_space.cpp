#include "model/metrics/ngrams.h"

namespace softalign {
namespace {

bool is_ascii_space(unsigned char byte) {
  return byte == ' ' || (byte >= 0x09 && byte <= 0x0d) || (byte >= 0x1c && byte <= 0x1f);
}

// Bytes of the white-space character that `text` starts with, 0 if it starts with another one.
size_t white_space_size(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (is_ascii_space(byte(0))) return 1;
  if (byte(0) == 0xc2 && text.size() >= 2) {
    return byte(1) == 0x85 || byte(1) == 0xa0 ? 2 : 0;  // U+0085, U+00A0
  }
  if (text.size() < 3 || byte(0) < 0xe1 || byte(0) > 0xe3) return 0;
  const int code_point = (byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6 | (byte(2) & 0x3f);
  const bool is_space = code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200a) ||
                        code_point == 0x2028 || code_point == 0x2029 || code_point == 0x202f ||
                        code_point == 0x205f || code_point == 0x3000;
  return is_space ? 3 : 0;
}

}  // namespace

std::vector<std::string_view> split_white_space(std::string_view text) {
  std::vector<std::string_view> words;
  size_t start = 0, position = 0;
  const auto end_word = [&] {
    if (position > start) words.push_back(text.substr(start, position - start));
  };
  while (position < text.size()) {
    const size_t space = white_space_size(text.substr(position));
    if (space == 0) {
      ++position;
    } else {
      end_word();
      start = position += space;
    }
  }
  end_word();
  return words;
}

}  // namespace softalign
