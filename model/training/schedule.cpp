#include "model/training/schedule.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/error.h"

namespace softalign {
namespace {

constexpr double kPi = 3.14159265358979323846;

}  // namespace

Schedule::Schedule(const ScheduleConfig& config, double learning_rate, int64_t max_steps)
    : config_(config), base_(learning_rate), max_steps_(max_steps) {
  const bool needs_end = config.kind == ScheduleKind::cosine || config.kind == ScheduleKind::luong;
  if (needs_end && max_steps < 1)
    throw Error("training.schedule: " + std::string(name_of(kScheduleNames, config.kind)) +
                " needs an end: set training.max_steps or training.max_epochs");
}

double Schedule::learning_rate(int64_t step) const {
  const auto now = static_cast<double>(step), warmup = static_cast<double>(config_.warmup_steps),
             end = static_cast<double>(max_steps_);
  if (step < config_.warmup_steps) return base_ * now / warmup;
  switch (config_.kind) {
    case ScheduleKind::constant:
      return base_;
    case ScheduleKind::inverse_sqrt:
      return std::max(config_.minimum, base_ * std::sqrt(std::max(warmup, 1.0) / now));
    case ScheduleKind::cosine: {
      const double progress = std::min(1.0, (now - warmup) / std::max(1.0, end - warmup));
      return config_.minimum + (base_ - config_.minimum) * 0.5 * (1.0 + std::cos(kPi * progress));
    }
    case ScheduleKind::plateau:
      return std::max(config_.minimum, base_ * factor_);
    case ScheduleKind::luong: {
      const double start = config_.luong_start * end, done = now - 1.0;
      if (done < start) return base_;
      const double interval = std::max(1.0, config_.luong_interval * end);
      return std::max(config_.minimum,
                      base_ * std::pow(0.5, 1.0 + std::floor((done - start) / interval)));
    }
  }
  return base_;
}

bool Schedule::validated(bool improved) {
  if (config_.kind != ScheduleKind::plateau) return false;
  if (improved) {
    waited_ = 0;
    return false;
  }
  if (++waited_ < config_.plateau_patience) return false;
  waited_ = 0;
  if (base_ * factor_ <= config_.minimum) return true;
  factor_ *= config_.decay;
  return false;
}

std::string Schedule::state() const {
  return nlohmann::json{{"factor", factor_}, {"waited", waited_}}.dump();
}

void Schedule::restore(const std::string& state) {
  const auto json = nlohmann::json::parse(state, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("factor") || !json.contains("waited"))
    throw Error("the saved state of the learning rate is not readable");
  factor_ = json["factor"].get<double>();
  waited_ = json["waited"].get<int64_t>();
}

}  // namespace softalign
