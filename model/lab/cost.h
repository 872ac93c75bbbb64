#pragma once

#include <cstdint>

#include "model/config.h"
#include "model/lab/resources.h"

namespace softalign {

/// What one score asks for: batch sentences, each of `source` positions and `target` steps, states
/// of width d on both sides.
struct ScoreCost {
  int64_t parameters = 0;
  double flops = 0;          // of the forward pass: a multiplication and an addition are two
  Resources forward, whole;  // whole: forward and backward
};

/// Multiplications and additions of keys and scores, tanh counted as one each:
///   dot, scaled_dot    2 n m d                 (+ m d)
///   general            2 n d² + 2 n m d
///   additive, concat   2 n d² + 2 m d² + n m (d + d + 2 d)
/// for n source positions and m steps.
double score_flops(ScoreKind kind, int64_t d, int64_t source, int64_t target);

/// Measured with the program's own score on random states, for about so many seconds each.
ScoreCost measure_score(ScoreKind kind, int64_t d, int64_t batch, int64_t source, int64_t target,
                        double seconds);

/// Time and memory of softmax(QKᵀ/√d)V over n states, forward and backward.
struct SelfAttentionCost {
  int64_t n = 0, d = 0;
  Resources resources;
};
SelfAttentionCost measure_self_attention(int64_t n, int64_t d, double seconds);

}  // namespace softalign
