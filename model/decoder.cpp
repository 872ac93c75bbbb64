#include "model/decoder.h"

#include <ATen/ATen.h>

#include <vector>

#include "model/kernels/decoder.h"

namespace softalign {
namespace {

int64_t state_size(const ModelConfig& config) {
  return config.attention.state_size > 0 ? config.attention.state_size : config.decoder.hidden;
}

int64_t context_size(const ModelConfig& config) {
  if (config.attention.score != ScoreKind::projected) return config.encoder.hidden;
  return config.attention.key_size > 0 ? config.attention.key_size : config.decoder.hidden;
}

RnnConfig rnn_config(const ModelConfig& config) {
  const DecoderConfig& decoder = config.decoder;
  RnnConfig rnn;
  rnn.cell = decoder.cell;
  rnn.input_size = config.target_embedding;
  if (config.attention.input_feeding) rnn.input_size += state_size(config);
  if (config.attention.order == AttentionOrder::bahdanau) rnn.input_size += context_size(config);
  rnn.hidden = decoder.hidden;
  rnn.layers = decoder.layers;
  rnn.residual = decoder.residual;
  rnn.layer_norm = decoder.layer_norm;
  rnn.dropout = config.dropout.layers;
  rnn.variational = config.dropout.variational;
  rnn.kernels = config.kernels;
  return rnn;
}

// Σ h_i / n over tokens; padding is zero already. A sentence without tokens gives zeros.
Tensor mean_of_states(const Memory& memory) {
  const Tensor count = memory.lengths.clamp_min(1).to(memory.states.scalar_type());
  return memory.states.sum(1) / count.unsqueeze(1);  // [batch, hidden]
}

}  // namespace

DecoderState DecoderState::select(const Tensor& rows) const {
  return {rnn.select(rows),
          attentional_state.defined() ? attentional_state.index_select(0, rows) : attentional_state,
          step};
}

DecoderImpl::DecoderImpl(const ModelConfig& config)
    : kernels_(config.kernels),
      attention_config_(config.attention),
      config_(config.decoder),
      state_size_(softalign::state_size(config)),
      rnn_(register_module("rnn", Rnn(rnn_config(config)))),
      attention_(register_module(
          "attention", Attention(config.attention, config.decoder.hidden, config.encoder.hidden))) {
  const DecoderStart start = config_.start;
  if (start != DecoderStart::bridge && start != DecoderStart::mean_tanh) return;
  const int64_t wide = config_.layers * config_.hidden;
  W_h_ = register_module("W_h", torch::nn::Linear(config.encoder.hidden, wide));
  if (config_.cell == CellKind::lstm)
    W_cell_ = register_module("W_cell", torch::nn::Linear(config.encoder.hidden, wide));
}

DecoderState DecoderImpl::start(Memory& memory) {
  attention_->prepare(memory);
  const int64_t batch = memory.states.size(0);
  const bool is_lstm = config_.cell == CellKind::lstm;
  const Tensor zeros = memory.states.new_zeros({config_.layers, batch, config_.hidden});

  DecoderState state;
  state.rnn = {zeros, is_lstm ? zeros : Tensor(), {}};
  if (attention_config_.input_feeding)
    state.attentional_state = memory.states.new_zeros({batch, state_size_});
  if (config_.start == DecoderStart::last) {
    state.rnn.h = memory.summary.unsqueeze(0).expand({config_.layers, batch, config_.hidden});
    if (is_lstm && memory.summary_c.defined())
      state.rnn.c = memory.summary_c.unsqueeze(0).expand({config_.layers, batch, config_.hidden});
  } else if (config_.start != DecoderStart::zero) {
    const Tensor from =
        config_.start == DecoderStart::bridge ? memory.summary : mean_of_states(memory);
    const auto bridge = [&](torch::nn::Linear& W) {
      return W->forward(from)
          .tanh()
          .view({batch, config_.layers, config_.hidden})
          .transpose(0, 1);  // [layers, batch, hidden]
    };
    state.rnn.h = bridge(W_h_);
    if (is_lstm) state.rnn.c = bridge(W_cell_);
  }
  return state;
}

DecoderImpl::StepOutput DecoderImpl::step(const Tensor& embedded, const DecoderState& state,
                                          const Memory& memory, const Tensor& given_weights) {
  const Tensor given = given_weights.defined() ? given_weights.unsqueeze(1) : Tensor();
  const bool bahdanau = attention_config_.order == AttentionOrder::bahdanau;
  Attended attended;
  std::vector<Tensor> input{embedded};
  if (attention_config_.input_feeding) input.push_back(state.attentional_state);
  if (bahdanau) {
    attended = attention_->attend(state.rnn.top().unsqueeze(1), memory, state.step, given);
    input.push_back(attended.context.squeeze(1));
  }
  auto [output, rnn] = rnn_->step(at::cat(input, -1), state.rnn);
  const Tensor query = output.unsqueeze(1);  // s_t  [batch, 1, hidden]
  if (bahdanau)
    attended.attentional_state = attention_->attentional_state(attended.context, query);
  else
    attended = attention_->forward(query, memory, state.step, given);

  DecoderState next{rnn, {}, state.step + 1};
  if (attention_config_.input_feeding)
    next.attentional_state = attended.attentional_state.squeeze(1);
  return {attended, next};
}

bool DecoderImpl::can_decode_whole_sentences() const {
  return attention_config_.order == AttentionOrder::luong && !attention_config_.input_feeding;
}

Attended DecoderImpl::forward(const Tensor& embedded, const DecoderState& start,
                              const Memory& memory, bool keep_scores) {
  if (!can_decode_whole_sentences()) {
    std::optional<Attended> fused;
    if (!keep_scores) fused = forward_fused(embedded, start, memory);
    return fused ? *fused : forward_by_steps(embedded, start, memory);
  }
  const Tensor states =
      rnn_->forward(embedded, {}, start.rnn).states;  // s_1 … s_m [batch, target, hidden]
  return attention_->forward(states, memory, start.step);
}

std::optional<Attended> DecoderImpl::forward_fused(const Tensor& embedded,
                                                   const DecoderState& start,
                                                   const Memory& memory) {
  const std::optional<double> scale = attention_->product_scale();
  if (kernels_ != Kernels::fast || !scale || !attention_config_.input_feeding ||
      attention_config_.order != AttentionOrder::luong || config_.layers != 1)
    return {};
  const FeedingDecoder decoder{config_.cell, rnn_->weights(0), attention_->W_c(), *scale};
  const RnnState& rnn = start.rnn;
  const FeedingInputs inputs{
      embedded,
      {rnn.h.select(0, 0), rnn.c.defined() ? rnn.c.select(0, 0) : Tensor()},
      start.attentional_state,
      memory.keys,
      memory.values,
      memory.lengths};
  if (!can_run_feeding(decoder, inputs)) return {};
  const FeedingOutput output = run_feeding_decoder(decoder, inputs);
  Attended attended;
  attended.attentional_state = output.attentional_states;
  attended.context = output.contexts;
  attended.weights = output.weights;
  attended.query = output.states;
  return attended;
}

Attended DecoderImpl::forward_by_steps(const Tensor& embedded, const DecoderState& start,
                                       const Memory& memory) {
  const int64_t target = embedded.size(1);
  std::vector<Tensor> states, contexts, weights, queries, scores;
  DecoderState state = start;
  for (int64_t t = 0; t < target; ++t) {
    auto [attended, next] = step(embedded.select(1, t), state, memory);
    states.push_back(attended.attentional_state);
    contexts.push_back(attended.context);
    weights.push_back(attended.weights);
    queries.push_back(attended.query);
    if (attended.scores.defined()) scores.push_back(attended.scores);
    state = next;
  }
  Attended all;
  all.attentional_state = at::cat(states, 1);
  all.context = at::cat(contexts, 1);
  all.weights = at::cat(weights, 1);
  all.query = at::cat(queries, 1);
  if (!scores.empty()) all.scores = at::cat(scores, -2);
  all.step_scores = std::move(scores);
  return all;
}

}  // namespace softalign
