#include "model/rnn/rnn.h"

#include <ATen/ATen.h>

#include <cmath>
#include <string>

#include "model/dropout.h"
#include "model/kernels/recurrent.h"

namespace softalign {
namespace {

int64_t gate_count(CellKind kind) { return kind == CellKind::lstm ? 4 : 3; }

Tensor uniform(at::IntArrayRef shape, double bound) {
  return at::empty(shape).uniform_(-bound, bound);
}

LayerOutput run(const RnnConfig& config, const Tensor& inputs, const Tensor& mask,
                const CellState& initial, const CellWeights& weights, bool reverse) {
  if (config.kernels == Kernels::fast && can_run_fused(inputs, weights))
    return run_layer_fused(config.cell, inputs, mask, initial, weights, reverse);
  return run_layer(config.cell, inputs, mask, initial, weights, reverse);
}

}  // namespace

RnnState RnnState::select(const Tensor& rows) const {
  const auto rows_of = [&](const Tensor& x) { return x.defined() ? x.index_select(1, rows) : x; };
  return {rows_of(h), rows_of(c), rows_of(keep)};
}

RnnImpl::RnnImpl(const RnnConfig& config) : config_(config) {
  const int64_t gates = gate_count(config.cell) * config.hidden;
  const int64_t directions = config.bidirectional ? 2 : 1;
  const double bound = 1.0 / std::sqrt(static_cast<double>(config.hidden));
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    const int64_t input = layer == 0 ? config.input_size : directions * config.hidden;
    auto& cells = layers_.emplace_back();
    for (int64_t direction = 0; direction < directions; ++direction) {
      const std::string suffix = "_l" + std::to_string(layer) + (direction == 1 ? "_reverse" : "");
      CellWeights& w = cells.emplace_back();
      w.weight_ih = register_parameter("weight_ih" + suffix, uniform({gates, input}, bound));
      w.weight_hh =
          register_parameter("weight_hh" + suffix, uniform({gates, config.hidden}, bound));
      w.bias_ih = register_parameter("bias_ih" + suffix, at::zeros({gates}));
      w.bias_hh = register_parameter("bias_hh" + suffix, at::zeros({gates}));
      if (config.cell == CellKind::lstm) {
        // An open forget gate at first lets gradients through (Jozefowicz et al. 2015).
        at::NoGradGuard guard;
        w.bias_ih.narrow(0, config.hidden, config.hidden).fill_(1.0);
      }
      if (!config.layer_norm) continue;
      w.norm_ih = register_parameter("norm_ih" + suffix, at::ones({gates}));
      w.norm_hh = register_parameter("norm_hh" + suffix, at::ones({gates}));
      if (config.cell == CellKind::gru) continue;
      w.norm_c = register_parameter("norm_c" + suffix, at::ones({config.hidden}));
      w.norm_c_bias = register_parameter("norm_c_bias" + suffix, at::zeros({config.hidden}));
    }
  }
}

RnnOutput RnnImpl::forward(const Tensor& inputs, const Tensor& mask, const RnnState& initial) {
  TORCH_CHECK(inputs.dim() == 3 && inputs.size(2) == config_.input_size, "inputs ", inputs.sizes(),
              " should be [batch, time, ", config_.input_size, "]");
  const bool is_lstm = config_.cell == CellKind::lstm;
  const Tensor zeros = inputs.new_zeros({inputs.size(0), config_.hidden});
  Tensor layer_input = inputs;
  std::vector<Tensor> last_h, last_c;
  for (size_t layer = 0; layer < layers_.size(); ++layer) {
    if (layer > 0)
      layer_input = dropout(layer_input, config_.dropout, is_training(), config_.variational);
    std::vector<Tensor> states, h, c;
    for (size_t direction = 0; direction < layers_[layer].size(); ++direction) {
      CellState first{zeros, is_lstm ? zeros : Tensor()};
      const auto index = static_cast<int64_t>(layer);
      if (initial.h.defined())
        first = {initial.h.select(0, index), is_lstm ? initial.c.select(0, index) : Tensor()};
      LayerOutput output =
          run(config_, layer_input, mask, first, layers_[layer][direction], direction == 1);
      states.push_back(output.states);
      h.push_back(output.last.h);
      c.push_back(output.last.c);
    }
    const Tensor output = at::cat(states, -1);  // [batch, time, directions·hidden]
    layer_input = config_.residual && layer > 0 ? layer_input + output : output;
    last_h.push_back(at::cat(h, -1));
    if (is_lstm) last_c.push_back(at::cat(c, -1));
  }
  return {layer_input, {at::stack(last_h), is_lstm ? at::stack(last_c) : Tensor(), {}}};
}

std::pair<Tensor, RnnState> RnnImpl::step(const Tensor& input, const RnnState& state) {
  const bool is_lstm = config_.cell == CellKind::lstm;
  const bool one_mask = is_training() && config_.variational && config_.dropout > 0.0;
  Tensor keep = state.keep;
  if (one_mask && !keep.defined() && config_.layers > 1)
    keep = dropout(at::ones({config_.layers - 1, input.size(0), config_.hidden}, input.options()),
                   config_.dropout, /*training=*/true, /*variational=*/false);
  Tensor layer_input = input;
  std::vector<Tensor> h, c;
  for (size_t layer = 0; layer < layers_.size(); ++layer) {
    const auto index = static_cast<int64_t>(layer);
    if (layer > 0)
      layer_input = one_mask ? layer_input * keep.select(0, index - 1)
                             : dropout(layer_input, config_.dropout, is_training(), false);
    const CellWeights& weights = layers_[layer].front();
    const CellState next = cell_step(
        config_.cell, project_input(layer_input, weights),
        {state.h.select(0, index), is_lstm ? state.c.select(0, index) : Tensor()}, weights);
    layer_input = config_.residual && layer > 0 ? layer_input + next.h : next.h;
    h.push_back(next.h);
    if (is_lstm) c.push_back(next.c);
  }
  return {layer_input, {at::stack(h), is_lstm ? at::stack(c) : Tensor(), keep}};
}

}  // namespace softalign
