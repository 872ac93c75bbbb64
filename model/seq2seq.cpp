#include "model/seq2seq.h"

#include <ATen/ATen.h>

#include <cmath>

#include "model/dropout.h"

namespace softalign {
namespace {

int64_t attentional_size(const ModelConfig& config) {
  return config.attention.state_size > 0 ? config.attention.state_size : config.decoder.hidden;
}

torch::nn::Embedding make_embedding(int64_t vocabulary, int64_t width) {
  torch::nn::Embedding embedding(vocabulary, width);
  at::NoGradGuard guard;
  embedding->weight.normal_(0.0, 1.0 / std::sqrt(static_cast<double>(width)));
  return embedding;
}

double root_of_width(const torch::nn::Embedding& embedding) {
  return std::sqrt(static_cast<double>(embedding->weight.size(1)));
}

}  // namespace

Seq2SeqImpl::Seq2SeqImpl(const ModelConfig& config) : config_(config) {
  check(config);
  const int64_t state = attentional_size(config);
  if (config.tie == Tying::none) {
    output_weight_ = register_parameter(
        "output_weight", at::empty({config.target_vocabulary, state}).uniform_(-0.1, 0.1));
  }
  output_bias_ = register_parameter("output_bias", at::zeros({config.target_vocabulary}));
  source_embedding_ = register_module(
      "source_embedding", make_embedding(config.source_vocabulary, config.source_embedding));
  if (config.tie == Tying::all)
    target_embedding_ = source_embedding_;  // registered once, used twice
  else
    target_embedding_ = register_module(
        "target_embedding", make_embedding(config.target_vocabulary, config.target_embedding));
  encoder_ = register_module("encoder", Encoder(config));
  decoder_ = register_module("decoder", Decoder(config));
  if (config.tie != Tying::none && state != config.target_embedding)
    projection_ = register_module(
        "projection",
        torch::nn::Linear(torch::nn::LinearOptions(state, config.target_embedding).bias(false)));
}

int64_t Seq2SeqImpl::parameter_count() const {
  int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

Tensor Seq2SeqImpl::output_weight() const {
  return config_.tie == Tying::none ? output_weight_ : target_embedding_->weight;
}

Tensor Seq2SeqImpl::embed(torch::nn::Embedding& embedding, const Tensor& ids) {
  const Tensor tokens = drop_words(ids, config_.dropout.word, is_training());
  return dropout(embedding->forward(tokens) * root_of_width(embedding), config_.dropout.embedding,
                 is_training(), config_.dropout.variational);
}

Tensor Seq2SeqImpl::output_states(const Tensor& attentional_state) {
  const Tensor kept = dropout(attentional_state, config_.dropout.output, is_training(),
                              config_.dropout.variational);
  return projection_ ? projection_->forward(kept) : kept;
}

Memory Seq2SeqImpl::encode(const Tensor& source, const Tensor& lengths) {
  TORCH_CHECK(source.dim() == 2 && lengths.dim() == 1 && lengths.size(0) == source.size(0),
              "source ", source.sizes(), " and lengths ", lengths.sizes(),
              " should be [batch, source] and [batch]");
  return encoder_->forward(embed(source_embedding_, source), lengths);
}

DecoderState Seq2SeqImpl::start(Memory& memory) { return decoder_->start(memory); }

DecoderImpl::StepOutput Seq2SeqImpl::step(const Tensor& tokens, const DecoderState& state,
                                          const Memory& memory, const Tensor& given_weights) {
  return decoder_->step(embed(target_embedding_, tokens), state, memory, given_weights);
}

Tensor Seq2SeqImpl::log_probs(const Tensor& attentional_state) {
  return at::linear(output_states(attentional_state), output_weight(), output_bias_)
      .log_softmax(-1);
}

std::optional<StepWeights> Seq2SeqImpl::step_weights() const {
  const DecoderConfig& decoder = config_.decoder;
  const std::optional<double> scale = decoder_->attention().product_scale();
  if (config_.kernels != Kernels::fast || !scale || decoder.layers != 1 || decoder.layer_norm ||
      config_.attention.order != AttentionOrder::luong)
    return {};
  StepWeights weights;
  weights.cell = decoder.cell;
  weights.embedding = target_embedding_->weight;
  weights.embedding_scale = root_of_width(target_embedding_);
  weights.rnn = decoder_->cell_weights(0);
  weights.score_scale = *scale;
  weights.W_c = decoder_->attention().W_c();
  if (projection_) weights.projection = projection_->weight;
  weights.output_weight = output_weight();
  weights.output_bias = output_bias_;
  return weights;
}

Attended Seq2SeqImpl::decode(const Tensor& target_in, Memory& memory, bool keep_scores) {
  const DecoderState first = start(memory);
  return decoder_->forward(embed(target_embedding_, target_in), first, memory, keep_scores);
}

Loss Seq2SeqImpl::loss(const Batch& batch, const LossOptions& options) {
  Memory memory = encode(batch.source, batch.source_lengths);
  const Attended attended = decode(batch.target_in, memory, options.keep_scores);

  // Padding leaves before the output layer, which is most of the work.
  const Tensor is_token = batch.target_out.ne(kPad).view({-1});
  const Tensor tokens = is_token.nonzero().squeeze(1);                            // [tokens]
  const Tensor targets = batch.target_out.reshape({-1}).index_select(0, tokens);  // [tokens]
  const Tensor states = output_states(attended.attentional_state);  // [batch, target, state]
  const Tensor kept = states.reshape({-1, states.size(-1)}).index_select(0, tokens);

  OutputLoss output =
      output_loss(kept, output_weight(), output_bias_, targets, options.label_smoothing,
                  config_.kernels);
  Loss loss{output.loss, output.negative_log_likelihood, output.correct, targets.size(0), attended};
  if (options.guided_alignment > 0.0 && batch.alignment.defined())
    loss.objective = loss.objective + options.guided_alignment *
                                          guided_alignment_loss(attended.weights, batch.alignment);
  return loss;
}

std::pair<Tensor, Tensor> Seq2SeqImpl::token_log_probs(const Batch& batch) {
  Memory memory = encode(batch.source, batch.source_lengths);
  const Attended attended = decode(batch.target_in, memory);
  const Tensor log_p = log_probs(attended.attentional_state)
                           .gather(2, batch.target_out.unsqueeze(2))
                           .squeeze(2);  // [batch, target]
  return {log_p * batch.target_out.ne(kPad), attended.weights};
}

}  // namespace softalign
