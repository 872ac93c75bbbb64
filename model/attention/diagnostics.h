#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>

#include "model/attention/attention.h"

namespace softalign {

/// A softmax row is saturated where one weight is beyond this: the largest entry of its Jacobian
/// diag(α) − ααᵀ is then below 0.01, against 0.25 at most.
constexpr double kSaturated = 0.99;

/// −Σ_i α_i log α_i of each row, in nats, with 0 log 0 = 0.  weights [..., source] → [...]
Tensor entropy(const Tensor& weights);

/// ‖diag(α) − ααᵀ‖ (Frobenius) of each row: the softmax's Jacobian ∂α/∂e, whose squared norm is
/// Σ α² − 2 Σ α³ + (Σ α²)².  weights [..., source] → [...]
Tensor softmax_jacobian_norm(const Tensor& weights);

/// Sums over the target tokens of a batch that add up over its parts; `none` has no scores, and all
/// of them are 0.
struct AttentionSums {
  int64_t scores = 0, rows = 0;
  double score = 0, squared_score = 0;                  // over all scores
  double row_variance = 0, entropy = 0, saturated = 0;  // over rows
  double squared_gradient = 0;                          // of the summed loss, over all scores

  AttentionSums& operator+=(const AttentionSums& other);
  double score_variance() const;
};

/// Asks autograd to keep the gradient of the scores; before the backward pass.
void keep_score_gradients(const Attended& attended);

/// After the backward pass (without one the gradient counts as 0). source_lengths and
/// target_lengths [batch] tell tokens from padding. A window isn't looked at: scores outside of it
/// count too.
AttentionSums attention_sums(const Attended& attended, const Tensor& source_lengths,
                             const Tensor& target_lengths);

}  // namespace softalign
