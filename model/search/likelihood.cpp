#include "model/search/likelihood.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <numeric>

#include "data/batch.h"
#include "data/error.h"
#include "model/search/ensemble.h"

namespace softalign {
namespace {

size_t longer_side(const EncodedPair& pair) {
  return std::max(pair.source.size(), pair.target.size());
}

void add_batch(std::vector<Seq2Seq>& models, const Batch& batch, Likelihood& sum) {
  std::vector<Tensor> states;  // s̃ of each model, [batch, target, state]
  for (Seq2Seq& model : models) {
    const Batch moved = batch.to(device_of(model));
    Memory memory = model->encode(moved.source, moved.source_lengths);
    states.push_back(model->decode(moved.target_in, memory).attentional_state);
  }
  // Sentence by sentence, so that the probabilities of a whole batch are never in memory at once.
  const int64_t* lengths = batch.target_lengths.data_ptr<int64_t>();
  for (int64_t b = 0; b < batch.target_out.size(0); ++b) {
    std::vector<Tensor> of_models;
    for (size_t m = 0; m < models.size(); ++m) {
      const Tensor steps = states[m].select(0, b).narrow(0, 0, lengths[b]);  // [target, state]
      of_models.push_back(on_host(models[m]->log_probs(steps)));
    }
    const Tensor log_probs = log_mean_exp(of_models);  // [target, vocabulary]
    const Tensor target = batch.target_out.select(0, b).narrow(0, 0, lengths[b]);  // [target]
    sum.log_prob += log_probs.gather(1, target.unsqueeze(1)).sum(at::kDouble).item<double>();
    sum.correct += log_probs.argmax(1).eq(target).sum().item<int64_t>();
    sum.tokens += lengths[b];
  }
}

}  // namespace

Likelihood likelihood(std::vector<Seq2Seq>& models, const std::vector<EncodedPair>& pairs,
                      int64_t batch_sentences) {
  if (models.empty()) throw Error("the likelihood needs at least one model");
  if (batch_sentences < 1) throw Error("a batch has at least one sentence");
  const c10::InferenceMode inference;
  const EvaluationMode evaluation(models);
  std::vector<size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return longer_side(pairs[a]) < longer_side(pairs[b]);
  });
  Likelihood sum;
  for (size_t begin = 0; begin < order.size();) {
    std::vector<const EncodedPair*> batch;
    std::vector<int64_t> sentences;
    for (; begin < order.size() && static_cast<int64_t>(batch.size()) < batch_sentences; ++begin) {
      batch.push_back(&pairs[order[begin]]);
      sentences.push_back(static_cast<int64_t>(order[begin]));
    }
    add_batch(models, make_batch(batch, sentences), sum);
  }
  return sum;
}

}  // namespace softalign
