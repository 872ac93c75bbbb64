#include "model/inspect/walk.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "data/batch.h"
#include "data/error.h"
#include "model/search/constraints.h"
#include "model/search/ensemble.h"
#include "model/seq2seq.h"

namespace softalign {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

std::vector<float> numbers(const Tensor& tensor) {
  const Tensor flat = on_host(tensor).view({-1});
  return {flat.data_ptr<float>(), flat.data_ptr<float>() + flat.numel()};
}

/// [n, width] as n vectors.
std::vector<std::vector<float>> rows(const Tensor& tensor) {
  std::vector<std::vector<float>> result;
  for (int64_t head = 0; head < tensor.size(0); ++head) result.push_back(numbers(tensor[head]));
  return result;
}

/// One head or several, of batch 1 and target 1, as [heads, source].
Tensor by_head(const Tensor& x) { return x.reshape({-1, x.size(-1)}); }

/// e_t as the softmax gets it: the window's bias added, −∞ outside. Positions that `location`
/// can't score are outside.
Tensor scores_in_window(const Attended& attended) {
  const int64_t source = attended.weights.size(-1);
  Tensor scores = by_head(attended.scores);  // [heads, scored]
  if (scores.size(1) < source)
    scores = at::constant_pad_nd(scores, {0, source - scores.size(1)}, kNever);
  if (attended.bounds.bias.defined()) scores = scores + by_head(attended.bounds.bias);
  return scores.masked_fill(by_head(attended.bounds.mask).logical_not(), kNever);
}

/// The intervention's weights, summing to 1: [1, source].
Tensor weights_of(const Intervention& intervention, int64_t source) {
  const std::string where = "the weights for step " + std::to_string(intervention.step);
  std::vector<float> weights = intervention.weights;
  if (weights.empty()) weights.assign(static_cast<size_t>(source), 1.0F);
  if (static_cast<int64_t>(weights.size()) != source)
    throw Error(where + " are " + std::to_string(weights.size()) + ", but the source has " +
                std::to_string(source) + " tokens with its end");
  for (const float weight : weights)
    if (!std::isfinite(weight) || weight < 0) throw Error(where + ": each must be at least 0");
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  if (sum <= 0) throw Error(where + " are all 0: at least one must be more");
  return at::tensor(weights).div(sum).unsqueeze(0);  // [1, source]
}

void check_inputs(const ModelConfig& config, const std::vector<int64_t>& prefix,
                  const WalkOptions& options) {
  if (!options.interventions.empty() && config.attention.score == ScoreKind::none)
    throw Error("this model has no attention (score: none): there are no weights to change");
  for (size_t t = 0; t < prefix.size(); ++t) {
    const int64_t token = prefix[t];
    const bool ends = token == kEos && t + 1 == prefix.size();
    if (token < 0 || token >= config.target_vocabulary || token == kPad || token == kBos ||
        (token == kEos && !ends))
      throw Error("token " + std::to_string(token) + " can't stand in place " + std::to_string(t) +
                  " of the output");
  }
}

}  // namespace

Walk walk(Seq2Seq& model, const std::vector<int64_t>& source, const std::vector<int64_t>& prefix,
          const WalkOptions& options) {
  check_inputs(model->config(), prefix, options);
  const c10::InferenceMode inference;
  std::vector<Seq2Seq> models{model};
  const EvaluationMode evaluation(models);
  const at::Device device = device_of(model);
  const SourceBatch batch = make_source_batch({source});
  const int64_t source_tokens = batch.ids.size(1);
  const Constraints constraints(options.search, source_tokens, prefix);

  Memory memory = model->encode(batch.ids.to(device), batch.lengths.to(device));
  DecoderState state = model->start(memory);
  Walk result;
  result.states = rows(on_host(memory.states[0]));
  int64_t read = kBos;
  std::vector<int64_t> history;
  for (int64_t t = 0; t < constraints.maximum_length() && !result.finished; ++t) {
    const bool forced = t < static_cast<int64_t>(prefix.size());
    if (!forced && !options.go_on) break;
    Tensor given;
    for (const Intervention& intervention : options.interventions)
      if (intervention.step == t) given = weights_of(intervention, source_tokens).to(device);
    auto [attended, next] =
        model->step(at::full({1}, read, at::device(device).dtype(at::kLong)), state, memory, given);
    const Tensor log_probs = on_host(model->log_probs(attended.attentional_state)).view({-1});

    DecoderStep step;
    step.given_weights = given.defined();
    step.query = numbers(attended.query);
    step.weights = numbers(attended.weights);
    if (attended.scores.defined()) {
      step.scores = rows(on_host(scores_in_window(attended)));
      step.head_weights = rows(on_host(
          by_head(attended.head_weights.defined() ? attended.head_weights : attended.weights)));
    }
    step.context = numbers(attended.context);
    step.attentional_state = numbers(attended.attentional_state);
    float* log_prob = log_probs.data_ptr<float>();
    step.next = top_k(log_prob, log_probs.numel(), options.alternatives);
    const Tensor allowed = log_probs.clone();
    constraints.restrict(allowed.data_ptr<float>(), allowed.numel(), t, history);
    const std::vector<Choice> best = top_k(allowed.data_ptr<float>(), allowed.numel(), 1);
    if (best.empty()) break;
    step.token = best.front().token;
    step.log_prob = log_prob[step.token];

    result.log_prob += step.log_prob;
    result.finished = step.token == kEos;
    read = step.token;
    history.push_back(step.token);
    state = std::move(next);
    result.steps.push_back(std::move(step));
  }
  return result;
}

}  // namespace softalign
