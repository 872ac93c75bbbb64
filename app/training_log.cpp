#include "app/training_log.h"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/render/label.h"
#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr int64_t kStepsToEstimate = 20;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string mebibytes_in_use() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return grouped(usage.ru_maxrss / 1024) + " MiB";  // Linux counts KiB
}

/// Invalid UTF-8 can't occur in our texts; `replace` keeps a surprise from ending a training.
std::string one_line(const json& record) {
  return record.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// Three decimals are what a picture shows.
json rounded(const std::vector<std::vector<float>>& weights) {
  json rows = json::array();
  for (const std::vector<float>& row : weights) {
    rows.push_back(json::array());
    for (const float weight : row) rows.back().push_back(std::round(weight * 1000.0) / 1000.0);
  }
  return rows;
}

std::string significant(double value) {
  return fixed(value, value != 0 && std::abs(value) < 0.01 ? 6 : 3);
}

}  // namespace

TrainingLog::TrainingLog(std::filesystem::path file, const TrainingConfig& config, int64_t threads,
                         std::vector<std::string> corpus, std::function<void()> write_report)
    : file_(std::move(file)),
      config_(config),
      threads_(threads),
      corpus_(std::move(corpus)),
      write_report_(std::move(write_report)) {}

void TrainingLog::finish() {
  progress_.clear();
  report();
}

void TrainingLog::report() {
  try {
    write_report_();
  } catch (const Error& error) {
    spdlog::warn("no report: {}", error.what());
  }
}

void TrainingLog::on_start(int64_t batches_per_epoch, int64_t first_step) {
  batches_per_epoch_ = batches_per_epoch;
  first_step_ = first_step;
  started_ = drawn_ = Clock::now();
  keep_records_until(first_step);
  stream_.open(file_, std::ios::app | std::ios::binary);
  append(one_line({{"type", "start"},
                   {"step", first_step},
                   {"batches_per_epoch", batches_per_epoch},
                   {"seed", config_.seed},
                   {"threads", threads_}}));
  append(one_line({{"type", "corpus"}, {"step", first_step}, {"summary", corpus_}}));
}

void TrainingLog::on_update(const StepReport& report) {
  const int64_t done = report.step - first_step_;
  if (done == 1) first_progress_ = progress_at(report);
  if (done == kStepsToEstimate) {
    const double epoch = seconds_since(started_) / static_cast<double>(done) *
                         static_cast<double>(batches_per_epoch_) /
                         static_cast<double>(config_.accumulate);
    progress_.clear();
    spdlog::info("one epoch takes about {}; memory so far {}", duration(epoch), mebibytes_in_use());
  }
  if (!progress_.visible() || (done > 1 && seconds_since(drawn_) < 0.2)) return;
  drawn_ = Clock::now();
  const double share = progress_at(report);
  std::string text = "epoch " + std::to_string(report.epoch) + "  step " + grouped(report.step) +
                     "  loss " + fixed(report.loss, 3) + "  " +
                     grouped(std::llround(report.target_tokens_per_second)) + " tokens/s";
  if (share > first_progress_)
    text += "  " + duration(seconds_since(started_) * (1 - share) / (share - first_progress_)) +
            " left";
  progress_.show(share, text);
}

void TrainingLog::on_report(const StepReport& report) {
  json record = {{"type", "report"},
                 {"step", report.step},
                 {"epoch", report.epoch},
                 {"epoch_progress", report.epoch_progress},
                 {"loss", report.loss},
                 {"perplexity", report.perplexity},
                 {"accuracy", report.accuracy},
                 {"learning_rate", report.learning_rate},
                 {"gradient_norm", report.gradient_norm},
                 {"target_tokens_per_second", report.target_tokens_per_second},
                 {"source_tokens_per_second", report.source_tokens_per_second},
                 {"target_tokens", report.target_tokens},
                 {"padded_tokens", report.padded_tokens},
                 {"seconds", report.seconds}};
  if (report.attention)
    record["attention"] = {{"score_variance", report.attention->score_variance},
                           {"row_variance", report.attention->row_variance},
                           {"entropy", report.attention->entropy},
                           {"saturated", report.attention->saturated},
                           {"gradient_norm", report.attention->gradient_norm}};
  append(one_line(record));
  if (progress_.visible()) return;  // the progress line shows it
  spdlog::info(
      "epoch {} step {}  loss {}  perplexity {}  learning rate {}  gradient {}  {} tokens/s",
      report.epoch, report.step, fixed(report.loss, 4), fixed(report.perplexity, 2),
      significant(report.learning_rate), significant(report.gradient_norm),
      grouped(std::llround(report.target_tokens_per_second)));
}

void TrainingLog::on_validation_start(int64_t sentences) {
  progress_.clear();
  spdlog::debug("validation on {} sentences", grouped(sentences));
}

void TrainingLog::on_validation(const ValidationReport& report) {
  json record = {{"type", "validation"},        {"step", report.step},
                 {"epoch", report.epoch},       {"perplexity", report.perplexity},
                 {"accuracy", report.accuracy}, {"seconds", report.seconds},
                 {"best", report.best},         {"samples", json::array()}};
  if (report.bleu) record["bleu"] = *report.bleu;
  if (report.chrf) record["chrf"] = *report.chrf;
  constexpr bool kWords = false;  // pieces
  for (const SampleTranslation& sample : report.samples)
    record["samples"].push_back({{"source", sample.source},
                                 {"reference", sample.reference},
                                 {"output", sample.output},
                                 {"source_labels", label_texts(sample.source_tokens, kWords)},
                                 {"target_labels", label_texts(sample.target_tokens, kWords)},
                                 {"attention", rounded(sample.attention)}});
  append(one_line(record));

  progress_.clear();
  this->report();
  std::string scores;
  if (report.bleu) scores += "  BLEU " + fixed(*report.bleu, 2);
  if (report.chrf) scores += "  chrF " + fixed(*report.chrf, 2);
  spdlog::info("epoch {} step {}  validation: perplexity {}{}{}  ({})", report.epoch, report.step,
               fixed(report.perplexity, 3), scores, report.best ? "  best so far" : "",
               duration(report.seconds));
  if (!report.samples.empty()) {
    const SampleTranslation& sample = report.samples.front();
    spdlog::debug("{} → {} (reference: {})", sample.source, sample.output, sample.reference);
  }
}

void TrainingLog::on_checkpoint(int64_t step) {
  progress_.clear();
  spdlog::debug("state for --resume saved at step {}", step);
}

void TrainingLog::keep_records_until(int64_t step) const {
  if (!std::filesystem::exists(file_)) return;
  std::string kept;
  for (const std::string& line : read_lines(file_)) {
    const json record = json::parse(line, nullptr, /*allow_exceptions=*/false);
    // A line cut off by a kill is no record.
    if (record.is_object() && record.value("step", int64_t{0}) <= step) kept += line + "\n";
  }
  write_atomically(file_, kept);
}

void TrainingLog::append(const std::string& line) {
  stream_ << line << '\n' << std::flush;
  if (!stream_)
    throw Error(file_.string() + ": the log can't be written: is the disk full?", Error::kMachine);
}

double TrainingLog::progress_at(const StepReport& report) const {
  double share = 0;
  if (config_.max_steps > 0)
    share = static_cast<double>(report.step) / static_cast<double>(config_.max_steps);
  if (config_.max_epochs > 0)
    share = std::max(share, (static_cast<double>(report.epoch - 1) + report.epoch_progress) /
                                static_cast<double>(config_.max_epochs));
  if (config_.max_minutes > 0)
    share = std::max(share, seconds_since(started_) / 60 / config_.max_minutes);
  return std::min(share, 1.0);
}

}  // namespace softalign
