#include "model/search/ensemble.h"

#include <ATen/ATen.h>

#include <cmath>
#include <numeric>

namespace softalign {
namespace {

Tensor ids(const std::vector<int64_t>& values, at::Device device) {
  return at::tensor(values, at::kLong).to(device);
}

}  // namespace

Ensemble::Ensemble(std::vector<Seq2Seq>& models, const SourceBatch& sources) {
  for (Seq2Seq& model : models) {
    const at::Device device = device_of(model);
    Memory memory = model->encode(sources.ids.to(device), sources.lengths.to(device));
    DecoderState state = model->start(memory);
    std::optional<FastSteps> fast = FastSteps::make(model, memory, state);
    members_.push_back({model, device, std::move(fast), std::move(memory), std::move(state)});
  }
  sentences_.resize(static_cast<size_t>(sources.ids.size(0)));
  std::iota(sentences_.begin(), sentences_.end(), 0);
}

Ensemble::Step Ensemble::step(const std::vector<int64_t>& tokens) {
  std::vector<Tensor> log_probs, weights;
  for (Member& member : members_) {
    if (member.fast) {
      FastSteps::Output output = member.fast->step(tokens);
      log_probs.push_back(std::move(output.log_probs));
      weights.push_back(std::move(output.weights));
      continue;
    }
    DecoderImpl::StepOutput output =
        member.model->step(ids(tokens, member.device), member.state, member.memory);
    member.state = std::move(output.state);
    log_probs.push_back(
        on_host(member.model->log_probs(output.attended.attentional_state.squeeze(1))));
    weights.push_back(on_host(output.attended.weights.squeeze(1)));
  }
  return {log_mean_exp(log_probs), mean(weights)};
}

void Ensemble::select(const std::vector<int64_t>& rows) {
  std::vector<int64_t> sentences;
  for (const int64_t row : rows) sentences.push_back(sentences_[static_cast<size_t>(row)]);
  std::vector<int64_t> unmoved(sentences_.size());
  std::iota(unmoved.begin(), unmoved.end(), 0);
  if (rows == unmoved) return;
  for (Member& member : members_) {
    if (member.fast) {
      member.fast->select(rows);
      continue;
    }
    const Tensor index = ids(rows, member.device);
    member.state = member.state.select(index);
    if (sentences != sentences_) member.memory = member.memory.select(index);
  }
  sentences_ = std::move(sentences);
}

EvaluationMode::EvaluationMode(std::vector<Seq2Seq>& models) {
  // Models that are in evaluation mode already are not touched: threads may share them.
  for (Seq2Seq& model : models)
    if (model->is_training()) in_training_.push_back(model);
  for (Seq2Seq& model : in_training_) model->eval();
}

EvaluationMode::~EvaluationMode() {
  for (Seq2Seq& model : in_training_) model->train();
}

Tensor log_mean_exp(const std::vector<Tensor>& log_probs) {
  if (log_probs.size() == 1) return log_probs.front();
  return at::logsumexp(at::stack(log_probs), 0) - std::log(static_cast<double>(log_probs.size()));
}

Tensor mean(const std::vector<Tensor>& tensors) {
  return tensors.size() == 1 ? tensors.front() : at::stack(tensors).mean(0);
}

Tensor on_host(const Tensor& tensor) {
  return tensor.to(at::Device(at::kCPU), at::kFloat).contiguous();
}

at::Device device_of(Seq2Seq& model) { return model->parameters().front().device(); }

}  // namespace softalign
