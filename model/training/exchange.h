#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/training/group.h"

namespace softalign {

/// Sums the gradients of all processes of a group in buckets. A bucket goes on its way as soon as
/// the backward pass has finished the gradients in it, while the others are still being computed.
class GradientExchange {
 public:
  /// `parameters`' gradients are views, in this order, of the flat `gradients` [n].
  GradientExchange(Group& group, const std::vector<Tensor>& parameters, const Tensor& gradients);
  ~GradientExchange();

  /// From now on gradients are final when a backward pass has added to them: call it before the
  /// last one of an update.
  void begin();
  /// Sends what has not gone yet and waits for everything.
  void finish();

 private:
  struct State;
  std::shared_ptr<State> state_;  // the parameters' hooks have it, too
};

}  // namespace softalign
