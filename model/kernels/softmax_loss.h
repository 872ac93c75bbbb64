#pragma once

#include <cstdint>

namespace softalign {

/// Softmax, label smoothing and cross-entropy of one token, on its logits z [vocabulary].
struct TokenLoss {
  double loss;                     // −Σ_v q(v) log p(v), q = (1−ε)·onehot(y) + ε/V
  double negative_log_likelihood;  // −log p(y)
  bool correct;                    // no other word has a larger p
};

/// With `gradient`, z becomes the gradient of the loss by the logits, p − q; else it is left
/// undefined.
TokenLoss softmax_loss(float* z, int64_t vocabulary, int64_t y, double smoothing, bool gradient);

}  // namespace softalign
