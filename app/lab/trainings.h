#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/config/experiment.h"
#include "app/lab/corpus.h"
#include "app/model_directory.h"
#include "model/metrics/bleu.h"
#include "model/seq2seq.h"
#include "model/training/report.h"
#include "model/training/trainer.h"

namespace softalign {

/// The model after an epoch.
struct EpochRecord {
  int64_t epoch = 0;
  double perplexity = 0;  // of the validation set
  double aer = 0;         // of the attention, nan where the corpus has no alignment
  double on_end = 0;      // mean weight of the source's EOS, over the target's tokens without EOS
};

struct StepRecord {
  int64_t step = 0;
  double loss = 0;  // per target token, since the last record
  std::optional<AttentionReport> attention;
};

struct TrainedModel {
  std::string name;
  Seq2Seq model{nullptr};
  std::vector<EpochRecord> epochs;
  std::vector<StepRecord> steps;
  double seconds = 0;  // of training, without validation
  int64_t parameters = 0;
  std::vector<std::string> translations;  // greedy, of the evaluation set; empty if not asked for
};

/// What a training is to leave behind.
struct TrainingTask {
  std::string name;                               // of its folder
  std::function<void(ExperimentConfig&)> change;  // what differs from the lab's base config
  bool translates = true;                         // fill TrainedModel::translations
};

/// Trains small models on the lab's corpus with the trainer of `softalign train`, each one once:
/// experiments that want the same model share it, and a model that an earlier run left in
/// OUTPUT/models under the same settings is loaded, unless options.retrain.
class Trainings {
 public:
  explicit Trainings(const LabOptions& options);

  const LabCorpus& corpus();
  const Vocabularies& vocabularies();
  /// The config that all trainings start from.
  const ExperimentConfig& base();
  const TrainedModel& get(const TrainingTask& task);
  /// The model that differs from the base in its score alone; named by it.
  const TrainedModel& with_score(ScoreKind score);
  Translator translator(const TrainedModel& model);

 private:
  void load_corpus();
  std::string fingerprint(const ExperimentConfig& config, const TrainingTask& task);

  const LabOptions& options_;
  std::unique_ptr<LabCorpus> corpus_;
  std::unique_ptr<Vocabularies> vocabularies_;
  ExperimentConfig base_;
  std::map<std::string, TrainedModel> models_;
};

/// One training with everything that the experiments may ask of it. `evaluation` may be null.
TrainedModel train_for_lab(const std::string& name, ExperimentConfig config, TrainingData data,
                           const std::filesystem::path& folder, const EvaluationSet* evaluation);

/// Subword pieces of these lines.
Subword train_pieces(const SubwordConfig& config, const std::vector<std::string>& lines,
                     uint64_t seed);

/// Mean weight of the source's EOS over target tokens (without theirs).
double weight_on_end(const std::vector<Scored>& scored);

/// The references of a set as one batch for teacher forcing.
Batch make_batch_of(const EvaluationSet& set, const Translator& translator);

/// BLEU counts of these translations, one for each sentence.
std::vector<BleuStatistics> bleu_counts(const std::vector<std::string>& translations,
                                        const std::vector<std::string>& references);

}  // namespace softalign
