#include "model/search/given.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <string>

#include "data/error.h"
#include "model/search/ensemble.h"
#include "model/search/penalties.h"

namespace softalign {
namespace {

Batch forced_batch(const SourceBatch& sources, const std::vector<std::vector<int64_t>>& targets) {
  Batch batch;
  batch.source = sources.ids;
  batch.source_lengths = sources.lengths;
  size_t longest = 1;
  for (const auto& target : targets) longest = std::max(longest, target.size());
  const auto count = static_cast<int64_t>(targets.size());
  const auto width = static_cast<int64_t>(longest);
  batch.target_in = at::full({count, width}, kPad, at::kLong);
  batch.target_out = at::full({count, width}, kPad, at::kLong);
  batch.target_lengths = at::zeros({count}, at::kLong);
  int64_t* in = batch.target_in.data_ptr<int64_t>();
  int64_t* out = batch.target_out.data_ptr<int64_t>();
  int64_t* lengths = batch.target_lengths.data_ptr<int64_t>();
  for (int64_t b = 0; b < count; ++b) {
    const std::vector<int64_t>& target = targets[static_cast<size_t>(b)];
    in[b * width] = kBos;
    std::copy(target.begin(), target.end(), out + b * width);
    if (!target.empty()) std::copy(target.begin(), target.end() - 1, in + b * width + 1);
    lengths[b] = static_cast<int64_t>(target.size());
    batch.sentences.push_back(b);
    batch.target_tokens += lengths[b];
  }
  return batch;
}

void check_inputs(std::vector<Seq2Seq>& models, const SourceBatch& sources,
                  const std::vector<std::vector<int64_t>>& targets) {
  if (models.empty()) throw Error("scoring needs at least one model");
  if (static_cast<size_t>(sources.ids.size(0)) != targets.size())
    throw Error(std::to_string(sources.ids.size(0)) + " sources but " +
                std::to_string(targets.size()) + " targets");
  const int64_t vocabulary = models.front()->config().target_vocabulary;
  for (const std::vector<int64_t>& target : targets)
    for (const int64_t token : target)
      if (token < 0 || token >= vocabulary)
        throw Error("token " + std::to_string(token) + " is not in the vocabulary of " +
                    std::to_string(vocabulary));
}

}  // namespace

std::vector<Hypothesis> score_given(std::vector<Seq2Seq>& models, const SourceBatch& sources,
                                    const std::vector<std::vector<int64_t>>& targets,
                                    const SearchOptions& options) {
  check_inputs(models, sources, targets);
  if (targets.empty()) return {};
  const c10::InferenceMode inference;
  const EvaluationMode evaluation(models);
  const Batch batch = forced_batch(sources, targets);
  std::vector<Tensor> log_probs_of_models, weights_of_models;
  for (Seq2Seq& model : models) {
    const auto [log_probs, weights] = model->token_log_probs(batch.to(device_of(model)));
    log_probs_of_models.push_back(on_host(log_probs));
    weights_of_models.push_back(on_host(weights));
  }
  const Tensor log_probs = log_mean_exp(log_probs_of_models);  // [batch, target]
  const Tensor weights = mean(weights_of_models);              // [batch, target, source]
  const float* log_prob = log_probs.data_ptr<float>();
  const float* weight = weights.data_ptr<float>();
  const int64_t* source_lengths = sources.lengths.data_ptr<int64_t>();
  std::vector<Hypothesis> hypotheses;
  for (size_t b = 0; b < targets.size(); ++b) {
    Hypothesis hypothesis;
    hypothesis.tokens = targets[b];
    hypothesis.finished = !targets[b].empty() && targets[b].back() == kEos;
    for (size_t t = 0; t < targets[b].size(); ++t) {
      const int64_t place = static_cast<int64_t>(b) * log_probs.size(1) + static_cast<int64_t>(t);
      hypothesis.log_prob += log_prob[place];
      const float* row = weight + place * weights.size(2);
      hypothesis.attention.emplace_back(row, row + source_lengths[b]);
    }
    hypothesis.score = penalised_score(options, hypothesis);
    hypotheses.push_back(std::move(hypothesis));
  }
  return hypotheses;
}

}  // namespace softalign
