#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "data/batch.h"
#include "model/attention/diagnostics.h"
#include "model/seq2seq.h"
#include "model/training/report.h"

namespace softalign {

/// Sums since the last report.
struct Sums {
  double objective = 0, negative_log_likelihood = 0, correct = 0, seconds = 0;
  int64_t updates = 0, source_tokens = 0, target_tokens = 0, padded_tokens = 0;

  Sums& operator+=(const Sums& other) {
    objective += other.objective;
    negative_log_likelihood += other.negative_log_likelihood;
    correct += other.correct;
    seconds += other.seconds;
    updates += other.updates;
    source_tokens += other.source_tokens;
    target_tokens += other.target_tokens;
    padded_tokens += other.padded_tokens;
    return *this;
  }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Sums, objective, negative_log_likelihood, correct, seconds,
                                   updates, source_tokens, target_tokens, padded_tokens)

inline Sums sums_of(const Batch& batch, const Loss& loss) {
  Sums sums;
  sums.objective = loss.objective.item<double>();
  sums.negative_log_likelihood = loss.negative_log_likelihood.item<double>();
  sums.correct = loss.correct.item<double>();
  sums.target_tokens = loss.tokens;
  sums.source_tokens = batch.source_lengths.sum().item<int64_t>();
  sums.padded_tokens = batch.target_in.numel();
  return sums;
}

/// What state.json holds besides the states of sampler, schedule and random numbers.
struct Position {
  int64_t step = 0;               // updates done
  int64_t epoch = 1;              // of the last batch
  int64_t updates_per_epoch = 0;  // in the first epoch, which estimates max_steps
  double seconds = 0;             // of training
  double learning_rate = 0, gradient_norm = 0;
  int64_t validated_step = -1;
  bool validation_due = false;  // an epoch ended, and its validation was interrupted
  bool at_minimum = false;      // the plateau schedule has ended
  int64_t waited = 0;           // validations since the best
  bool has_best = false;
  double best = 0;
  int64_t best_step = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Position, step, epoch, updates_per_epoch, seconds, learning_rate,
                                   gradient_norm, validated_step, validation_due, at_minimum,
                                   waited, has_best, best, best_step)

inline StepReport report_of(const Position& position, const Sums& sums, double epoch_progress) {
  StepReport report;
  const auto tokens = static_cast<double>(std::max<int64_t>(sums.target_tokens, 1));
  report.step = position.step;
  report.epoch = position.epoch;
  report.epoch_progress = epoch_progress;
  report.loss = sums.objective / tokens;
  report.perplexity = std::exp(sums.negative_log_likelihood / tokens);
  report.accuracy = sums.correct / tokens;
  report.learning_rate = position.learning_rate;
  report.gradient_norm = position.gradient_norm;
  if (sums.seconds > 0) {
    report.target_tokens_per_second = static_cast<double>(sums.target_tokens) / sums.seconds;
    report.source_tokens_per_second = static_cast<double>(sums.source_tokens) / sums.seconds;
  }
  report.seconds = position.seconds;
  report.padded_tokens = sums.padded_tokens;
  report.target_tokens = sums.target_tokens;
  return report;
}

/// `tokens`: the target tokens of the update that the sums are of.
inline AttentionReport report_of(const AttentionSums& sums, int64_t tokens) {
  const auto rows = static_cast<double>(sums.rows);
  AttentionReport report;
  report.score_variance = sums.score_variance();
  report.row_variance = sums.row_variance / rows;
  report.entropy = sums.entropy / rows;
  report.saturated = sums.saturated / rows;
  report.gradient_norm = std::sqrt(sums.squared_gradient) / static_cast<double>(tokens);
  return report;
}

}  // namespace softalign
