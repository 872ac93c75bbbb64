#pragma once

#include "model/training/optimizer.h"

namespace softalign {

/// Other weights in the model until the end of the scope.
class WithWeights {
 public:
  WithWeights(Optimizer& optimizer, const Tensor& weights) : optimizer_(optimizer) {
    if (weights.data_ptr() == optimizer.flat_parameters().data_ptr()) return;
    live_ = optimizer.flat_parameters().clone();
    optimizer_.set_parameters(weights);
  }
  ~WithWeights() {
    if (live_.defined()) optimizer_.set_parameters(live_);
  }
  WithWeights(const WithWeights&) = delete;
  WithWeights& operator=(const WithWeights&) = delete;

 private:
  Optimizer& optimizer_;
  Tensor live_;
};

}  // namespace softalign
