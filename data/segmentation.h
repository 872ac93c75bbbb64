#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace softalign {

/// The pieces of a subword model that text can be cut into, by their text.
class PieceTable {
 public:
  PieceTable() = default;
  PieceTable(PieceTable&&) = default;
  PieceTable& operator=(PieceTable&&) = default;

  struct Entry {
    int64_t id = 0;
    double score = 0;  // unigram: log-probability; BPE: the higher, the earlier it is merged
  };
  /// What the table knows of a text.
  struct Found {
    const Entry* piece = nullptr;  // if it is a piece
    bool is_prefix = false;        // if a piece starts with it
  };

  void add(const std::string& piece, Entry entry);
  Found find(std::string_view text) const;

  int64_t unknown_id = 0;
  double unknown_score = 0;  // unigram: log-probability of a character that no piece covers

 private:
  static constexpr int64_t kPrefixOnly = -1;
  std::deque<std::string> texts_;  // what the keys view
  std::unordered_map<std::string_view, Entry> entries_;
};

/// Draws a segmentation of `text` with p(segmentation) ∝ (Π p(piece))^alpha over all that the
/// unigram table allows (subword regularisation with l = ∞; Kudo 2018, §3.2, eq. 7), by forward
/// filtering and backward sampling (Scott 2002). Neighbouring unknown characters become one id.
std::vector<int64_t> sample_unigram(const PieceTable& table, std::string_view text, double alpha,
                                    std::mt19937_64& random);

/// BPE that leaves out each merge with probability `dropout` (Provilkov et al. 2020): 0 is BPE.
std::vector<int64_t> sample_bpe(const PieceTable& table, std::string_view text, double dropout,
                                std::mt19937_64& random);

}  // namespace softalign
