#pragma once

#include <cstdint>
#include <vector>

namespace softalign {

/// One output. `attention` has one row per token (EOS included), one column per source token.
struct Hypothesis {
  std::vector<int64_t> tokens;  // ends with EOS if finished
  double log_prob = 0;          // Σ log p(y_t), EOS included
  double score = 0;             // log_prob with the penalties: what ranks
  bool finished = false;        // false: cut at the length limit
  std::vector<std::vector<float>> attention;
};

/// The order of n-best lists: finished before unfinished, then by score.
inline bool ranks_before(const Hypothesis& a, const Hypothesis& b) {
  return a.finished != b.finished ? a.finished : a.score > b.score;
}

}  // namespace softalign
