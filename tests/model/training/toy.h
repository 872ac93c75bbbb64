#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/training/trainer.h"

namespace softalign {

/// A tiny experiment: the translation of "c a b" is "c a b", with monotone gold alignments.
struct Toy {
  TrainingData data;
  ModelConfig model;
  TrainingConfig training;
  ValidationConfig validation;
};
Toy copy_task(int64_t train_pairs, int64_t valid_pairs, uint64_t seed = 1);

/// A model whose weights follow from the seed.
Seq2Seq new_model(const ModelConfig& config, uint64_t seed = 1);

/// Keeps what the trainer says and may ask it to stop.
class Recorder : public TrainingObserver {
 public:
  void on_start(int64_t batches_per_epoch, int64_t first_step) override;
  void on_update(const StepReport& report) override;
  void on_report(const StepReport& report) override { reports.push_back(report); }
  void on_validation_start(int64_t sentences) override;
  void on_validation(const ValidationReport& report) override { validations.push_back(report); }

  std::atomic<bool> stop{false};
  int64_t stop_at_step = -1;
  int64_t stop_at_validation = -1;  // number of the validation, from 1
  int64_t batches_per_epoch = 0, first_step = 0, validation_starts = 0;
  std::vector<StepReport> updates, reports;
  std::vector<ValidationReport> validations;
};

TrainingSummary train(Seq2Seq& model, const Toy& toy, const std::filesystem::path& directory,
                      Recorder& recorder, bool resume = false);

}  // namespace softalign
