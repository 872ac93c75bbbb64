#include "data/segmentation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "data/sampler.h"
#include "data/unicode.h"

namespace softalign {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// Byte offsets at which characters start, and the text's end.
std::vector<size_t> character_borders(std::string_view text) {
  std::vector<size_t> borders;
  for (size_t i = 0; i < text.size(); ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) borders.push_back(i);
  }
  borders.push_back(text.size());
  return borders;
}

/// log(eᵃ + eᵇ)
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kImpossible ? a : a + std::log1p(std::exp(b - a));
}

void append_id(std::vector<int64_t>& ids, int64_t id, int64_t unknown_id) {
  if (id != unknown_id || ids.empty() || ids.back() != unknown_id) ids.push_back(id);
}

/// A piece that may end at some character.
struct Edge {
  size_t begin = 0;  // character where it starts
  int64_t id = 0;
  double score = 0;  // alpha · log p(piece)
};

/// edges[j]: all pieces that end before character j.
std::vector<std::vector<Edge>> lattice(const PieceTable& table, std::string_view text,
                                       const std::vector<size_t>& borders, double alpha) {
  const size_t size = borders.size() - 1;
  std::vector<std::vector<Edge>> edges(size + 1);
  for (size_t begin = 0; begin < size; ++begin) {
    for (size_t end = begin + 1; end <= size; ++end) {
      const auto [piece, is_prefix] =
          table.find(text.substr(borders[begin], borders[end] - borders[begin]));
      if (piece) {
        edges[end].push_back({begin, piece->id, alpha * piece->score});
      } else if (end == begin + 1) {
        edges[end].push_back({begin, table.unknown_id, alpha * table.unknown_score});
      }
      if (!is_prefix) break;
    }
  }
  return edges;
}

/// A part of the text during BPE; neighbours are linked by index.
struct Symbol {
  size_t begin = 0, size = 0;  // in bytes; a size of 0 marks one that was merged into its left
  ptrdiff_t previous = -1, next = -1;
};

struct Merge {
  double score = 0;
  ptrdiff_t left = 0, right = 0;
  size_t size = 0;  // of both together; another size says that one of them has changed since

  // The best score first; of equal ones the leftmost.
  bool operator<(const Merge& o) const {
    return score < o.score || (score == o.score && left > o.left);
  }
};

class BpeMerger {
 public:
  BpeMerger(const PieceTable& table, std::string_view text) : table_(table), text_(text) {
    const std::vector<size_t> borders = character_borders(text);
    const auto count = static_cast<ptrdiff_t>(borders.size()) - 1;
    for (ptrdiff_t i = 0; i < count; ++i) {
      const auto k = static_cast<size_t>(i);
      symbols_.push_back(
          {borders[k], borders[k + 1] - borders[k], i - 1, i + 1 < count ? i + 1 : -1});
    }
    for (ptrdiff_t i = 1; i < count; ++i) propose(i - 1, i);
  }

  void run(double dropout, std::mt19937_64& random) {
    while (!merges_.empty()) {
      const Merge merge = merges_.top();
      merges_.pop();
      Symbol& left = symbol(merge.left);
      Symbol& right = symbol(merge.right);
      const bool outdated =
          left.size == 0 || right.size == 0 || left.size + right.size != merge.size;
      if (outdated || (dropout > 0 && uniform_real(random) < dropout)) continue;
      left.size = merge.size;
      right.size = 0;
      left.next = right.next;
      if (left.next >= 0) symbol(left.next).previous = merge.left;
      propose(left.previous, merge.left);
      propose(merge.left, left.next);
    }
  }

  std::vector<int64_t> ids() const {
    std::vector<int64_t> ids;
    for (const Symbol& part : symbols_) {
      if (part.size == 0) continue;
      const PieceTable::Entry* const entry = table_.find(text_.substr(part.begin, part.size)).piece;
      append_id(ids, entry ? entry->id : table_.unknown_id, table_.unknown_id);
    }
    return ids;
  }

 private:
  Symbol& symbol(ptrdiff_t i) { return symbols_[static_cast<size_t>(i)]; }

  void propose(ptrdiff_t left, ptrdiff_t right) {
    if (left < 0 || right < 0) return;
    const size_t size = symbol(left).size + symbol(right).size;
    const PieceTable::Entry* const entry =
        table_.find(text_.substr(symbol(left).begin, size)).piece;
    if (entry) merges_.push({entry->score, left, right, size});
  }

  const PieceTable& table_;
  std::string_view text_;
  std::vector<Symbol> symbols_;
  std::priority_queue<Merge> merges_;
};

}  // namespace

void PieceTable::add(const std::string& piece, Entry entry) {
  const std::string_view text = texts_.emplace_back(piece);
  for (const size_t end : character_borders(text)) {
    if (end > 0) entries_.emplace(text.substr(0, end), Entry{kPrefixOnly, 0});
  }
  entries_[text] = entry;
}

PieceTable::Found PieceTable::find(std::string_view text) const {
  const auto found = entries_.find(text);
  if (found == entries_.end()) return {};
  return {found->second.id == kPrefixOnly ? nullptr : &found->second, true};
}

std::vector<int64_t> sample_unigram(const PieceTable& table, std::string_view text, double alpha,
                                    std::mt19937_64& random) {
  const std::vector<size_t> borders = character_borders(text);
  const size_t size = borders.size() - 1;
  const auto edges = lattice(table, text, borders, alpha);

  // forward[j]: log of the summed weights of all segmentations of the first j characters.
  std::vector<double> forward(size + 1, kImpossible);
  forward[0] = 0;
  for (size_t j = 1; j <= size; ++j) {
    for (const Edge& edge : edges[j]) {
      forward[j] = log_add(forward[j], forward[edge.begin] + edge.score);
    }
  }
  std::vector<int64_t> reversed;
  for (size_t j = size; j > 0;) {
    double rest = uniform_real(random);
    const Edge* chosen = &edges[j].back();  // also where rounding leaves a rest
    for (const Edge& edge : edges[j]) {
      rest -= std::exp(forward[edge.begin] + edge.score - forward[j]);
      if (rest < 0) {
        chosen = &edge;
        break;
      }
    }
    append_id(reversed, chosen->id, table.unknown_id);
    j = chosen->begin;
  }
  std::reverse(reversed.begin(), reversed.end());
  return reversed;
}

std::vector<int64_t> sample_bpe(const PieceTable& table, std::string_view text, double dropout,
                                std::mt19937_64& random) {
  BpeMerger merger(table, text);
  merger.run(dropout, random);
  return merger.ids();
}

}  // namespace softalign
