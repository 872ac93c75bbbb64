#pragma once

#include <cstdint>
#include <string>

#include "model/training/config.h"

namespace softalign {

/// The learning rate as a function of the update (from 1) and of the validations so far.
class Schedule {
 public:
  Schedule(const ScheduleConfig& config, double learning_rate, int64_t max_steps);

  double learning_rate(int64_t step) const;
  /// Tells whether a validation improved the metric; returns true if the plateau schedule would
  /// have to go below its minimum, so that training should stop.
  bool validated(bool improved);

  std::string state() const;  // text, for checkpoints
  void restore(const std::string& state);

 private:
  ScheduleConfig config_;
  double base_;
  int64_t max_steps_;
  double factor_ = 1.0;
  int64_t waited_ = 0;
};

}  // namespace softalign
