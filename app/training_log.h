#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "app/log.h"
#include "model/training/config.h"
#include "model/training/report.h"

namespace softalign {

/// Tells people and log.jsonl how training goes: a progress line on a terminal, plain lines
/// elsewhere, and one JSON object per report, validation and start of a run.
class TrainingLog : public TrainingObserver {
 public:
  /// `file` is log.jsonl. Throws Error(kMachine) here or later where it can't be written.
  /// `corpus` are lines that describe it; `write_report` is called after each validation and by
  /// `finish`: if it fails, that is warned of, and the training goes on.
  TrainingLog(std::filesystem::path file, const TrainingConfig& config, int64_t threads,
              std::vector<std::string> corpus, std::function<void()> write_report);

  /// Records of a resumed log beyond `first_step`, which that run will write again, are dropped.
  void on_start(int64_t batches_per_epoch, int64_t first_step) override;
  void on_update(const StepReport& report) override;
  void on_report(const StepReport& report) override;
  void on_validation_start(int64_t sentences) override;
  void on_validation(const ValidationReport& report) override;
  void on_checkpoint(int64_t step) override;

  void finish();

 private:
  void keep_records_until(int64_t step) const;
  void append(const std::string& line);
  void report();
  /// Share of the whole training that is done, as far as limits tell; 0 if there is none.
  double progress_at(const StepReport& report) const;

  std::filesystem::path file_;
  TrainingConfig config_;
  int64_t threads_;
  std::vector<std::string> corpus_;
  std::function<void()> write_report_;
  std::ofstream stream_;
  ProgressLine progress_;
  int64_t batches_per_epoch_ = 0, first_step_ = 0;
  double first_progress_ = 0;
  std::chrono::steady_clock::time_point started_, drawn_;
};

}  // namespace softalign
