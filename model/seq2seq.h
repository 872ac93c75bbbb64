#pragma once

#include <optional>

#include "data/batch.h"
#include "model/decoder.h"
#include "model/encoder.h"
#include "model/loss.h"

namespace softalign {

/// Sums over the target tokens of a batch; divide by `tokens` (or the global number of tokens).
struct Loss {
  Tensor objective;                // what is differentiated; scalar
  Tensor negative_log_likelihood;  // Σ −log p(y_t), natural logarithm, detached; scalar
  Tensor correct;                  // tokens predicted by teacher forcing; scalar
  int64_t tokens = 0;              // EOS counted
  Attended attended;               // the attention of all steps, for diagnostics
};

/// What a step of search computes with, for a decoder that a fused loop can do.
struct StepWeights {
  CellKind cell;
  Tensor embedding;        // [vocabulary, width], to be multiplied by
  double embedding_scale;  // where it is read
  CellWeights rnn;         // weight_ih's columns read [y_{t-1} ; s̃_{t-1}?]
  double score_scale;      // e_ti = scale · s_t · k_i
  Tensor W_c;
  Tensor projection;  // undefined: s̃_t goes to the output layer as it is
  Tensor output_weight, output_bias;
};

/// An RNN encoder-decoder with attention.
class Seq2SeqImpl : public torch::nn::Module {
 public:
  /// Parameters are drawn from LibTorch's default generator: embeddings normal with variance
  /// 1/width and multiplied by √width where they are read (Vaswani et al. 2017, §3.4), so that the
  /// cells see inputs of variance 1 and a tied output layer has small logits; LibTorch's defaults
  /// elsewhere; forget gates' bias 1. Throws Error where sizes don't fit.
  explicit Seq2SeqImpl(const ModelConfig& config);

  /// source [batch, source] ids with EOS, right-padded; lengths [batch] int64.
  Memory encode(const Tensor& source, const Tensor& lengths);
  DecoderState start(Memory& memory);
  /// tokens [batch] int64: the tokens read at this step (BOS first). `given_weights`
  /// [batch, source], if defined, takes the place of α_t.
  DecoderImpl::StepOutput step(const Tensor& tokens, const DecoderState& state,
                               const Memory& memory, const Tensor& given_weights = {});
  /// log p(y_t | …) for attentional states [..., state] → [..., vocabulary].
  Tensor log_probs(const Tensor& attentional_state);

  /// Nothing where a step is more than StepWeights say (layers, windows, …) or should be plain.
  std::optional<StepWeights> step_weights() const;

  /// Teacher forcing: the attention of all steps for target_in [batch, target].
  Attended decode(const Tensor& target_in, Memory& memory, bool keep_scores = false);
  Loss loss(const Batch& batch, const LossOptions& options);
  /// log p of every target token, 0 on padding: [batch, target]; and the weights.
  std::pair<Tensor, Tensor> token_log_probs(const Batch& batch);

  const ModelConfig& config() const { return config_; }
  int64_t parameter_count() const;

 private:
  Tensor output_weight() const;
  Tensor embed(torch::nn::Embedding& embedding, const Tensor& ids);
  Tensor output_states(const Tensor& attentional_state);

  ModelConfig config_;
  torch::nn::Embedding source_embedding_{nullptr}, target_embedding_{nullptr};
  Encoder encoder_{nullptr};
  Decoder decoder_{nullptr};
  torch::nn::Linear projection_{nullptr};  // s̃ → embedding width, for tied embeddings
  Tensor output_weight_, output_bias_;     // [vocabulary, state]; weight undefined where tied
};
TORCH_MODULE(Seq2Seq);

}  // namespace softalign
