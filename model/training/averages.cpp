#include "model/training/averages.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace softalign {

bool is_better(Metric metric, double value, double other) {
  if (!std::isfinite(value)) return false;
  return metric == Metric::perplexity ? value < other : value > other;
}

MovingAverage::MovingAverage(double decay, const Tensor& weights) : decay_(decay) {
  if (decay > 0) average_ = weights.detach().clone();
}

void MovingAverage::update(const Tensor& weights, int64_t step) {
  if (!average_.defined()) return;
  const auto t = static_cast<double>(step);
  average_.lerp_(weights.detach(), 1.0 - std::min(decay_, (1.0 + t) / (10.0 + t)));
}

void MovingAverage::restore(const Tensor& average) { average_.copy_(average); }

bool BestWeights::offer(double value, int64_t step, const Tensor& weights) {
  if (!std::isfinite(value)) return false;
  const auto place = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& other) {
    return is_better(metric_, value, other.value);
  });
  const auto full = static_cast<int64_t>(kept_.size()) >= count_;
  if (place == kept_.end() && full) return false;
  kept_.insert(place, {value, step, weights.detach().clone()});
  if (full) kept_.pop_back();
  return true;
}

Tensor BestWeights::mean() const {
  Tensor sum = at::zeros_like(kept_.front().weights, at::kDouble);
  for (const Kept& kept : kept_) sum.add_(kept.weights);
  return sum.div_(static_cast<double>(kept_.size())).to(kept_.front().weights.scalar_type());
}

}  // namespace softalign
