#pragma once

#include <ATen/core/Tensor.h>

#include "model/config.h"

namespace softalign {

using at::Tensor;

/// Parameters of one layer in one direction. Gate order i, f, g, o (LSTM) and r, z, n (GRU).
struct CellWeights {
  Tensor weight_ih;            // [gates·hidden, input]
  Tensor weight_hh;            // [gates·hidden, hidden]
  Tensor bias_ih, bias_hh;     // [gates·hidden]
  Tensor norm_ih, norm_hh;     // layer norm's gains [gates·hidden]; undefined without it
  Tensor norm_c, norm_c_bias;  // of the LSTM's cell [hidden]
};

/// State of one layer. `c` is undefined for a GRU.
struct CellState {
  Tensor h, c;  // [batch, hidden]
};

/// The part of all gates that the recurrence doesn't touch: W_ih x + b_ih, [..., gates·hidden].
Tensor project_input(const Tensor& x, const CellWeights& weights);

/// One step from the projected input [batch, gates·hidden].
///   LSTM (Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000):
///     i, f, o = σ(…)  g = tanh(…)  c_t = f ⊙ c_{t-1} + i ⊙ g  h_t = o ⊙ tanh(c_t)
///   GRU (Cho et al. 2014, with the reset after the matrix product, LibTorch's and cuDNN's form):
///     r, z = σ(…)  n = tanh(W x + b + r ⊙ (U h_{t-1} + b'))  h_t = (1 − z) ⊙ n + z ⊙ h_{t-1}
/// Layer norm as in Ba et al. 2016, eq. 20–22, on both products and on the LSTM's cell.
CellState cell_step(CellKind kind, const Tensor& projected, const CellState& state,
                    const CellWeights& weights);

struct LayerOutput {
  Tensor states;   // [batch, time, hidden], zeros on padding
  CellState last;  // after the last token read
};

/// One layer in one direction, step by step: the specification. inputs [batch, time, input]; mask
/// [batch, time] or undefined; `reverse` reads from the last token to the first. On padding the
/// state stays as it is.
LayerOutput run_layer(CellKind kind, const Tensor& inputs, const Tensor& mask,
                      const CellState& initial, const CellWeights& weights, bool reverse);

}  // namespace softalign
