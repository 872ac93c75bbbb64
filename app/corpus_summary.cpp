#include "app/corpus_summary.h"

#include <algorithm>

#include "app/log.h"

namespace softalign {
namespace {

std::string percent(double share) { return fixed(100 * share, 2) + " %"; }

std::string counted(int64_t count, const std::string& what) { return grouped(count) + " " + what; }

std::string pairs_line(const Corpus& corpus, const EncodedCorpus& encoded, int64_t max_length) {
  const CorpusReport& report = corpus.report;
  std::string left_out;
  const auto add = [&](int64_t count, const std::string& why) {
    if (count > 0) left_out += (left_out.empty() ? "" : ", ") + counted(count, why);
  };
  add(report.empty, "with a blank side");
  add(report.invalid_utf8, "not valid UTF-8");
  add(report.lines - report.kept - report.empty - report.invalid_utf8, "duplicates");
  add(encoded.report.too_long, "longer than " + std::to_string(max_length) + " pieces");
  return "training: " + counted(encoded.report.kept, "pairs of ") + counted(report.lines, "lines") +
         (left_out.empty() ? "" : "; left out: " + left_out);
}

std::string tokens_line(const CorpusStatistics& facts) {
  return "source: " + counted(facts.source_tokens, "tokens, ") + fixed(facts.mean_source, 1) +
         " a sentence, longest " + grouped(facts.longest_source) +
         "; target: " + counted(facts.target_tokens, "tokens, ") + fixed(facts.mean_target, 1) +
         " a sentence, longest " + grouped(facts.longest_target);
}

}  // namespace

std::vector<std::string> summarize(const Corpus& train, const EncodedCorpus& encoded_train,
                                   const Corpus& valid, const EncodedCorpus& encoded_valid,
                                   int64_t max_length) {
  std::vector<std::string> lines;
  lines.push_back(pairs_line(train, encoded_train, max_length));
  lines.push_back(tokens_line(statistics(encoded_train)));
  if (const auto& invalid = train.report.first_invalid)
    lines.push_back("first ill-formed UTF-8: " + invalid->file.string() + ":" +
                    std::to_string(invalid->line) + ", byte " + std::to_string(invalid->byte + 1));
  if (train.report.duplicates > 0)
    lines.push_back(counted(train.report.duplicates, "training pairs occur more than once"));
  if (train.report.same_on_both_sides > 0)
    lines.push_back(
        counted(train.report.same_on_both_sides, "training pairs are the same text on both sides"));
  if (valid.pairs.empty()) return lines;

  const CorpusStatistics facts = statistics(encoded_valid);
  lines.push_back("validation: " + counted(static_cast<int64_t>(valid.pairs.size()), "pairs; ") +
                  "unknown tokens: source " + percent(facts.unknown_rate_source) + ", target " +
                  percent(facts.unknown_rate_target));
  const Overlap shared = overlap(train, valid);
  if (shared.source > 0 || shared.target > 0)
    lines.push_back("validation sentences that occur in training: source " +
                    grouped(shared.source) + ", target " + grouped(shared.target) +
                    ", the whole pair " + grouped(shared.both));
  return lines;
}

double estimated_memory(const ExperimentConfig& config, int64_t parameters) {
  constexpr double kFloat = 4, kProgram = 250e6;
  const TrainingConfig& training = config.training;
  const double moments = training.optimizer.kind == OptimizerKind::sgd ? 1 : 2;
  const double averages =
      (training.ema_decay > 0 ? 1.0 : 0.0) +
      (training.average_best > 1 ? static_cast<double>(training.average_best) : 0.0);
  const double weights = kFloat * static_cast<double>(parameters) * (2 + moments + averages);

  // Per token: the embedding, per layer the input, four gates, state and cell, each with its
  // gradient; per target token also query, context, attentional state and the row of weights.
  const ModelConfig& model = config.model;
  const auto layers = [](int64_t count, int64_t hidden) {
    return static_cast<double>(count) * 7 * static_cast<double>(hidden);
  };
  const double source = static_cast<double>(model.source_embedding) +
                        layers(model.encoder.layers, model.encoder.hidden);
  const double target = static_cast<double>(model.target_embedding) +
                        layers(model.decoder.layers, model.decoder.hidden) +
                        4 * static_cast<double>(model.decoder.hidden) + 100;
  const double batch =
      kFloat * 2 * static_cast<double>(training.sampler.batch_tokens) * (source + target);
  return kProgram + weights + batch;
}

}  // namespace softalign
