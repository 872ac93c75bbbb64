#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/training/config.h"
#include "model/training/safetensors.h"

namespace softalign {

/// Whether a validation's `value` is better than `other`: perplexity falls, BLEU and chrF rise.
/// What isn't finite is never better.
bool is_better(Metric metric, double value, double other);

/// Exponential moving average of flat weights w (Polyak & Juditsky 1992): after update t,
/// e ← d·e + (1 − d)·w with d = min(decay, (1 + t)/(10 + t)), so that the random start is soon
/// forgotten.
class MovingAverage {
 public:
  /// decay 0: off, `weights()` is undefined.
  MovingAverage(double decay, const Tensor& weights);
  void update(const Tensor& weights, int64_t step);
  const Tensor& weights() const { return average_; }  // [n]
  void restore(const Tensor& average);

 private:
  double decay_;
  Tensor average_;
};

/// The k best validated weights, best first.
class BestWeights {
 public:
  BestWeights(int64_t count, Metric metric) : count_(count), metric_(metric) {}

  struct Kept {
    double value = 0;
    int64_t step = 0;
    Tensor weights;  // [n]
  };
  /// Keeps a copy if it is among the k best (the older of two equal ones ranks first); returns
  /// whether it is, that is whether `mean` changed.
  bool offer(double value, int64_t step, const Tensor& weights);
  Tensor mean() const;  // [n], summed in float64

  const std::vector<Kept>& kept() const { return kept_; }
  void restore(std::vector<Kept> kept) { kept_ = std::move(kept); }

 private:
  int64_t count_;
  Metric metric_;
  std::vector<Kept> kept_;
};

}  // namespace softalign
