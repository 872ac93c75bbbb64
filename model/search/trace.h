#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/search/hypothesis.h"

namespace softalign {

using at::Tensor;

/// The tree of all tokens chosen in a search: each points back to the one before it and to its row
/// of attention weights, so that nothing is copied when hypotheses move or branch.
class Trace {
 public:
  static constexpr int64_t kRoot = -1;  // before the first token

  /// Weights of the step whose tokens are added next: [rows, source], float, on the host.
  void begin_step(Tensor weights);
  /// Adds `token`, chosen in `row` of the current step after the node `previous`; returns its node.
  int64_t add(int64_t previous, int64_t row, int64_t token);

  /// All tokens up to and including `node`.
  std::vector<int64_t> tokens(int64_t node) const;
  /// Tokens and attention (over the first `source_tokens` positions) up to `node`.
  Hypothesis hypothesis(int64_t node, int64_t source_tokens) const;

 private:
  struct Node {
    int64_t previous, step, row, token;
  };
  std::vector<Node> nodes_;
  std::vector<Tensor> weights_;  // by step
};

}  // namespace softalign
