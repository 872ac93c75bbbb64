#include "model/training/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <cmath>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "data/error.h"
#include "data/file.h"
#include "model/training/averages.h"
#include "model/training/batches.h"
#include "model/training/checkpoint.h"
#include "model/training/gradients.h"
#include "model/training/group.h"
#include "model/training/optimizer.h"
#include "model/training/position.h"
#include "model/training/random_state.h"
#include "model/training/schedule.h"
#include "model/training/with_weights.h"

namespace softalign {
namespace {

using Json = nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr const char* kGenerator = "generator";  // LibTorch's default generator, in `optimizer`
constexpr const char* kMovingAverage = "moving_average";

class Trainer {
 public:
  Trainer(Seq2Seq& model, const TrainingData& data, const TrainingConfig& config,
          const ValidationConfig& validation, const std::filesystem::path& directory,
          const Metadata& metadata, const std::atomic<bool>& stop, TrainingObserver& observer,
          Group& group)
      : model_(model),
        data_(data),
        config_(config),
        validation_(validation),
        directory_(directory),
        metadata_(metadata),
        stop_(stop),
        observer_(observer),
        group_(group),
        has_validation_(has_validation(data)),
        batches_(data, config),
        optimizer_(model->parameters(), config.optimizer),
        gradients_(model, optimizer_, group),
        schedule_(make_schedule()),
        average_(config.ema_decay, optimizer_.flat_parameters()),
        kept_(config.average_best, config.metric) {
    if (has_validation_ && validation.max_sentences < 0 && config.metric != Metric::perplexity)
      throw Error("training.metric is " + std::string(name_of(kMetricNames, config.metric)) +
                  ", but validation translates nothing: set it to perplexity");
  }

  TrainingSummary run(bool resume) {
    if (group_.is_first()) {
      std::filesystem::create_directories(directory_);
      recover_folder(last());
    }
    if (resume) {
      restore(saved_progress());
    } else {
      at::manual_seed(config_.seed);
      share_weights();
      if (group_.is_first()) std::filesystem::remove(best());
      save_last();
    }
    started_ = Clock::now();
    gradients_.set_training();
    observer_.on_start(batches_.batches_per_epoch(), position_.step);
    std::optional<StopReason> reason;
    while (!reason) {
      reason = advance();
      if (!reason && time_is_up()) reason = StopReason::minutes;
    }
    return finish(*reason);
  }

 private:
  std::filesystem::path last() const { return directory_ / "last"; }
  std::filesystem::path best() const { return directory_ / "best.safetensors"; }

  Schedule make_schedule() {
    const int64_t batches = batches_.batches_per_epoch();
    if (position_.updates_per_epoch == 0)
      position_.updates_per_epoch = (batches + config_.accumulate - 1) / config_.accumulate;
    return Schedule(config_.schedule, config_.optimizer.learning_rate,
                    config_.max_steps > 0 ? config_.max_steps
                                          : config_.max_epochs * position_.updates_per_epoch);
  }

  // Processes stop together: what one of them wants is known to all after the next update.
  bool must_stop() const { return group_.size() > 1 ? common_wishes_.to_stop : stop_.load(); }
  bool time_is_up() const { return group_.size() > 1 ? common_wishes_.to_end_in_time : out_of_time(); }
  bool out_of_time() const {
    const std::chrono::duration<double, std::ratio<60>> minutes = Clock::now() - started_;
    return config_.max_minutes > 0 && minutes.count() >= config_.max_minutes;
  }

  /// One update, or the end of an epoch. Returns why training ends, if it does.
  std::optional<StopReason> advance() {
    if (must_stop()) return StopReason::interrupted;
    if (position_.validation_due) return validate_now();
    if (const auto reason = finished()) return reason;
    if (!update()) {
      if (config_.validate_every == 0 || !has_validation_) {
        position_.validation_due = true;
        return validate_now();
      }
      return {};
    }
    const auto every = [this](int64_t updates) {
      return updates > 0 && position_.step % updates == 0;
    };
    if (group_.is_first()) observer_.on_update(report());
    if (every(config_.report_every)) report_now();
    if (has_validation_ && every(config_.validate_every)) {
      position_.validation_due = true;
      return validate_now();
    }
    if (every(config_.checkpoint_every)) save_last();
    return {};
  }

  std::optional<StopReason> finished() const {
    if (position_.at_minimum) return StopReason::plateau;
    if (config_.patience > 0 && position_.waited >= config_.patience) return StopReason::patience;
    if (config_.max_steps > 0 && position_.step >= config_.max_steps) return StopReason::steps;
    if (config_.max_epochs > 0 && batches_.epochs() >= config_.max_epochs)
      return StopReason::epochs;
    return {};
  }

  /// Gradients of up to `accumulate` batches and one step of the optimizer. False at an epoch's
  /// end, where nothing was done; the rest of an epoch is an update of its own.
  bool update() {
    const Clock::time_point start = Clock::now();
    Sums sums;
    for (int64_t n = 0; n < config_.accumulate; ++n) {
      if (n > 0 && batches_.at_epoch_end()) break;
      const std::optional<Batch> batch = batches_.next();
      if (!batch) return false;
      if (n == 0) {
        optimizer_.zero_gradients();
        attention_ = {};
        attended_tokens_ = 0;
      }
      position_.epoch = batches_.epochs() + 1;
      const bool is_last = n + 1 == config_.accumulate || batches_.at_epoch_end();
      LossOptions options = config_.loss;
      options.keep_scores = config_.diagnostics && (position_.step + 1) % config_.report_every == 0;
      const Gradients::Sums added = gradients_.add(*batch, options, is_last);
      sums += added.sums;
      attention_ += added.attention;
      attended_tokens_ += added.sums.target_tokens;
    }
    common_wishes_ = {stop_, group_.is_first() && out_of_time()};
    gradients_.add_up(sums, common_wishes_);
    const int64_t step = position_.step + 1;
    const auto tokens = static_cast<double>(std::max<int64_t>(sums.target_tokens, 1));
    const double norm = optimizer_.scale_gradients(1.0 / tokens);
    require_finite(step, sums.objective / tokens, sums.negative_log_likelihood / tokens, norm);
    position_.learning_rate = schedule_.learning_rate(step);
    optimizer_.step(position_.learning_rate, norm);
    average_.update(optimizer_.flat_parameters(), step);
    position_.step = step;
    position_.gradient_norm = norm;

    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    position_.seconds += seconds;
    sums.seconds = seconds;
    sums.updates = 1;
    sums_ += sums;
    return true;
  }

  /// A perplexity beyond the largest double counts as not finite: bounded states can keep the loss
  /// of a ruined model finite for ever.
  void require_finite(int64_t step, double loss, double negative_log_likelihood,
                      double norm) const {
    if (std::isfinite(loss) && std::isfinite(norm) &&
        std::isfinite(std::exp(negative_log_likelihood)))
      return;
    std::ostringstream message;
    message.imbue(std::locale::classic());
    message << "training diverged at step " << step << ": loss " << loss
            << " per token, gradient norm " << norm << ", learning rate "
            << schedule_.learning_rate(step) << "; the weights of the last checkpoint are kept. "
            << "Lower training.learning_rate";
    if (config_.optimizer.clip_norm <= 0)
      message << " or set training.clip_norm (1, say)";
    else
      message << " or training.clip_norm (" << config_.optimizer.clip_norm << " now)";
    message << ", or warm up longer";
    throw Error(message.str(), Error::kMachine);
  }

  StepReport report() const { return report_of(position_, sums_, batches_.epoch_progress()); }

  void report_now() {
    StepReport due = report();
    if (attention_.rows > 0) due.attention = report_of(attention_, attended_tokens_);
    if (group_.is_first()) observer_.on_report(due);
    sums_ = {};
  }

  /// The weights that are validated and kept: the moving average, where there is one.
  const Tensor& current() const {
    return average_.weights().defined() ? average_.weights() : flat_;
  }

  /// False if it was interrupted; then nothing has changed.
  bool validate_and_keep() {
    ValidationReport report;
    if (group_.is_first()) {
      observer_.on_validation_start(static_cast<int64_t>(data_.valid.pairs.size()));
      const KeepGenerator keep;  // validation must not move the random numbers of the training
      const WithWeights weights(optimizer_, current());
      report = validate(model_, data_, validation_, config_, stop_);
    }
    if (!share(report)) return false;
    report.step = position_.step;
    report.epoch = position_.epoch;
    const double value = config_.metric == Metric::perplexity ? report.perplexity
                         : config_.metric == Metric::bleu     ? report.bleu.value_or(0.0)
                                                              : report.chrf.value_or(0.0);
    report.best = position_.has_best ? is_better(config_.metric, value, position_.best)
                                     : std::isfinite(value);
    if (report.best) {
      position_.has_best = true;
      position_.best = value;
      position_.best_step = position_.step;
    }
    position_.waited = report.best ? 0 : position_.waited + 1;
    position_.at_minimum = schedule_.validated(report.best);
    position_.validated_step = position_.step;
    if (kept_.offer(value, position_.step, current())) save_best(kept_.mean());
    if (group_.is_first()) observer_.on_validation(report);
    return true;
  }

  /// The first process's report to all. False where it was interrupted.
  bool share(ValidationReport& report) {
    const auto value = [](const std::optional<double>& score) { return score.value_or(0.0); };
    const Tensor scores = at::tensor(std::vector<double>{stop_ ? 1.0 : 0.0, report.perplexity,
                                                         value(report.bleu), value(report.chrf)},
                                     at::kDouble);
    group_.broadcast(scores);
    const double* const values = scores.data_ptr<double>();
    common_wishes_.to_stop = values[0] > 0;
    report.perplexity = values[1];
    if (!group_.is_first()) {
      report.bleu = values[2];
      report.chrf = values[3];
    }
    return values[0] == 0.0;
  }

  std::optional<StopReason> validate_now() {
    if (has_validation_) {
      if (!validate_and_keep()) return StopReason::interrupted;
    } else {
      save_best(current());
    }
    position_.validation_due = false;
    save_last();
    return finished();
  }

  /// `last` is written before a validation that only the end of the training asks for: a run that
  /// is resumed with a later end is then the same as one that had it from the start.
  TrainingSummary finish(StopReason reason) {
    if (reason != StopReason::interrupted && sums_.updates > 0) report_now();
    save_last();
    if (reason != StopReason::interrupted) {
      if (!has_validation_)
        save_best(current());
      else if (position_.validated_step != position_.step && !validate_and_keep())
        reason = StopReason::interrupted;
    }
    if (group_.is_first() && !std::filesystem::exists(best())) save_best(current());
    TrainingSummary summary;
    summary.reason = reason;
    summary.steps = position_.step;
    summary.epochs = batches_.epochs();
    summary.best = position_.best;
    summary.best_step = position_.best_step;
    summary.seconds = position_.seconds;
    return summary;
  }

  Metadata described() const {
    Metadata metadata = metadata_;
    metadata["step"] = std::to_string(position_.step);
    metadata["epoch"] = std::to_string(position_.epoch);
    if (position_.has_best) {
      metadata["best_step"] = std::to_string(position_.best_step);
      metadata[std::string(name_of(kMetricNames, config_.metric))] = Json(position_.best).dump();
    }
    return metadata;
  }

  void save_best(const Tensor& flat) {
    require_finite_weights(flat);
    if (!group_.is_first()) return;
    const WithWeights weights(optimizer_, flat);
    save_weights(model_, best(), described());
  }

  void require_finite_weights(const Tensor& flat) const {
    if (flat.isfinite().all().item<bool>()) return;
    throw Error("training diverged at step " + std::to_string(position_.step) +
                    ": some weights are not finite; the weights of the last checkpoint are kept. "
                    "Lower training.learning_rate",
                Error::kMachine);
  }

  void save_last() {
    require_finite_weights(flat_);
    if (!group_.is_first()) return;
    Json state;
    state["position"] = position_;
    state["sums"] = sums_;
    state["batches"] = batches_.state();
    state["schedule"] = schedule_.state();
    state["threads"] = at::get_num_threads();
    state["kept"] = Json::array();
    Progress progress;
    for (const auto& kept : kept_.kept()) {
      state["kept"].push_back({{"value", kept.value}, {"step", kept.step}});
      if (config_.average_best > 1)
        progress.averages.emplace_back("best_at_" + std::to_string(kept.step), kept.weights);
    }
    if (average_.weights().defined())
      progress.averages.emplace_back(kMovingAverage, average_.weights());
    progress.weights = named_parameters(model_);
    progress.optimizer = optimizer_.state();
    progress.optimizer.emplace_back(kGenerator, generator_state());
    progress.metadata = described();
    progress.state = state.dump();
    save_progress(progress, last());
    observer_.on_checkpoint(position_.step);
  }

  /// `last` as the first process finds it, for all.
  Progress saved_progress() {
    Progress progress;
    if (group_.is_first()) progress = load_progress(last());
    group_.broadcast(progress.weights);
    group_.broadcast(progress.optimizer);
    group_.broadcast(progress.averages);
    group_.broadcast(progress.state);
    if (!group_.is_first()) progress.metadata = metadata_;
    return progress;
  }

  void share_weights() {
    const Tensor weights = flat_.clone();
    group_.broadcast(weights);
    if (!group_.is_first()) optimizer_.set_parameters(weights);
  }

  void restore(Progress progress) {
    for (const auto& [key, value] : metadata_)
      if (progress.metadata[key] != value)
        throw Error(last().string() + " was trained with another " + key +
                    " than the present one: resume with the vocabulary that it was started with");
    copy_into(named_parameters(model_), {progress.weights, {}}, last() / "weights.safetensors");
    optimizer_.restore(progress.optimizer);
    const Tensor generator = find_tensor(progress.optimizer, kGenerator);
    const Tensor average = find_tensor(progress.averages, kMovingAverage);
    if (!generator.defined() || average.defined() != average_.weights().defined())
      throw Error(last().string() +
                  " was saved with another setting of training.ema_decay: resume with the config "
                  "that it was started with");
    try {
      const Json state = Json::parse(progress.state);
      position_ = state.at("position").get<Position>();
      sums_ = state.at("sums").get<Sums>();
      schedule_ = make_schedule();
      schedule_.restore(state.at("schedule").get<std::string>());
      batches_.restore(state.at("batches").get<std::string>());
      std::vector<BestWeights::Kept> kept;
      for (const Json& item : state.at("kept")) {
        const auto step = item.at("step").get<int64_t>();
        const Tensor weights = find_tensor(progress.averages, "best_at_" + std::to_string(step));
        if (config_.average_best > 1 && !weights.defined())
          throw Error(last().string() +
                      " was saved with training.average_best: 1: resume with the config that it "
                      "was started with");
        kept.push_back(
            {item.at("value").get<double>(), step, weights.defined() ? weights.clone() : weights});
      }
      kept_.restore(std::move(kept));
    } catch (const Json::exception& error) {
      throw Error((last() / "state.json").string() + " is not readable: " + error.what());
    }
    if (average.defined()) average_.restore(average);
    set_generator_state(generator.clone());
  }

  Seq2Seq& model_;
  const TrainingData& data_;
  const TrainingConfig& config_;
  const ValidationConfig& validation_;
  std::filesystem::path directory_;
  Metadata metadata_;
  const std::atomic<bool>& stop_;
  TrainingObserver& observer_;
  Group& group_;
  bool has_validation_;

  Position position_;
  Sums sums_;
  AttentionSums attention_;      // of the last update, where config_.diagnostics asks for it
  int64_t attended_tokens_ = 0;  // target tokens that it is of
  TrainingBatches batches_;
  Optimizer optimizer_;
  Gradients gradients_;
  Tensor flat_ = optimizer_.flat_parameters();
  Schedule schedule_;
  MovingAverage average_;
  BestWeights kept_;
  Clock::time_point started_;
  Wishes common_wishes_;  // of all processes, at the last update
};

}  // namespace

TrainingSummary train(Seq2Seq& model, const TrainingData& data, const TrainingConfig& config,
                      const ValidationConfig& validation, const std::filesystem::path& directory,
                      const Metadata& metadata, bool resume, const std::atomic<bool>& stop,
                      TrainingObserver& observer, Group* group) {
  Group alone;
  Trainer trainer(model, data, config, validation, directory, metadata, stop, observer,
                  group == nullptr ? alone : *group);
  return trainer.run(resume);
}

}  // namespace softalign
