#pragma once

#include <ATen/core/Tensor.h>

#include "model/config.h"

namespace softalign {

using at::Tensor;

/// Cross-entropy of the output layer with label smoothing (Szegedy et al. 2016), summed over
/// tokens. Fast for float32 on a CPU: the gradient is computed with the value, in chunks, so that
/// logits are never kept.
struct OutputLoss {
  Tensor loss;                     // Σ −Σ_v q(v) log p(v), q = (1−ε)·onehot + ε/V; scalar
  Tensor negative_log_likelihood;  // Σ −log p(y), detached; scalar
  Tensor correct;                  // number of tokens where y has the largest p; int64 scalar
};
/// states [tokens, state], weight [vocabulary, state], bias [vocabulary],
/// targets [tokens] int64, smoothing in [0, 1).
OutputLoss output_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                       const Tensor& targets, double smoothing, Kernels kernels = Kernels::fast);

/// −Σ_ti A_ti log α_ti over target steps that have gold links (Chen et al. 2016, guided
/// alignment): weights and alignment [batch, target, source]. Scalar, summed.
Tensor guided_alignment_loss(const Tensor& weights, const Tensor& alignment);

}  // namespace softalign
