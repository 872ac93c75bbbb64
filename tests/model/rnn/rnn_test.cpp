#include "model/rnn/rnn.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <tuple>

#include "model/kernels/recurrent.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

RnnConfig config_of(CellKind cell, int64_t input, int64_t hidden) {
  RnnConfig config;
  config.cell = cell;
  config.input_size = input;
  config.hidden = hidden;
  return config;
}

Tensor mask_of(const std::vector<int64_t>& lengths, int64_t time) {
  return at::arange(time).unsqueeze(0) < at::tensor(lengths).unsqueeze(1);
}

// LibTorch's own layers with the same parameters: an independent computation.
std::tuple<Tensor, Tensor, Tensor> library(CellKind cell, const Tensor& inputs,
                                           const std::vector<Tensor>& weights, int64_t layers,
                                           bool bidirectional, int64_t hidden) {
  const Tensor zeros = inputs.new_zeros({layers * (bidirectional ? 2 : 1), inputs.size(0), hidden});
  if (cell == CellKind::lstm)
    return at::lstm(inputs, {zeros, zeros}, weights, true, layers, 0.0, false, bidirectional, true);
  const auto [output, last] =
      at::gru(inputs, zeros, weights, true, layers, 0.0, false, bidirectional, true);
  return {output, last, {}};
}

class EveryCell : public ::testing::TestWithParam<std::tuple<CellKind, int, bool>> {};

TEST_P(EveryCell, IsTheLayerOfLibTorchOnWholeSentences) {
  at::manual_seed(1);
  const auto [cell, layers, bidirectional] = GetParam();
  RnnConfig config = config_of(cell, 3, 5);
  config.layers = layers;
  config.bidirectional = bidirectional;
  Rnn rnn(config);
  rnn->to(at::kDouble);
  for (Tensor& parameter : rnn->parameters()) {
    at::NoGradGuard guard;
    parameter.normal_();
  }
  const Tensor inputs = at::randn({2, 6, 3}, at::kDouble);
  const auto [states, h, c] = library(cell, inputs, rnn->parameters(), layers, bidirectional, 5);
  const RnnOutput output = rnn->forward(inputs, {});
  expect_close(output.states, states, 1e-12);
  const int64_t directions = bidirectional ? 2 : 1;
  for (int64_t layer = 0; layer < layers; ++layer)
    for (int64_t direction = 0; direction < directions; ++direction)
      expect_close(output.last.h[layer].narrow(1, 5 * direction, 5),
                   h[layer * directions + direction], 1e-12);
}

TEST_P(EveryCell, S25_PaddingAndBatchMatesChangeNothing) {
  at::manual_seed(2);
  const auto [cell, layers, bidirectional] = GetParam();
  RnnConfig config = config_of(cell, 3, 4);
  config.layers = layers;
  config.bidirectional = bidirectional;
  Rnn rnn(config);
  const std::vector<int64_t> lengths{7, 2, 0, 5};
  const Tensor inputs = at::randn({4, 7, 3}), mask = mask_of(lengths, 7);
  const RnnOutput together = rnn->forward(inputs, mask);
  for (int64_t b = 0; b < 4; ++b) {
    const int64_t n = lengths[static_cast<size_t>(b)];
    EXPECT_TRUE(together.states[b].narrow(0, n, 7 - n).eq(0).all().item<bool>());
    if (n == 0) continue;
    const RnnOutput alone = rnn->forward(inputs.narrow(0, b, 1).narrow(1, 0, n), {});
    expect_close(together.states[b].narrow(0, 0, n), alone.states[0], 1e-6);
    expect_close(together.last.h.select(1, b), alone.last.h.select(1, 0), 1e-6);
    if (alone.last.c.defined())
      expect_close(together.last.c.select(1, b), alone.last.c.select(1, 0), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Cells, EveryCell,
                         ::testing::Combine(::testing::Values(CellKind::lstm, CellKind::gru),
                                            ::testing::Values(1, 2), ::testing::Bool()),
                         [](const auto& test) {
                           return std::string(name_of(kCellNames, std::get<0>(test.param))) +
                                  "_layers" + std::to_string(std::get<1>(test.param)) +
                                  (std::get<2>(test.param) ? "_bidirectional" : "");
                         });

void expect_steps_are_the_sequence(const RnnConfig& config) {
  Rnn rnn(config);
  const Tensor inputs = at::randn({3, 5, 4});
  const Tensor zeros = at::zeros({config.layers, 3, 4});
  RnnState state{zeros, config.cell == CellKind::lstm ? zeros : Tensor(), {}};
  const RnnOutput sequence = rnn->forward(inputs, {}, state);
  for (int64_t t = 0; t < 5; ++t) {
    auto [output, next] = rnn->step(inputs.select(1, t), state);
    expect_close(output, sequence.states.select(1, t), 1e-6);
    state = next;
  }
  expect_close(state.h, sequence.last.h, 1e-6);
}

TEST(Rnn, OneTokenLeavesTheWeightsAlone) {
  for (const CellKind cell : {CellKind::lstm, CellKind::gru}) {
    Rnn rnn(config_of(cell, 4, 4));
    std::vector<Tensor> before;
    for (const Tensor& parameter : rnn->parameters()) before.push_back(parameter.detach().clone());
    rnn->forward(at::randn({1, 1, 4}), {});
    for (size_t i = 0; i < before.size(); ++i)
      EXPECT_TRUE(rnn->parameters()[i].equal(before[i])) << name_of(kCellNames, cell) << " " << i;
  }
}

TEST(Rnn, StepsAreTheSequence) {
  at::manual_seed(3);
  for (const CellKind cell : {CellKind::lstm, CellKind::gru})
    for (const int64_t layers : {1, 2})
      for (const bool residual : {false, true})
        for (const bool layer_norm : {false, true}) {
          RnnConfig config = config_of(cell, 4, 4);
          config.layers = layers;
          config.residual = residual;
          config.layer_norm = layer_norm;
          expect_steps_are_the_sequence(config);
        }
}

TEST(Rnn, LayerNormGradientsAreThoseOfCentralDifferences) {
  for (const CellKind cell : {CellKind::lstm, CellKind::gru}) {
    at::manual_seed(4);
    RnnConfig config = config_of(cell, 3, 4);
    config.layer_norm = true;
    Rnn rnn(config);
    rnn->to(at::kDouble);
    const Tensor inputs = at::randn({2, 3, 3}, at::kDouble).requires_grad_(true);
    const Tensor probe = at::randn({2, 3, 4}, at::kDouble), mask = mask_of({3, 2}, 3);
    std::vector<Tensor> leaves = rnn->parameters();
    leaves.push_back(inputs);
    expect_gradients([&] { return (rnn->forward(inputs, mask).states * probe).sum(); }, leaves,
                     1e-6, 10);
  }
}

TEST(Rnn, VariationalDropoutDropsTheSameUnitsAtEveryStep) {
  at::manual_seed(5);
  RnnConfig config = config_of(CellKind::gru, 4, 32);
  config.layers = 2;
  config.dropout = 0.5;
  config.variational = true;
  Rnn rnn(config);
  RnnState state{at::zeros({2, 3, 32}), {}, {}};
  const Tensor keep = rnn->step(at::randn({3, 4}), state).second.keep;
  ASSERT_TRUE(keep.defined());
  state.keep = keep;
  EXPECT_TRUE(rnn->step(at::randn({3, 4}), state).second.keep.equal(keep));
  rnn->eval();
  EXPECT_FALSE(rnn->step(at::randn({3, 4}), {at::zeros({2, 3, 32}), {}, {}}).second.keep.defined());
}

// The fused layer against the plain one: output, last state and every gradient.
class Fused : public ::testing::TestWithParam<std::tuple<CellKind, bool, int, int, int>> {};

TEST_P(Fused, EqualsTheReferenceInOutputAndEveryGradient) {
  const auto [cell, reverse, batch, hidden, time] = GetParam();
  at::manual_seed(7);
  const int64_t gates = cell == CellKind::lstm ? 4 : 3, input = hidden + 2;
  const auto leaf = [](at::IntArrayRef shape) { return at::randn(shape).requires_grad_(true); };
  CellWeights w;
  w.weight_ih = (at::randn({gates * hidden, input}) * 0.3).requires_grad_(true);
  w.weight_hh = (at::randn({gates * hidden, hidden}) * 0.3).requires_grad_(true);
  w.bias_ih = leaf({gates * hidden});
  w.bias_hh = leaf({gates * hidden});
  const Tensor inputs = leaf({batch, time, input}), h0 = leaf({batch, hidden}),
               c0 = leaf({batch, hidden});
  std::vector<int64_t> lengths;
  for (int64_t b = 0; b < batch; ++b) lengths.push_back((b * 5 + time) % (time + 1));
  const Tensor probe = at::randn({batch, time, hidden}), probe_h = at::randn({batch, hidden});

  std::vector<Tensor> leaves{inputs, h0, w.weight_ih, w.weight_hh, w.bias_ih, w.bias_hh};
  if (cell == CellKind::lstm) leaves.push_back(c0);
  for (const Tensor& mask : {Tensor(), mask_of(lengths, time)}) {
    const CellState initial{h0, cell == CellKind::lstm ? c0 : Tensor()};
    ASSERT_TRUE(can_run_fused(inputs, w));
    std::vector<std::vector<Tensor>> results;
    for (const bool fused : {false, true}) {
      for (Tensor& x : leaves) x.mutable_grad().reset();
      const LayerOutput output = fused ? run_layer_fused(cell, inputs, mask, initial, w, reverse)
                                       : run_layer(cell, inputs, mask, initial, w, reverse);
      Tensor loss = (output.states * probe).sum() + (output.last.h * probe_h).sum();
      if (cell == CellKind::lstm) loss = loss + (output.last.c * probe_h).sum() * 0.5;
      loss.backward();
      auto& result = results.emplace_back(std::vector<Tensor>{output.states, output.last.h});
      if (cell == CellKind::lstm) result.push_back(output.last.c);
      for (const Tensor& x : leaves) result.push_back(x.grad().clone());
    }
    for (size_t k = 0; k < results[0].size(); ++k) {
      SCOPED_TRACE("result " + std::to_string(k) + (mask.defined() ? ", with lengths" : ""));
      const double size = results[0][k].detach().abs().max().item<double>();
      expect_close(results[1][k] / (1 + size), results[0][k] / (1 + size), 1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Grid, Fused,
                         ::testing::Combine(::testing::Values(CellKind::lstm, CellKind::gru),
                                            ::testing::Bool(), ::testing::Values(1, 7),
                                            ::testing::Values(1, 7, 64), ::testing::Values(1, 6)));

}  // namespace
}  // namespace softalign
