#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <vector>

#include "model/training/config.h"
#include "model/training/safetensors.h"

namespace softalign {

/// SGD with momentum, Adam (Kingma & Ba 2015) or AdamW (Loshchilov & Hutter 2019) over flat
/// buffers: all parameters become views of one tensor and all gradients of another. A parameter
/// that got no gradient has the gradient 0. Float32 on the CPU.
class Optimizer {
 public:
  /// Rebinds every parameter to its place in the flat buffer (names and shapes stay).
  Optimizer(std::vector<Tensor> parameters, const OptimizerConfig& config);

  /// Makes the parameters of another copy of the model views of the same weights, with gradients of
  /// their own, which scale_gradients adds to the model's.
  void add_replica(std::vector<Tensor> parameters);

  void zero_gradients();
  /// The model's gradients ← the sum of all replicas'; theirs ← 0.
  void add_replicas();
  /// Sums the gradients of all replicas, multiplies them (by 1/tokens) and returns their norm
  /// before clipping. The order of summation depends on nothing but the sizes.
  double scale_gradients(double factor);
  /// Clips to clip_norm given the norm, then updates with this learning rate.
  void step(double learning_rate, double gradient_norm);

  /// The live weights [n], to be read: change them through set_parameters.
  Tensor flat_parameters() const { return parameters_; }
  Tensor flat_gradients() const { return gradients_; }  // [n]
  void set_parameters(const Tensor& flat);
  /// Moments and the step count, for checkpoints; `restore` checks sizes.
  NamedTensors state() const;
  void restore(const NamedTensors& state);

 private:
  /// The parameters of one copy of the model, their gradients and the views that these should be.
  struct Bound {
    std::vector<Tensor> parameters, gradient_views;
    Tensor gradients;  // [n]
  };
  Bound bind(std::vector<Tensor> parameters) const;
  void bind_gradients();
  void mark_changed();

  OptimizerConfig config_;
  Tensor parameters_, gradients_, first_, second_;  // [n]
  std::vector<Bound> bound_;                        // the model itself, then its replicas
  int64_t steps_ = 0;
};

}  // namespace softalign
