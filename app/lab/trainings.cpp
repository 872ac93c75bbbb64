#include "app/lab/trainings.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/log.h"
#include "app/signals.h"
#include "data/file.h"
#include "data/sha256.h"
#include "data/unicode.h"
#include "model/search/translator.h"
#include "model/training/checkpoint.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr size_t kAlignedSentences = 300;  // whose AER is measured after each epoch
constexpr size_t kLinesPerChunk = 256;

std::vector<Scored> score_references(Translator& translator, const EvaluationSet& set) {
  TranslateOptions options;
  return translator.score(set.sources.lines, set.references.lines, options);
}

/// Writes down what the trainer tells, and measures the attention after each epoch.
class Recorder : public TrainingObserver {
 public:
  Recorder(TrainedModel& trained, const TrainingData& data, const TrainingConfig& config,
           const EvaluationSet* evaluation)
      : trained_(trained), data_(data), config_(config), evaluation_(evaluation) {}

  void on_start(int64_t batches_per_epoch, int64_t /*first_step*/) override {
    updates_ = config_.max_epochs * batches_per_epoch;
    if (config_.max_steps > 0)
      updates_ = updates_ > 0 ? std::min(updates_, config_.max_steps) : config_.max_steps;
  }
  void on_update(const StepReport& report) override {
    if (progress_.visible() && report.step % 10 == 0)
      progress_.show(
          static_cast<double>(report.step) / static_cast<double>(std::max<int64_t>(updates_, 1)),
          trained_.name + "  loss " + fixed(report.loss, 3));
  }
  void on_report(const StepReport& report) override {
    trained_.steps.push_back({report.step, report.loss, report.attention});
  }
  void on_validation(const ValidationReport& report) override {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    EpochRecord record{report.epoch, report.perplexity, kNone, kNone};
    const bool attends = trained_.model->config().attention.score != ScoreKind::none;
    if (attends && evaluation_ != nullptr && evaluation_->gold) {
      const EvaluationSet part = evaluation_->first(kAlignedSentences);
      Translator translator({trained_.model}, data_.source, data_.target);
      TranslateOptions options;
      record.aer =
          score_alignment(translator, part.sources, part.references, *part.gold, options).aer;
      record.on_end = weight_on_end(score_references(translator, part));
    }
    trained_.epochs.push_back(record);
    progress_.clear();
  }

  void finish() { progress_.clear(); }

 private:
  TrainedModel& trained_;
  const TrainingData& data_;
  const TrainingConfig& config_;
  const EvaluationSet* evaluation_;
  ProgressLine progress_;
  int64_t updates_ = 0;
};

std::vector<std::string> translate_all(Translator& translator,
                                       const std::vector<std::string>& lines) {
  TranslateOptions options;
  options.attention = false;
  options.batch_sentences = 64;
  std::vector<std::string> texts;
  for (size_t begin = 0; begin < lines.size(); begin += kLinesPerChunk) {
    const size_t end = std::min(lines.size(), begin + kLinesPerChunk);
    const std::vector<std::string> part(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                        lines.begin() + static_cast<std::ptrdiff_t>(end));
    for (const Translation& translation : translator.translate(part, options))
      texts.push_back(translation.best().text);
  }
  return texts;
}

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }
double number(const json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
}

std::string to_json(const TrainedModel& trained, const std::string& fingerprint) {
  json record{{"settings", fingerprint},
              {"seconds", trained.seconds},
              {"translations", trained.translations},
              {"epochs", json::array()},
              {"steps", json::array()}};
  for (const EpochRecord& epoch : trained.epochs)
    record["epochs"].push_back(
        {epoch.epoch, number(epoch.perplexity), number(epoch.aer), number(epoch.on_end)});
  for (const StepRecord& step : trained.steps) {
    json entry{step.step, step.loss};
    if (const auto& a = step.attention)
      entry.push_back(
          {a->score_variance, a->row_variance, a->entropy, a->saturated, a->gradient_norm});
    record["steps"].push_back(entry);
  }
  return record.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

/// False if nothing usable is there.
bool load_earlier(TrainedModel& trained, const ExperimentConfig& config, const fs::path& folder,
                  const std::string& fingerprint) {
  const ModelDirectory directory{folder};
  if (!fs::exists(folder / "lab.json") || !fs::exists(directory.best())) return false;
  const json record = json::parse(read_bytes(folder / "lab.json"), nullptr, false);
  if (!record.is_object() || record.value("settings", "") != fingerprint) return false;
  trained.model = Seq2Seq(config.model);
  load_weights(trained.model, directory.best());
  trained.model->eval();
  trained.parameters = trained.model->parameter_count();
  trained.seconds = record.at("seconds").get<double>();
  trained.translations = record.at("translations").get<std::vector<std::string>>();
  for (const json& epoch : record.at("epochs"))
    trained.epochs.push_back(
        {epoch[0].get<int64_t>(), number(epoch[1]), number(epoch[2]), number(epoch[3])});
  for (const json& step : record.at("steps")) {
    StepRecord entry{step[0].get<int64_t>(), step[1].get<double>(), {}};
    if (step.size() > 2)
      entry.attention = AttentionReport{step[2][0], step[2][1], step[2][2], step[2][3], step[2][4]};
    trained.steps.push_back(entry);
  }
  return true;
}

ExperimentConfig embedded_base(const LabOptions& options) {
  ExperimentConfig config;
  config.subword.source.kind = config.subword.target.kind = SubwordKind::bpe;
  config.subword.source.vocabulary_size = 1500;
  config.subword.target.vocabulary_size = 2000;
  config.subword.target.normalization = "identity";
  ModelConfig& model = config.model;
  const int64_t width = options.pick(options.width, 128, 64);
  model.encoder.hidden = model.decoder.hidden = width;
  model.source_embedding = model.target_embedding = model.attention.state_size = width / 2;
  model.tie = Tying::target;
  model.dropout.embedding = model.dropout.output = 0.1;
  TrainingConfig& training = config.training;
  training.optimizer.learning_rate = options.quick ? 0.006 : 0.004;
  training.schedule.kind = ScheduleKind::cosine;
  training.schedule.warmup_steps = options.quick ? 50 : 100;
  training.max_epochs = options.pick(options.epochs, 4, 3);
  training.sampler.batch_tokens = 400;
  training.loss.label_smoothing = 0.1;
  return config;
}

}  // namespace

double weight_on_end(const std::vector<Scored>& scored) {
  double sum = 0, count = 0;
  for (const Scored& pair : scored) {
    const auto& attention = pair.pair.best().attention;
    for (size_t t = 0; t + 1 < attention.size(); ++t) {
      if (attention[t].empty()) continue;
      sum += static_cast<double>(attention[t].back());
      count += 1;
    }
  }
  return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

Batch make_batch_of(const EvaluationSet& set, const Translator& translator) {
  std::vector<EncodedPair> pairs;
  for (size_t i = 0; i < set.sources.lines.size(); ++i)
    pairs.push_back({translator.source_subword().encode(clean_text(set.sources.lines[i])),
                     translator.target_subword().encode(clean_text(set.references.lines[i])),
                     {}});
  std::vector<const EncodedPair*> pointers;
  std::vector<int64_t> positions;
  for (const EncodedPair& pair : pairs) {
    positions.push_back(static_cast<int64_t>(positions.size()));
    pointers.push_back(&pair);
  }
  return make_batch(pointers, positions);
}

std::vector<BleuStatistics> bleu_counts(const std::vector<std::string>& translations,
                                        const std::vector<std::string>& references) {
  std::vector<BleuStatistics> counts;
  for (size_t i = 0; i < translations.size(); ++i)
    counts.push_back(bleu_statistics(translations[i], references[i], {}));
  return counts;
}

Subword train_pieces(const SubwordConfig& config, const std::vector<std::string>& lines,
                     uint64_t seed) {
  size_t position = 0;
  const auto next = [&]() -> std::optional<std::string> {
    if (position == lines.size()) return std::nullopt;
    return lines[position++];
  };
  return Subword::train(config, next, seed,
                        [](const std::string& text) { spdlog::debug("{}", text); });
}

TrainedModel train_for_lab(const std::string& name, ExperimentConfig config, TrainingData data,
                           const fs::path& folder, const EvaluationSet* evaluation) {
  config.model.source_vocabulary = data.source.size();
  config.model.target_vocabulary = data.target.size();
  config.training.metric = Metric::perplexity;
  config.validation.max_sentences = -1;  // the lab translates once, at the end
  TrainedModel trained;
  trained.name = name;
  at::manual_seed(config.training.seed);
  trained.model = Seq2Seq(config.model);
  trained.parameters = trained.model->parameter_count();

  const ModelDirectory directory{folder};
  fs::create_directories(folder);
  fs::remove(folder / "lab.json");
  save_vocabularies(directory, false, {data.source, data.target});
  write_atomically(directory.config(), to_yaml(config, /*with_corpus=*/false));
  const GracefulStop signals;
  Recorder recorder(trained, data, config.training, evaluation);
  const Metadata metadata{{"source_vocabulary", data.source.digest()},
                          {"target_vocabulary", data.target.digest()}};
  const TrainingSummary summary =
      train(trained.model, data, config.training, config.validation, folder, metadata,
            /*resume=*/false, signals.stop(), recorder);
  recorder.finish();
  signals.throw_if_stopped();
  trained.seconds = summary.seconds;
  load_weights(trained.model, directory.best());
  trained.model->eval();
  if (evaluation != nullptr) {
    Translator translator({trained.model}, data.source, data.target);
    trained.translations = translate_all(translator, evaluation->sources.lines);
  }
  return trained;
}

Trainings::Trainings(const LabOptions& options) : options_(options) {}

void Trainings::load_corpus() {
  if (corpus_) return;
  corpus_ = std::make_unique<LabCorpus>(read_lab_corpus(options_));
  base_ = options_.config.empty() ? embedded_base(options_) : read_experiment(options_.config);
  if (!options_.config.empty()) {
    if (options_.epochs || options_.quick)
      base_.training.max_epochs = options_.pick(options_.epochs, 0, 1);
    base_.training.validate_every = 0;
    base_.training.loss.guided_alignment = 0;
  }
  base_.training.seed = base_.training.sampler.seed = options_.seed;
  base_.subword.joint = false;
  std::vector<std::string> sources, targets;
  for (const SentencePair& pair : corpus_->train.pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  vocabularies_ = std::make_unique<Vocabularies>(
      Vocabularies{train_pieces(base_.subword.source, sources, options_.seed),
                   train_pieces(base_.subword.target, targets, options_.seed)});
}

const LabCorpus& Trainings::corpus() {
  load_corpus();
  return *corpus_;
}

const Vocabularies& Trainings::vocabularies() {
  load_corpus();
  return *vocabularies_;
}

const ExperimentConfig& Trainings::base() {
  load_corpus();
  return base_;
}

/// Everything that a model follows from: the same text means the same bytes.
std::string Trainings::fingerprint(const ExperimentConfig& config, const TrainingTask& task) {
  std::string all = to_yaml(config, false) + std::to_string(at::get_num_threads()) +
                    (task.translates ? " translates" : "") + vocabularies_->source.digest() +
                    vocabularies_->target.digest();
  for (const SentencePair& pair : corpus_->train.pairs) all += pair.source + '\n';
  for (const std::string& line : corpus_->test.sources.lines) all += line + '\n';
  return sha256(all);
}

const TrainedModel& Trainings::get(const TrainingTask& task) {
  load_corpus();
  const auto known = models_.find(task.name);
  if (known != models_.end()) return known->second;
  ExperimentConfig config = base_;
  config.name = task.name;
  task.change(config);
  config.model.source_vocabulary = vocabularies_->source.size();
  config.model.target_vocabulary = vocabularies_->target.size();
  const fs::path folder = options_.output / "models" / task.name;
  const std::string settings = fingerprint(config, task);
  TrainedModel trained;
  trained.name = task.name;
  if (options_.retrain || !load_earlier(trained, config, folder, settings)) {
    spdlog::info("training {}", task.name);
    trained = train_for_lab(task.name, config,
                            {corpus_->train, corpus_->valid, vocabularies_->source,
                             vocabularies_->target, config.corpus.max_length},
                            folder, task.translates ? &corpus_->test : nullptr);
    write_atomically(folder / "lab.json", to_json(trained, settings));
  }
  return models_.emplace(task.name, std::move(trained)).first->second;
}

const TrainedModel& Trainings::with_score(ScoreKind score) {
  return get({std::string(name_of(kScoreNames, score)),
              [score](ExperimentConfig& config) { config.model.attention.score = score; }, true});
}

Translator Trainings::translator(const TrainedModel& model) {
  return Translator({model.model}, vocabularies().source, vocabularies().target);
}

}  // namespace softalign
