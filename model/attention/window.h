#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include "model/config.h"

namespace softalign {

using at::Tensor;

/// Where a step may look: Luong et al. 2015, §3.2, local attention over [p_t − D, p_t + D].
///   monotonic (local-m)   p_t = t, kept inside the sentence
///   predictive (local-p)  p_t = (S − 1) · sigmoid(v_pᵀ tanh(W_p s_t)), and the weights are
///                         multiplied by exp(−(i − p_t)² / 2σ²), σ = D/2
/// The Gaussian is added to the scores as a logarithm, so that weights still sum to 1 (the paper
/// doesn't renormalise). S is each sentence's own length.
class WindowImpl : public torch::nn::Module {
 public:
  WindowImpl(WindowKind kind, int64_t window_size, int64_t query_size);

  struct Bounds {
    Tensor mask;  // true inside window and sentence [batch, target or 1, source]
    Tensor bias;  // added to the scores [batch, target, source]; undefined: nothing
  };
  /// query [batch, target, hidden] for steps first_step…; mask [batch, source]; lengths [batch].
  Bounds forward(const Tensor& query, const Tensor& mask, const Tensor& lengths,
                 int64_t first_step);

 private:
  WindowKind kind_;
  int64_t window_size_;
  torch::nn::Linear W_p_{nullptr}, v_p_{nullptr};
};
TORCH_MODULE(Window);

}  // namespace softalign
