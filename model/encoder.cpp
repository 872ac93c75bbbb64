#include "model/encoder.h"

#include <ATen/ATen.h>

#include "model/dropout.h"

namespace softalign {
namespace {

RnnConfig rnn_config(const ModelConfig& config) {
  const EncoderConfig& encoder = config.encoder;
  RnnConfig rnn;
  rnn.cell = encoder.cell;
  rnn.input_size = config.source_embedding;
  rnn.hidden = encoder.bidirectional ? encoder.hidden / 2 : encoder.hidden;
  rnn.layers = encoder.layers;
  rnn.bidirectional = encoder.bidirectional;
  rnn.residual = encoder.residual;
  rnn.layer_norm = encoder.layer_norm;
  rnn.dropout = config.dropout.layers;
  rnn.variational = config.dropout.variational;
  rnn.kernels = config.kernels;
  return rnn;
}

}  // namespace

EncoderImpl::EncoderImpl(const ModelConfig& config)
    : dropout_(config.dropout), rnn_(register_module("rnn", Rnn(rnn_config(config)))) {
  const SelfAttentionConfig& self = config.encoder.self_attention;
  if (self.kind == SelfAttentionKind::scaled_dot)
    self_attention_ =
        register_module("self_attention", SelfAttention(config.encoder.hidden, self.heads));
}

Memory EncoderImpl::forward(const Tensor& embedded, const Tensor& lengths) {
  Memory memory;
  memory.lengths = lengths;
  const Tensor positions = at::arange(embedded.size(1), lengths.options());
  memory.mask = positions.unsqueeze(0) < lengths.unsqueeze(1);  // [batch, source]

  RnnOutput output = rnn_->forward(embedded, memory.mask);
  memory.summary = output.last.top();
  if (output.last.c.defined()) memory.summary_c = output.last.c.select(0, -1);
  memory.states = output.states;
  if (self_attention_) memory.states = self_attention_->forward(memory.states, memory.mask).states;
  memory.states = dropout(memory.states, dropout_.encoder, is_training(), dropout_.variational);
  return memory;
}

}  // namespace softalign
