#pragma once

#include <optional>

#include "model/attention/attention.h"
#include "model/rnn/rnn.h"

namespace softalign {

/// Everything that one step hands to the next.
struct DecoderState {
  RnnState rnn;  // s_{t-1}
  Tensor
      attentional_state;  // s̃_{t-1} [batch, state], zeros before the first step; only for feeding
  int64_t step = 0;       // t, the same for all rows

  DecoderState select(const Tensor& rows) const;  // rows: [n] int64 positions in the batch
};

/// s_t = RNN(s_{t-1}, [y_{t-1} ; s̃_{t-1}? ; a_t?]), attention, s̃_t.
class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const ModelConfig& config);

  /// Keys and values into `memory`, and the state before the first step (DecoderStart).
  DecoderState start(Memory& memory);

  struct StepOutput {
    Attended attended;  // target dimension 1
    DecoderState state;
  };
  /// One step: embedded [batch, embedding]. `given_weights` [batch, source], if defined, takes the
  /// place of α_t.
  StepOutput step(const Tensor& embedded, const DecoderState& state, const Memory& memory,
                  const Tensor& given_weights = {});

  /// All steps of known targets, embedded [batch, target, embedding]. Takes the whole-sentence
  /// path (all states first, then the attention of all steps at once) where nothing of step t's
  /// attention enters step t+1, else the step path, by a fused loop where there is one. All agree
  /// to rounding.
  /// `keep_scores`: never the fused loop, which makes no Attended::scores.
  Attended forward(const Tensor& embedded, const DecoderState& start, const Memory& memory,
                   bool keep_scores = false);
  Attended forward_by_steps(const Tensor& embedded, const DecoderState& start,
                            const Memory& memory);
  bool can_decode_whole_sentences() const;

  const AttentionImpl& attention() const { return *attention_; }
  const CellWeights& cell_weights(int64_t layer) const { return rnn_->weights(layer); }

 private:
  std::optional<Attended> forward_fused(const Tensor& embedded, const DecoderState& start,
                                        const Memory& memory);

  Kernels kernels_;
  AttentionConfig attention_config_;
  DecoderConfig config_;
  int64_t state_size_;
  Rnn rnn_;
  Attention attention_;
  torch::nn::Linear W_h_{nullptr}, W_cell_{nullptr};  // the decoder's start: h and c
};
TORCH_MODULE(Decoder);

}  // namespace softalign
