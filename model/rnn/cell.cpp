#include "model/rnn/cell.h"

#include <ATen/ATen.h>

#include <vector>

namespace softalign {
namespace {

Tensor layer_norm(const Tensor& x, const Tensor& gain, const Tensor& bias = {}) {
  return at::layer_norm(x, {x.size(-1)}, gain, bias);
}

// W_hh h + b_hh, normalised where the cell has layer norm.
Tensor project_state(const Tensor& h, const CellWeights& weights) {
  if (!weights.norm_hh.defined()) return at::linear(h, weights.weight_hh, weights.bias_hh);
  return layer_norm(at::linear(h, weights.weight_hh), weights.norm_hh, weights.bias_hh);
}

CellState lstm_step(const Tensor& projected, const CellState& state, const CellWeights& weights) {
  const auto gates = (projected + project_state(state.h, weights)).chunk(4, -1);
  const Tensor i = gates[0].sigmoid(), f = gates[1].sigmoid();
  const Tensor g = gates[2].tanh(), o = gates[3].sigmoid();
  const Tensor c = f * state.c + i * g;
  const Tensor exposed =
      weights.norm_c.defined() ? layer_norm(c, weights.norm_c, weights.norm_c_bias) : c;
  return {o * exposed.tanh(), c};
}

CellState gru_step(const Tensor& projected, const CellState& state, const CellWeights& weights) {
  const auto x = projected.chunk(3, -1);
  const auto u = project_state(state.h, weights).chunk(3, -1);
  const Tensor r = (x[0] + u[0]).sigmoid(), z = (x[1] + u[1]).sigmoid();
  const Tensor n = (x[2] + r * u[2]).tanh();
  return {n + z * (state.h - n), {}};
}

// Rows with a token move on, the others keep their state.
Tensor move_on(const Tensor& is_token, const Tensor& next, const Tensor& before) {
  return next.defined() ? at::where(is_token, next, before) : next;
}

}  // namespace

Tensor project_input(const Tensor& x, const CellWeights& weights) {
  if (!weights.norm_ih.defined()) return at::linear(x, weights.weight_ih, weights.bias_ih);
  return layer_norm(at::linear(x, weights.weight_ih), weights.norm_ih, weights.bias_ih);
}

CellState cell_step(CellKind kind, const Tensor& projected, const CellState& state,
                    const CellWeights& weights) {
  return kind == CellKind::lstm ? lstm_step(projected, state, weights)
                                : gru_step(projected, state, weights);
}

LayerOutput run_layer(CellKind kind, const Tensor& inputs, const Tensor& mask,
                      const CellState& initial, const CellWeights& weights, bool reverse) {
  const int64_t time = inputs.size(1);
  const Tensor projected = project_input(inputs, weights);  // [batch, time, gates·hidden]
  std::vector<Tensor> states(static_cast<size_t>(time));
  CellState state = initial;
  for (int64_t k = 0; k < time; ++k) {
    const int64_t t = reverse ? time - 1 - k : k;
    CellState next = cell_step(kind, projected.select(1, t), state, weights);
    Tensor output = next.h;
    if (mask.defined()) {
      const Tensor is_token = mask.select(1, t).unsqueeze(1);  // [batch, 1]
      next = {move_on(is_token, next.h, state.h), move_on(is_token, next.c, state.c)};
      output = next.h * is_token;
    }
    states[static_cast<size_t>(t)] = output;
    state = next;
  }
  if (time == 0) return {inputs.new_zeros({inputs.size(0), 0, initial.h.size(1)}), state};
  return {at::stack(states, 1), state};
}

}  // namespace softalign
