#pragma once

#include <ATen/core/Generator.h>

#include <cstdint>

#include "model/attention/scores.h"

namespace softalign {

/// A softmax over the scores of random queries and keys, whose components are independent N(0, 1).
struct Saturation {
  int64_t d = 0;
  double score_variance = 0;
  double entropy = 0;         // of α, in nats; log n where it is uniform
  double largest_weight = 0;  // 1/n … 1
  double jacobian_norm = 0;   // ‖diag(α) − ααᵀ‖, Frobenius
  double saturated = 0;       // share of rows with a weight beyond kSaturated
  double gradient = 0;  // root mean square of ∂L/∂e for ∂L/∂α ~ N(0, 1), by autograd,
                        // divided by the same for uniform weights
};
/// Means over `trials` rows of `positions` keys each.
Saturation measure_saturation(ScoreImpl& score, int64_t d, int64_t positions, int64_t trials,
                              at::Generator random);

}  // namespace softalign
