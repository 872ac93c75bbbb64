#include "model/loss.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

namespace softalign {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of logits that exist at one time: 512 × 8,000 floats are 16 MB.
constexpr int64_t kChunk = 512;

/// With p = softmax(z) and q = (1−ε)·onehot(y) + ε/V the loss of a token is −Σ q log p and its
/// gradient by the logits is p − q, so the gradients of states, weight and bias can be had while
/// the logits are at hand, and nothing of size [tokens, vocabulary] is kept for the backward pass.
class OutputLossFunction : public torch::autograd::Function<OutputLossFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& states, const Tensor& weight,
                               const Tensor& bias, const Tensor& targets, double smoothing,
                               bool with_gradient) {
    const int64_t tokens = states.size(0), vocabulary = weight.size(0);
    const Tensor loss = at::zeros({}, states.options().dtype(at::kDouble));
    const Tensor nll = at::zeros_like(loss);
    const Tensor correct = at::zeros({}, targets.options());
    Tensor d_states, d_weight, d_bias;
    if (with_gradient) {
      d_states = at::empty_like(states);
      d_weight = at::zeros_like(weight);
      d_bias = at::zeros_like(bias);
    }
    for (int64_t first = 0; first < tokens; first += kChunk) {
      const int64_t count = std::min(kChunk, tokens - first);
      const Tensor s = states.narrow(0, first, count);                // [chunk, state]
      const Tensor y = targets.narrow(0, first, count).unsqueeze(1);  // [chunk, 1]
      const Tensor logits = at::addmm(bias, s, weight.t());
      correct.add_(logits.argmax(1).eq(y.squeeze(1)).sum());
      Tensor log_p = logits.log_softmax(1);  // [chunk, vocabulary]
      const Tensor chunk_nll = log_p.gather(1, y).sum().neg().to(at::kDouble);
      nll.add_(chunk_nll);
      loss.add_(chunk_nll, 1.0 - smoothing);
      if (smoothing > 0.0)
        loss.add_(log_p.sum().to(at::kDouble), -smoothing / static_cast<double>(vocabulary));
      if (!with_gradient) continue;
      const Tensor d_logits = log_p.exp_();  // p
      if (smoothing > 0.0) d_logits.sub_(smoothing / static_cast<double>(vocabulary));
      d_logits.scatter_add_(1, y, at::full_like(y, -(1.0 - smoothing), d_logits.options()));
      auto chunk_states = d_states.narrow(0, first, count);
      at::mm_out(chunk_states, d_logits, weight);
      d_weight.addmm_(d_logits.t(), s);
      d_bias.add_(d_logits.sum(0));
    }
    if (with_gradient) ctx->save_for_backward({d_states, d_weight, d_bias});
    const Tensor total = loss.to(states.scalar_type());
    ctx->mark_non_differentiable({nll, correct});
    return {total, nll, correct};
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor& scale = gradients[0];
    return {saved[0] * scale, saved[1] * scale, saved[2] * scale, {}, {}, {}};
  }
};

}  // namespace

OutputLoss output_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                       const Tensor& targets, double smoothing) {
  TORCH_CHECK(states.dim() == 2 && weight.dim() == 2 && states.size(1) == weight.size(1),
              "output layer: states ", states.sizes(), " and weight ", weight.sizes());
  const bool with_gradient = at::GradMode::is_enabled();
  const auto output =
      OutputLossFunction::apply(states, weight, bias, targets, smoothing, with_gradient);
  return {output[0], output[1], output[2]};
}

Tensor guided_alignment_loss(const Tensor& weights, const Tensor& alignment) {
  // A weight of 0 (a window beside the link) has a large but finite loss and gradient.
  constexpr double kSmallest = 1e-6;
  return (alignment * weights.clamp_min(kSmallest).log()).sum().neg();
}

}  // namespace softalign
