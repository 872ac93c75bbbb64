#pragma once

#include <optional>
#include <vector>

#include "model/seq2seq.h"

namespace softalign {

/// One model's decoder over the rows of a search, in few products and passes per step, without
/// LibTorch's modules. Rows of one sentence share its keys and values, so nothing of the encoder's
/// side is ever copied. Equal to Seq2Seq::step and log_probs to rounding.
class FastSteps {
 public:
  /// Nothing where the model isn't one of those that this can do: float32 on a CPU, one layer
  /// without layer norm, Luong's order, scores that are products, the global window.
  static std::optional<FastSteps> make(Seq2Seq& model, const Memory& memory,
                                       const DecoderState& start);

  struct Output {
    Tensor log_probs;  // [rows, vocabulary]
    Tensor weights;    // α_t [rows, source]
  };
  /// Reads one token per row.
  Output step(const std::vector<int64_t>& tokens);
  /// Row i goes on from what was row rows[i].
  void select(const std::vector<int64_t>& rows);

 private:
  FastSteps(const StepWeights& weights, const Memory& memory, const DecoderState& start);
  Tensor next_state(const std::vector<int64_t>& tokens);

  StepWeights weights_;
  Tensor bias_;                    // of all gates: for an LSTM of both products
  Tensor keys_, values_, lengths_;  // of the sentences
  std::vector<int64_t> sentence_;  // of each row
  Tensor h_, c_, fed_;             // of each row; fed_: s̃_{t-1}, with input feeding
};

}  // namespace softalign
