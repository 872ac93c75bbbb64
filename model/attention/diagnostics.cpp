#include "model/attention/diagnostics.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace softalign {
namespace {

/// true where there is a token: [batch, longest].
Tensor token_mask(const Tensor& lengths, int64_t longest) {
  return at::arange(longest, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1);
}

double squared_norm(const Tensor& gradient) {
  return gradient.defined() ? gradient.to(at::kDouble).square().sum().item<double>() : 0;
}

double squared_gradient(const Attended& attended) {
  if (attended.step_scores.empty()) return squared_norm(attended.scores.grad());
  double sum = 0;
  for (const Tensor& scores : attended.step_scores) sum += squared_norm(scores.grad());
  return sum;
}

}  // namespace

Tensor entropy(const Tensor& weights) { return at::special_entr(weights).sum(-1); }

Tensor softmax_jacobian_norm(const Tensor& weights) {
  const Tensor square = weights.square().sum(-1), cube = weights.pow(3).sum(-1);
  return (square - 2 * cube + square.square()).clamp_min(0).sqrt();
}

AttentionSums& AttentionSums::operator+=(const AttentionSums& other) {
  scores += other.scores;
  rows += other.rows;
  score += other.score;
  squared_score += other.squared_score;
  row_variance += other.row_variance;
  entropy += other.entropy;
  saturated += other.saturated;
  squared_gradient += other.squared_gradient;
  return *this;
}

double AttentionSums::score_variance() const {
  if (scores == 0) return 0;
  const auto n = static_cast<double>(scores);
  return std::max(0.0, squared_score / n - (score / n) * (score / n));
}

void keep_score_gradients(const Attended& attended) {
  const auto keep = [](const Tensor& scores) {
    if (scores.requires_grad()) scores.retain_grad();
  };
  if (attended.step_scores.empty() && attended.scores.defined()) keep(attended.scores);
  for (const Tensor& scores : attended.step_scores) keep(scores);
}

AttentionSums attention_sums(const Attended& attended, const Tensor& source_lengths,
                             const Tensor& target_lengths) {
  AttentionSums sums;
  if (!attended.scores.defined()) return sums;
  const at::NoGradGuard no_grad;
  // One head is the case of several with 1: [batch, heads, target, source].
  const auto by_heads = [](const Tensor& x) { return x.dim() == 4 ? x : x.unsqueeze(1); };
  const Tensor e = by_heads(attended.scores.detach()).to(at::kDouble);
  const Tensor alpha =
      by_heads(attended.head_weights.defined() ? attended.head_weights : attended.weights)
          .detach()
          .to(at::kDouble);
  const int64_t heads = e.size(1), target = e.size(2), scored = e.size(3);
  const Tensor rows = token_mask(target_lengths, target).unsqueeze(1);  // [batch, 1, target]
  const Tensor inside = token_mask(source_lengths, scored).unsqueeze(1).unsqueeze(1) *
                        rows.unsqueeze(-1);          // [batch, 1, target, source]
  const Tensor kept = e * inside;                    // [batch, heads, target, source]
  const Tensor count = inside.sum(-1).clamp_min(1);  // [batch, 1, target]
  const Tensor mean = kept.sum(-1) / count;          // [batch, heads, target]
  const Tensor deviation = (e - mean.unsqueeze(-1)) * inside;

  sums.scores = inside.sum().item<int64_t>() * heads;
  sums.rows = rows.sum().item<int64_t>() * alpha.size(1);
  sums.score = kept.sum().item<double>();
  sums.squared_score = kept.square().sum().item<double>();
  // Where heads are averaged already there are fewer rows of weights than of scores.
  sums.row_variance = (deviation.square().sum(-1) / count).sum().item<double>() *
                      static_cast<double>(alpha.size(1)) / static_cast<double>(heads);
  sums.entropy = (softalign::entropy(alpha) * rows).sum().item<double>();
  sums.saturated = ((std::get<0>(alpha.max(-1)) > kSaturated) * rows).sum().item<double>();
  sums.squared_gradient = softalign::squared_gradient(attended);
  return sums;
}

}  // namespace softalign
