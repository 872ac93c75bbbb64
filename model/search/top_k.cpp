#include "model/search/top_k.h"

#include <algorithm>
#include <limits>

namespace softalign {

std::vector<Choice> top_k(const float* log_probs, int64_t vocabulary, int64_t k) {
  const auto size = static_cast<size_t>(std::min(k, vocabulary));
  std::vector<Choice> best;
  best.reserve(size + 1);
  float threshold = -std::numeric_limits<float>::infinity();
  for (int64_t token = 0; token < vocabulary; ++token) {
    const float value = log_probs[token];
    if (!(value > threshold)) continue;
    const auto place = std::upper_bound(best.begin(), best.end(), value,
                                        [](float a, const Choice& b) { return a > b.log_prob; });
    best.insert(place, {value, token});
    if (best.size() > size) best.pop_back();
    if (best.size() == size) threshold = best.back().log_prob;
  }
  return best;
}

}  // namespace softalign
