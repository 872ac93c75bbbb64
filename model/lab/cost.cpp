#include "model/lab/cost.h"

#include <ATen/ATen.h>

#include "data/error.h"
#include "model/attention/self_attention.h"
#include "model/lab/products.h"

namespace softalign {

double score_flops(ScoreKind kind, int64_t width, int64_t source, int64_t target) {
  const auto d = static_cast<double>(width);
  const auto n = static_cast<double>(source), m = static_cast<double>(target);
  switch (kind) {
    case ScoreKind::dot:
      return 2 * n * m * d;
    case ScoreKind::scaled_dot:
      return 2 * n * m * d + m * d;
    case ScoreKind::general:
      return 2 * n * d * d + 2 * n * m * d;
    case ScoreKind::additive:
    case ScoreKind::concat:  // sum, tanh, product with v at every pair
      return 2 * n * d * d + 2 * m * d * d + 4 * n * m * d;
    default:
      throw Error("the lab doesn't count the operations of this score");
  }
}

ScoreCost measure_score(ScoreKind kind, int64_t d, int64_t batch, int64_t source, int64_t target,
                        double seconds) {
  const std::shared_ptr<ScoreImpl> score = score_of_width(kind, d);
  if (!score) throw Error("without attention there is no score to measure");
  ScoreCost cost;
  for (const Tensor& parameter : score->parameters()) cost.parameters += parameter.numel();
  cost.flops = score_flops(kind, d, source, target) * static_cast<double>(batch);

  const Tensor query = at::randn({batch, target, d}).requires_grad_();
  const Tensor states = at::randn({batch, source, d}).requires_grad_();
  const Tensor gradient = at::randn({batch, target, source});
  cost.forward = measure_resources(
      [&] {
        const at::NoGradGuard no_grad;
        score->forward(query, score->keys(states));
      },
      seconds);
  cost.whole = measure_resources(
      [&] {
        query.mutable_grad() = Tensor();
        states.mutable_grad() = Tensor();
        score->zero_grad();
        score->forward(query, score->keys(states)).backward(gradient);
      },
      seconds);
  return cost;
}

SelfAttentionCost measure_self_attention(int64_t n, int64_t d, double seconds) {
  SelfAttention attention(d, /*heads=*/1);
  const Tensor states = at::randn({1, n, d}).requires_grad_();
  const Tensor mask = at::ones({1, n}, at::kBool);
  const Tensor gradient = at::randn({1, n, d});
  SelfAttentionCost cost{n, d, {}};
  cost.resources = measure_resources(
      [&] {
        states.mutable_grad() = Tensor();
        attention->zero_grad();
        attention->forward(states, mask).states.backward(gradient);
      },
      seconds);
  return cost;
}

}  // namespace softalign
