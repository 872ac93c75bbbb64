#include "app/model_check.h"

#include <algorithm>
#include <cmath>
#include <random>

#include "app/log.h"
#include "app/model_directory.h"
#include "data/error.h"
#include "data/sampler.h"
#include "model/search/translator.h"
#include "model/training/checkpoint.h"

namespace softalign {
namespace {

// What single precision leaves of a sum over a long sentence.
constexpr double kScoreTolerance = 1e-4, kRowTolerance = 1e-5;

/// Sentences of 1 to 40 random pieces of the source vocabulary, of mixed lengths.
std::vector<std::string> random_sentences(const Subword& subword, size_t count) {
  std::mt19937_64 random(1);
  std::vector<std::string> sentences;
  const auto pieces = static_cast<uint64_t>(subword.size() - kEos - 1);
  while (sentences.size() < count) {
    const uint64_t length = 1 + uniform(sentences.size() % 4 == 0 ? 40 : 8, random);
    std::vector<int64_t> ids;
    for (uint64_t i = 0; i < length; ++i)
      ids.push_back(kEos + 1 + static_cast<int64_t>(uniform(pieces, random)));
    const std::string text = subword.decode(ids);
    sentences.push_back(text.empty() ? subword.piece(kEos + 1) : text);
  }
  return sentences;
}

std::string scientific(double value) {
  if (value == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(value)));
  return fixed(value / std::pow(10.0, exponent), 1) + "e" + std::to_string(exponent);
}

ModelProof files_intact(const ModelDirectory& directory) {
  ModelProof proof{"files are intact", true, "best.safetensors"};
  try {
    load_safetensors(directory.best());  // compares the checksum
    if (std::filesystem::exists(directory.last())) {
      load_progress(directory.last());
      proof.detail += ", last";
    }
  } catch (const Error& error) {
    proof = {proof.name, false, error.what()};
  }
  return proof;
}

ModelProof batch_mates(Translator& translator, const std::vector<std::string>& sentences,
                       const TranslateOptions& together,
                       const std::vector<Translation>& translations) {
  TranslateOptions alone = together;
  alone.batch_sentences = 1;
  const auto singles = translator.translate(sentences, alone);
  double largest = 0;
  int64_t different = 0;
  for (size_t i = 0; i < sentences.size(); ++i) {
    if (singles[i].best().ids != translations[i].best().ids)
      ++different;
    else
      largest =
          std::max(largest, std::abs(singles[i].best().log_prob - translations[i].best().log_prob));
  }
  return {"batch mates don't matter", different == 0 && largest <= kScoreTolerance,
          std::to_string(different) + " of " + std::to_string(sentences.size()) +
              " outputs differ, largest difference of log-probabilities " + scientific(largest)};
}

ModelProof score_is_search(Translator& translator, const std::vector<std::string>& sentences,
                           const TranslateOptions& options,
                           const std::vector<Translation>& translations) {
  std::vector<std::string> sources;
  std::vector<std::vector<int64_t>> targets;
  std::vector<double> expected;
  for (size_t i = 0; i < sentences.size(); ++i) {
    const Candidate& best = translations[i].best();
    if (!best.finished) continue;  // a cut output has no EOS to score
    sources.push_back(sentences[i]);
    targets.push_back(best.ids);
    expected.push_back(best.log_prob);
  }
  double largest = 0;
  const auto scored = translator.score_ids(sources, targets, options);
  for (size_t i = 0; i < scored.size(); ++i)
    largest = std::max(largest, std::abs(scored[i].log_prob - expected[i]));
  return {"score equals the search", largest <= kScoreTolerance,
          std::to_string(scored.size()) + " finished outputs, largest difference " +
              scientific(largest)};
}

ModelProof rows_sum_to_one(const std::vector<Translation>& translations, ScoreKind score) {
  double largest = 0;
  int64_t rows = 0;
  for (const auto& translation : translations) {
    for (const auto& row : translation.best().attention) {
      double sum = 0;
      for (const float weight : row) sum += static_cast<double>(weight);
      largest = std::max(largest, std::abs(sum - 1));
      ++rows;
    }
  }
  if (score == ScoreKind::none) return {"rows of weights sum to 1", true, "score none has none"};
  return {"rows of weights sum to 1", largest <= kRowTolerance,
          std::to_string(rows) + " rows, largest deviation " + scientific(largest)};
}

}  // namespace

std::vector<ModelProof> check_model(const ModelDirectory& directory, LoadedModel& model) {
  Translator& translator = *model.translator;
  const auto sentences = random_sentences(translator.source_subword(), 32);
  TranslateOptions options;
  options.search = model.config.translation.search;
  options.search.length_penalty = LengthPenalty::none;
  options.batch_sentences = 16;
  const auto translations = translator.translate(sentences, options);
  return {files_intact(directory), batch_mates(translator, sentences, options, translations),
          score_is_search(translator, sentences, options, translations),
          rows_sum_to_one(translations, model.config.model.attention.score)};
}

}  // namespace softalign
