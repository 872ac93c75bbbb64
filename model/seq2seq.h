#pragma once

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
  /// tokens [batch] int64: the tokens read at this step (BOS first).
  DecoderImpl::StepOutput step(const Tensor& tokens, const DecoderState& state,
                               const Memory& memory);
  /// log p(y_t | …) for attentional states [..., state] → [..., vocabulary].
  Tensor log_probs(const Tensor& attentional_state);

  /// Teacher forcing: the attention of all steps for target_in [batch, target].
  Attended decode(const Tensor& target_in, Memory& memory);
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
