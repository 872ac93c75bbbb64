#include "model/lab/saturation.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

#include "model/attention/attention.h"
#include "model/attention/diagnostics.h"

namespace softalign {
namespace {

constexpr int64_t kNumbersAtOnce = 1 << 22;

/// Σ (∂L/∂e)² for L = Σ gᵢ αᵢ.
double squared_score_gradient(const Tensor& scores, const Tensor& mask, const Tensor& g) {
  const Tensor e = scores.detach().requires_grad_();
  const Tensor weights = masked_softmax(e, mask);
  const Tensor gradient = torch::autograd::grad({weights}, {e}, {g}).front();
  return gradient.to(at::kDouble).square().sum().item<double>();
}

}  // namespace

Saturation measure_saturation(ScoreImpl& score, int64_t d, int64_t positions, int64_t trials,
                              at::Generator random) {
  Saturation result;
  result.d = d;
  double sum = 0, squares = 0, gradient = 0, uniform_gradient = 0;
  const int64_t most = std::max<int64_t>(1, kNumbersAtOnce / (d * positions));
  for (int64_t done = 0; done < trials;) {
    const int64_t rows = std::min(most, trials - done);
    const Tensor query = at::randn({rows, 1, d}, random, at::kFloat);
    const Tensor keys = at::randn({rows, positions, d}, random, at::kFloat);
    const Tensor g = at::randn({rows, 1, positions}, random, at::kFloat);
    const Tensor mask = at::ones({rows, 1, positions}, at::kBool);
    Tensor scores;
    {
      const at::NoGradGuard no_grad;
      scores = score.forward(query, score.keys(keys));  // e  [rows, 1, positions]
      const Tensor weights = masked_softmax(scores, mask).to(at::kDouble);
      const Tensor e = scores.to(at::kDouble);
      const Tensor largest = std::get<0>(weights.max(-1));
      sum += e.sum().item<double>();
      squares += e.square().sum().item<double>();
      result.entropy += entropy(weights).sum().item<double>();
      result.largest_weight += largest.sum().item<double>();
      result.saturated += (largest > kSaturated).sum().item<double>();
      result.jacobian_norm += softmax_jacobian_norm(weights).sum().item<double>();
    }
    gradient += squared_score_gradient(scores, mask, g);
    uniform_gradient += squared_score_gradient(at::zeros_like(scores), mask, g);
    done += rows;
  }
  const auto rows = static_cast<double>(trials), numbers = rows * static_cast<double>(positions);
  result.score_variance = squares / numbers - (sum / numbers) * (sum / numbers);
  result.entropy /= rows;
  result.largest_weight /= rows;
  result.saturated /= rows;
  result.jacobian_norm /= rows;
  result.gradient = std::sqrt(gradient / uniform_gradient);
  return result;
}

}  // namespace softalign
