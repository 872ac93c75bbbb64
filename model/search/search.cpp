#include "model/search/search.h"

#include <c10/core/InferenceMode.h>

#include <cmath>
#include <numeric>
#include <string>

#include "data/error.h"
#include "model/search/beam.h"
#include "model/search/constraints.h"
#include "model/search/ensemble.h"
#include "model/search/paths.h"

namespace softalign {
namespace {

void require(bool good, const std::string& message) {
  if (!good) throw Error(message);
}

void check_inputs(std::vector<Seq2Seq>& models, const SourceBatch& sources,
                  const std::vector<std::vector<int64_t>>& prefixes,
                  const std::vector<int64_t>& indices) {
  require(!models.empty(), "search needs at least one model");
  const auto sentences = static_cast<size_t>(sources.ids.size(0));
  const int64_t vocabulary = models.front()->config().target_vocabulary;
  for (Seq2Seq& model : models)
    require(model->config().target_vocabulary == vocabulary,
            "the models of an ensemble must have the same target vocabulary");
  require(prefixes.empty() || prefixes.size() == sentences,
          std::to_string(prefixes.size()) + " prefixes for " + std::to_string(sentences) +
              " sentences");
  require(
      indices.empty() || indices.size() == sentences,
      std::to_string(indices.size()) + " indices for " + std::to_string(sentences) + " sentences");
  for (const std::vector<int64_t>& prefix : prefixes)
    for (const int64_t token : prefix)
      require(token >= 0 && token < vocabulary && token != kEos,
              "token " + std::to_string(token) + " can't stand in a prefix");
}

}  // namespace

void check(const SearchOptions& options) {
  const auto number = [](int64_t value) { return std::to_string(value); };
  const auto non_negative = [](double value) { return std::isfinite(value) && value >= 0; };
  require(options.beam >= 1, "beam " + number(options.beam) + " is not at least 1");
  require(options.nbest >= 1, "nbest " + number(options.nbest) + " is not at least 1");
  require(options.sample || options.nbest <= options.beam,
          "nbest " + number(options.nbest) + " is more than beam " + number(options.beam) +
              ": a beam of this width has no more hypotheses");
  require(non_negative(options.length_penalty_alpha), "length_penalty_alpha must be at least 0");
  require(non_negative(options.coverage_penalty), "coverage_penalty must be at least 0");
  require(non_negative(options.max_length_factor), "max_length_factor must be at least 0");
  require(options.max_length_constant >= 0, "max_length_constant must be at least 0");
  require(options.max_length_factor > 0 || options.max_length_constant > 0,
          "max_length_factor and max_length_constant can't both be 0");
  require(options.max_length >= 0, "max_length must be at least 0");
  require(non_negative(options.min_length_factor), "min_length_factor must be at least 0");
  require(options.min_length >= 0, "min_length must be at least 0");
  require(options.block_ngrams >= 0, "block_ngrams must be at least 0");
  require(std::isfinite(options.temperature) && options.temperature > 0,
          "temperature must be above 0");
  require(options.top_k >= 0, "top_k must be at least 0");
}

std::vector<std::vector<Hypothesis>> search(std::vector<Seq2Seq>& models,
                                            const SourceBatch& sources,
                                            const SearchOptions& options,
                                            const std::vector<std::vector<int64_t>>& prefixes,
                                            const std::vector<int64_t>& indices) {
  check(options);
  check_inputs(models, sources, prefixes, indices);
  const auto count = static_cast<size_t>(sources.ids.size(0));
  if (count == 0) return {};
  const c10::InferenceMode inference;
  const EvaluationMode evaluation(models);
  std::vector<Constraints> sentences;
  const int64_t* lengths = sources.lengths.data_ptr<int64_t>();
  for (size_t b = 0; b < count; ++b)
    sentences.emplace_back(options, lengths[b],
                           prefixes.empty() ? std::vector<int64_t>{} : prefixes[b]);
  Ensemble ensemble(models, sources);
  if (options.sample) {
    std::vector<int64_t> places = indices;
    if (places.empty()) {
      places.resize(count);
      std::iota(places.begin(), places.end(), 0);
    }
    return sample_outputs(ensemble, sentences, places, options);
  }
  if (options.beam == 1) return greedy_search(ensemble, sentences, options);
  return beam_search(ensemble, sentences, options);
}

}  // namespace softalign
