#pragma once

#include <vector>

#include "model/attention/scores.h"
#include "model/attention/window.h"

namespace softalign {

/// What the decoder sees of a batch of source sentences.
struct Memory {
  Tensor states;     // h_1 … h_n     [batch, source, hidden], zeros on padding
  Tensor keys;       // once per sentence, see Score
  Tensor values;     // what the weights average
  Tensor mask;       // true where there is a token [batch, source]
  Tensor lengths;    // [batch] int64
  Tensor summary;    // [→h_n ; ←h_1] of the last layer [batch, hidden]
  Tensor summary_c;  // the LSTM's cells at the same places, undefined for GRU

  Memory select(const Tensor& rows) const;  // rows: [n] int64 positions in the batch
};

struct Attended {
  Tensor attentional_state;  // s̃_t [batch, target, state]
  Tensor context;            // a_t  [batch, target, value]
  Tensor weights;            // α_t  [batch, target, source]; the mean over heads
  Tensor head_weights;       // [batch, heads, target, source]; undefined with one head
  Tensor scores;             // e_t before the mask, [batch, (heads,) target, source]
  Tensor query;              // what was scored: s_t, or s_{t-1} [batch, target, hidden]
  WindowImpl::Bounds bounds;  // where the softmax ran, and what the window added to e_t
  std::vector<Tensor> step_scores;  // of the step path: those of each step, of which `scores` is
                                    // made; empty on the whole-sentence path
};

/// softmax over the positions that `mask` leaves; exactly 0 elsewhere. A row without any position
/// is all zeros, with finite (zero) gradients. mask broadcasts against scores.
Tensor masked_softmax(const Tensor& scores, const Tensor& mask);

/// The part that every attention shares, around a pluggable score:
///   α_t = softmax(e_t) over tokens inside the window, a_t = Σ_i α_ti h_i,
///   s̃_t = tanh(W_c [a_t ; s_t])            (Luong et al. 2015, eq. 5)
/// With score `none` a_t is the encoder's summary at every step (the fixed vector of Cho et al.
/// 2014) and the weights are zeros.
class AttentionImpl : public torch::nn::Module {
 public:
  AttentionImpl(const AttentionConfig& config, int64_t query_size, int64_t states_size);

  /// Fills keys and values of `memory` from its states.
  void prepare(Memory& memory);
  /// α and a for queries [batch, target, hidden] that stand at steps first_step, first_step + 1, …
  /// `given` [batch, target, source], if defined, takes the place of α in every head: what the
  /// model would say if it looked there. Not with score `none`, which has no α.
  Attended attend(const Tensor& query, const Memory& memory, int64_t first_step,
                  const Tensor& given = {});
  /// As `attend`, and s̃_t = tanh(W_c [a_t ; s_t]) with the same queries.
  Attended forward(const Tensor& query, const Memory& memory, int64_t first_step,
                   const Tensor& given = {});
  /// tanh(W_c [context ; state]), for Bahdanau's order, where the query was s_{t-1}.
  Tensor attentional_state(const Tensor& context, const Tensor& state);

  int64_t context_size() const { return context_size_; }
  /// ScoreImpl::product_scale where that is all: every position is seen, none is favoured.
  std::optional<double> product_scale() const;
  const Tensor& W_c() const { return W_c_->weight; }  // [state, value + hidden]

 private:
  AttentionConfig config_;
  int64_t context_size_;
  std::shared_ptr<ScoreImpl> score_;
  Window window_{nullptr};
  torch::nn::Linear W_c_{nullptr};
};
TORCH_MODULE(Attention);

}  // namespace softalign
