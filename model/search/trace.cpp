#include "model/search/trace.h"

#include <algorithm>

namespace softalign {

void Trace::begin_step(Tensor weights) { weights_.push_back(std::move(weights)); }

int64_t Trace::add(int64_t previous, int64_t row, int64_t token) {
  nodes_.push_back({previous, static_cast<int64_t>(weights_.size()) - 1, row, token});
  return static_cast<int64_t>(nodes_.size()) - 1;
}

std::vector<int64_t> Trace::tokens(int64_t node) const {
  std::vector<int64_t> tokens;
  for (; node != kRoot; node = nodes_[static_cast<size_t>(node)].previous)
    tokens.push_back(nodes_[static_cast<size_t>(node)].token);
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

Hypothesis Trace::hypothesis(int64_t node, int64_t source_tokens) const {
  Hypothesis result;
  result.tokens = tokens(node);
  for (; node != kRoot; node = nodes_[static_cast<size_t>(node)].previous) {
    const Node& at = nodes_[static_cast<size_t>(node)];
    const Tensor& weights = weights_[static_cast<size_t>(at.step)];
    const float* row = weights.data_ptr<float>() + at.row * weights.size(1);
    result.attention.emplace_back(row, row + source_tokens);
  }
  std::reverse(result.attention.begin(), result.attention.end());
  return result;
}

}  // namespace softalign
