#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace softalign {

/// Size of the intersection of two multisets, Σ min(count in a, count in b): the clipped matches
/// of BLEU and chrF.
template <typename Ngram>
int64_t clipped_matches(std::vector<Ngram> a, std::vector<Ngram> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  int64_t matches = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
    if (*i < *j) {
      ++i;
    } else if (*j < *i) {
      ++j;
    } else {
      ++i, ++j, ++matches;
    }
  }
  return matches;
}

/// Words between white space as Python's str.split() sees it, which is what sacreBLEU counts:
/// Unicode's White_Space and U+001C–U+001F.
std::vector<std::string_view> split_white_space(std::string_view text);

}  // namespace softalign
