#pragma once

#include <torch/nn/modules/embedding.h>

#include "model/attention/attention.h"
#include "model/attention/self_attention.h"
#include "model/rnn/rnn.h"

namespace softalign {

/// Reads the source: embeddings, recurrent layers, optionally self-attention. Gives H = [h_1 …
/// h_n].
class EncoderImpl : public torch::nn::Module {
 public:
  /// `embedding` is registered by the caller, who may share it with the decoder.
  EncoderImpl(const ModelConfig& config);

  /// embedded [batch, source, embedding], lengths [batch] int64 ≥ 0. Keys and values are left to
  /// the attention.
  Memory forward(const Tensor& embedded, const Tensor& lengths);

 private:
  DropoutConfig dropout_;
  Rnn rnn_;
  SelfAttention self_attention_{nullptr};
};
TORCH_MODULE(Encoder);

}  // namespace softalign
