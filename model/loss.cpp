#include "model/loss.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <vector>

#include "model/kernels/product.h"
#include "model/kernels/softmax_loss.h"

namespace softalign {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// Rows of logits that exist at one time: 512 × 8,000 floats are 16 MB.
constexpr int64_t kChunk = 512;

// The specification: plain operations, whose gradient is LibTorch's.
OutputLoss plain_output_loss(const Tensor& states, const Tensor& weight, const Tensor& bias,
                             const Tensor& targets, double smoothing) {
  const Tensor log_p = at::linear(states, weight, bias).log_softmax(1);  // [tokens, vocabulary]
  const Tensor nll = log_p.gather(1, targets.unsqueeze(1)).sum().neg();
  Tensor loss = (1.0 - smoothing) * nll;
  if (smoothing > 0.0) loss = loss - log_p.sum() * (smoothing / static_cast<double>(log_p.size(1)));
  return {loss, nll.detach().to(at::kDouble), log_p.argmax(1).eq(targets).sum()};
}

struct Sums {
  double loss = 0.0, negative_log_likelihood = 0.0;
  int64_t correct = 0;
};

/// Adds the losses of the rows of logits z [chunk, vocabulary] with the words y [chunk] to `sums`;
/// with `gradient`, that by the logits, p − q, takes the place of z.
void softmax_losses(const Tensor& z, const Tensor& words, double smoothing, bool gradient,
                    Sums& sums) {
  const int64_t count = z.size(0), vocabulary = z.size(1);
  std::vector<TokenLoss> losses(static_cast<size_t>(count));
  float* const rows = z.data_ptr<float>();
  const int64_t* const y = words.data_ptr<int64_t>();
  at::parallel_for(0, count, 16, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row)
      losses[static_cast<size_t>(row)] =
          softmax_loss(rows + row * vocabulary, vocabulary, y[row], smoothing, gradient);
  });
  for (const TokenLoss& token : losses) {
    sums.loss += token.loss;
    sums.negative_log_likelihood += token.negative_log_likelihood;
    sums.correct += token.correct;
  }
}

/// With p = softmax(z) and q = (1−ε)·onehot(y) + ε/V the loss of a token is −Σ q log p and its
/// gradient by the logits is p − q, so the gradients of states, weight and bias can be had while
/// the logits are at hand, and nothing of size [tokens, vocabulary] is kept for the backward pass.
class OutputLossFunction : public torch::autograd::Function<OutputLossFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& states, const Tensor& weight,
                               const Tensor& bias, const Tensor& targets, double smoothing,
                               bool with_gradient) {
    const int64_t tokens = states.size(0);
    Sums sums;
    Tensor d_states, d_weight, d_bias;
    if (with_gradient) {
      d_states = at::empty_like(states);
      d_weight = at::zeros_like(weight);
      d_bias = at::zeros_like(bias);
    }
    for (int64_t first = 0; first < tokens; first += kChunk) {
      const int64_t count = std::min(kChunk, tokens - first);
      const Tensor s = states.narrow(0, first, count);   // [chunk, state]
      const Tensor y = targets.narrow(0, first, count);  // [chunk]
      const Tensor logits = rows_of(bias, count);
      multiply(logits, s, weight.t(), 1.0f);
      softmax_losses(logits, y, smoothing, with_gradient, sums);
      if (!with_gradient) continue;
      const Tensor& d_logits = logits;
      multiply(d_states.narrow(0, first, count), d_logits, weight);
      multiply(d_weight, d_logits.t(), s, 1.0f);
      d_bias.add_(d_logits.sum(0));
    }
    if (with_gradient) ctx->save_for_backward({d_states, d_weight, d_bias});
    const Tensor total = at::scalar_tensor(sums.loss, states.options());
    const Tensor nll = at::scalar_tensor(sums.negative_log_likelihood, at::kDouble);
    const Tensor correct = at::scalar_tensor(sums.correct, at::kLong);
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
                       const Tensor& targets, double smoothing, Kernels kernels) {
  TORCH_CHECK(states.dim() == 2 && weight.dim() == 2 && states.size(1) == weight.size(1),
              "output layer: states ", states.sizes(), " and weight ", weight.sizes());
  if (kernels == Kernels::reference || !states.device().is_cpu() ||
      states.scalar_type() != at::kFloat)
    return plain_output_loss(states, weight, bias, targets, smoothing);
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
