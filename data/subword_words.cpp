#include <algorithm>

#include "data/subword.h"
#include "data/unicode.h"

namespace softalign {
namespace {

/// Characters in a row, each with the index of what it belongs to.
struct Labelled {
  std::u32string characters;
  std::vector<int64_t> labels;

  void add(std::string_view text, int64_t label) {
    for (const char32_t c : code_points(text)) {
      if (c == U' ') continue;
      characters += c;
      labels.push_back(label);
    }
  }
};

/// For each character of `from` the position in `to` that it stands for. Equal texts give
/// 0, 1, 2, …; where they differ (normalising a word alone and in its sentence can), the shortest
/// way to the next equal characters is skipped on both sides.
std::vector<size_t> match(const std::u32string& from, const std::u32string& to) {
  constexpr size_t kReach = 16;  // characters looked ahead
  std::vector<size_t> positions;
  size_t j = 0;
  while (positions.size() < from.size()) {
    const size_t i = positions.size();
    size_t skip_from = 0, skip_to = 0;
    for (size_t skipped = 0; skipped <= kReach; ++skipped) {
      bool found = false;
      for (size_t k = 0; k <= skipped && !found; ++k) {
        const size_t a = i + k, b = j + skipped - k;
        found = a < from.size() && b < to.size() && from[a] == to[b];
        if (found) skip_from = k, skip_to = skipped - k;
      }
      if (found) break;
    }
    for (size_t k = 0; k < skip_from; ++k) positions.push_back(std::min(j + k, to.size() - 1));
    j += skip_to;
    positions.push_back(std::min(j, to.size() - 1));
    ++j;
  }
  return positions;
}

}  // namespace

std::vector<int64_t> Subword::words_of_pieces(const std::vector<Piece>& pieces,
                                              std::string_view tokenised) const {
  Labelled text;
  for (size_t i = 0; i < pieces.size(); ++i) {
    text.add(pieces[i].surface, static_cast<int64_t>(i));
  }
  const std::vector<std::string_view> words = split_words(tokenised);
  Labelled plain, normalised;
  for (size_t w = 0; w < words.size(); ++w) {
    plain.add(subword_text(words[w]), static_cast<int64_t>(w));
  }
  const bool same = plain.characters == text.characters;
  for (size_t w = 0; w < words.size() && !same; ++w) {
    for (const Piece& piece : encode_pieces(words[w])) {
      normalised.add(piece.surface, static_cast<int64_t>(w));
    }
  }
  const Labelled& to = same ? plain : normalised;
  if (to.characters.empty()) return std::vector<int64_t>(pieces.size(), 0);

  // A piece's word is that of its first character; one without characters (a lone ▁) belongs to
  // what follows it.
  const std::vector<size_t> positions = match(text.characters, to.characters);
  std::vector<int64_t> result(pieces.size(), to.labels.back());
  int64_t word = to.labels.back();
  size_t c = text.characters.size();
  for (size_t i = pieces.size(); i-- > 0;) {
    while (c > 0 && text.labels[c - 1] == static_cast<int64_t>(i)) {
      word = to.labels[positions[--c]];
    }
    result[i] = word;
  }
  for (size_t i = 1; i < result.size(); ++i) result[i] = std::max(result[i], result[i - 1]);
  return result;
}

}  // namespace softalign
