#pragma once

#include <cstdint>
#include <vector>

namespace softalign {

struct Choice {
  float log_prob;
  int64_t token;
};

/// The k largest of `log_probs` [vocabulary], best first; of equal ones the lower token comes
/// first, which at::topk doesn't promise. Fewer than k where fewer are above −∞. NaN is never
/// chosen. One pass; cheap as long as k is small against the vocabulary.
std::vector<Choice> top_k(const float* log_probs, int64_t vocabulary, int64_t k);

}  // namespace softalign
