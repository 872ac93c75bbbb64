#pragma once

#include "model/rnn/cell.h"

namespace softalign {

/// A decoder of one layer with input feeding, in Luong's order, whose scores are products:
///   s_t = cell([y_t ; s̃_{t-1}], s_{t-1}),  α_t = softmax(scale · s_t · k_i),  a_t = Σ_i α_ti v_i,
///   s̃_t = tanh(W_c [a_t ; s_t])                          (Luong et al. 2015, §3.3)
struct FeedingDecoder {
  CellKind cell;
  CellWeights weights;  // weight_ih's columns read [y_t ; s̃_{t-1}]
  Tensor W_c;           // [state, value + hidden]
  double scale;
};

struct FeedingInputs {
  Tensor embedded;           // y_1 … y_m [batch, target, embedding]
  CellState initial;         // s_0 [batch, hidden]
  Tensor attentional_state;  // s̃_0 [batch, state]
  Tensor keys, values;       // [batch, source, hidden] and [batch, source, value]
  Tensor lengths;            // source tokens [batch] int64
};

struct FeedingOutput {
  Tensor attentional_states;  // [batch, target, state]
  Tensor contexts;            // [batch, target, value]
  Tensor weights;             // [batch, target, source]
  Tensor states;              // s_1 … s_m [batch, target, hidden], without gradient
};

/// True where run_feeding_decoder can run: float32 on a CPU, no layer norm.
bool can_run_feeding(const FeedingDecoder& decoder, const FeedingInputs& inputs);

/// The whole sentence, forward and backward, as a loop of few products and passes per step, with
/// everything that doesn't depend on the step before outside of it. Equal to the decoder's steps to
/// rounding.
FeedingOutput run_feeding_decoder(const FeedingDecoder& decoder, const FeedingInputs& inputs);

}  // namespace softalign
