#include "tests/model/training/toy.h"

#include <ATen/Context.h>

#include <random>

#include "data/sampler.h"

namespace softalign {
namespace {

Corpus copies(int64_t count, std::mt19937_64& random) {
  Corpus corpus;
  for (int64_t n = 0; n < count; ++n) {
    SentencePair pair;
    const uint64_t words = 2 + uniform(4, random);
    for (uint64_t i = 0; i < words; ++i) {
      pair.source +=
          (i == 0 ? "" : " ") + std::string(1, static_cast<char>('a' + uniform(8, random)));
      pair.links.push_back({static_cast<int64_t>(i), static_cast<int64_t>(i), true});
    }
    pair.target = pair.source;
    corpus.pairs.push_back(pair);
  }
  return corpus;
}

Subword letters() {
  SubwordConfig config;
  config.kind = SubwordKind::bpe;
  config.vocabulary_size = 21;
  int64_t line = 0;
  const auto next = [&line]() -> std::optional<std::string> {
    if (line == 64) return std::nullopt;
    std::string text;
    for (int64_t i = 0; i < 8; ++i)
      text += (i == 0 ? "" : " ") + std::string(1, static_cast<char>('a' + (line + i) % 8));
    ++line;
    return text;
  };
  return Subword::train(config, next, 1, [](const std::string&) {});
}

}  // namespace

Toy copy_task(int64_t train_pairs, int64_t valid_pairs, uint64_t seed) {
  std::mt19937_64 random(seed);
  const Subword subword = letters();
  Toy toy{{copies(train_pairs, random), copies(valid_pairs, random), subword, subword, 100},
          {},
          {},
          {}};
  toy.model.source_vocabulary = toy.model.target_vocabulary = subword.size();
  toy.model.source_embedding = toy.model.target_embedding = 16;
  toy.model.encoder.hidden = toy.model.decoder.hidden = 24;
  toy.training.optimizer.learning_rate = 0.01;
  toy.training.sampler.batch_sentences = 16;
  toy.training.report_every = 1;
  toy.training.metric = Metric::perplexity;
  return toy;
}

Seq2Seq new_model(const ModelConfig& config, uint64_t seed) {
  at::manual_seed(seed);
  return Seq2Seq(config);
}

void Recorder::on_start(int64_t batches, int64_t step) {
  batches_per_epoch = batches;
  first_step = step;
}

void Recorder::on_update(const StepReport& report) {
  updates.push_back(report);
  if (report.step == stop_at_step) stop = true;
}

void Recorder::on_validation_start(int64_t) {
  if (++validation_starts == stop_at_validation) stop = true;
}

TrainingSummary train(Seq2Seq& model, const Toy& toy, const std::filesystem::path& directory,
                      Recorder& recorder, bool resume) {
  return train(model, toy.data, toy.training, toy.validation, directory,
               {{"source_vocabulary", toy.data.source.digest()}}, resume, recorder.stop, recorder);
}

}  // namespace softalign
