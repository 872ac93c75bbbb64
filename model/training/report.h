#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace softalign {

/// How the attention fares in one update (training.diagnostics). Scores e and weights α are those
/// of all target tokens and all source tokens of its batch, or of this process's share of it.
struct AttentionReport {
  double score_variance = 0;  // of all scores
  double row_variance = 0;    // of the scores of one target token: what its softmax sees; mean
  double entropy = 0;         // −Σ α log α of a target token, in nats; mean
  double saturated = 0;       // share of target tokens whose largest weight is beyond kSaturated
  double gradient_norm = 0;   // of the loss per target token with respect to the scores: what
                              // passes through the attention
};

/// What the trainer tells its observer at every report.
struct StepReport {
  int64_t step = 0, epoch = 0;  // updates done; epoch from 1
  double epoch_progress = 0;    // in [0, 1]
  double loss = 0;              // objective per target token since the last report
  double perplexity = 0;        // exp of the negative log-likelihood per token since then
  double accuracy = 0;
  double learning_rate = 0, gradient_norm = 0;
  double target_tokens_per_second = 0, source_tokens_per_second = 0;
  double seconds = 0;                            // of training, all runs together
  int64_t padded_tokens = 0, target_tokens = 0;  // since the last report
  std::optional<AttentionReport> attention;      // of the last update, where it is asked for
};

struct SampleTranslation {
  std::string source, reference, output;
  std::vector<std::string> source_tokens, target_tokens;
  std::vector<std::vector<float>> attention;
};

struct ValidationReport {
  int64_t step = 0, epoch = 0;
  double perplexity = 0, accuracy = 0;
  std::optional<double> bleu, chrf;
  double seconds = 0;  // that the validation took
  bool best = false;   // better than all before
  std::vector<SampleTranslation> samples;
};

enum class StopReason { epochs, steps, minutes, patience, plateau, interrupted };

struct TrainingSummary {
  StopReason reason = StopReason::epochs;
  int64_t steps = 0, epochs = 0;
  double best = 0;  // value of the chosen metric
  int64_t best_step = 0;
  double seconds = 0;
};

/// Receives facts; the app words and prints them and writes log.jsonl.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void on_start(int64_t /*batches_per_epoch*/, int64_t /*first_step*/) {}
  virtual void on_update(const StepReport&) {}  // every update, cheap
  virtual void on_report(const StepReport&) {}  // every report_every updates
  virtual void on_validation_start(int64_t /*sentences*/) {}
  virtual void on_validation(const ValidationReport&) {}
  virtual void on_checkpoint(int64_t /*step*/) {}
};

}  // namespace softalign
