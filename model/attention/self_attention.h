#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "model/config.h"

namespace softalign {

using at::Tensor;

/// softmax(Q Kᵀ / √d_k) V over the encoder's states, added to them:
/// H + W_O [head_1 ; … ; head_n].  Vaswani et al. 2017, §3.2.
class SelfAttentionImpl : public torch::nn::Module {
 public:
  SelfAttentionImpl(int64_t hidden, int64_t heads);

  struct Output {
    Tensor states;   // [batch, source, hidden], zeros on padding
    Tensor weights;  // [batch, heads, source, source]
  };
  /// states [batch, source, hidden], mask [batch, source].
  Output forward(const Tensor& states, const Tensor& mask);

 private:
  int64_t heads_;
  torch::nn::Linear W_Q_, W_K_, W_V_, W_O_;
};
TORCH_MODULE(SelfAttention);

}  // namespace softalign
