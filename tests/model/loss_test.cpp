#include "model/loss.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tensors.h"

namespace softalign {
namespace {

// Plain loops over Σ −q log softmax(W s + b).
double by_loops(const Tensor& states, const Tensor& weight, const Tensor& bias,
                const Tensor& targets, double smoothing) {
  double total = 0;
  const int64_t vocabulary = weight.size(0);
  for (int64_t k = 0; k < states.size(0); ++k) {
    const Tensor logits = weight.mv(states[k]) + bias;
    double sum = 0;
    for (int64_t v = 0; v < vocabulary; ++v) sum += std::exp(logits[v].item<double>());
    for (int64_t v = 0; v < vocabulary; ++v) {
      const double q = smoothing / static_cast<double>(vocabulary) +
                       (v == targets[k].item<int64_t>() ? 1 - smoothing : 0);
      total -= q * (logits[v].item<double>() - std::log(sum));
    }
  }
  return total;
}

TEST(OutputLoss, IsTheSmoothedCrossEntropyWithItsGradients) {
  at::manual_seed(1);
  const Tensor states = at::randn({6, 4}, at::kDouble).requires_grad_(true);
  const Tensor weight = at::randn({9, 4}, at::kDouble).requires_grad_(true);
  const Tensor bias = at::randn({9}, at::kDouble).requires_grad_(true);
  const Tensor targets = at::tensor(std::vector<int64_t>{3, 8, 0, 5, 5, 2});
  for (const double smoothing : {0.0, 0.1}) {
    const OutputLoss loss = output_loss(states, weight, bias, targets, smoothing);
    EXPECT_NEAR(loss.loss.item<double>(), by_loops(states, weight, bias, targets, smoothing),
                1e-10);
    EXPECT_NEAR(loss.negative_log_likelihood.item<double>(),
                by_loops(states, weight, bias, targets, 0.0), 1e-10);
    expect_gradients(
        [&] { return output_loss(states, weight, bias, targets, smoothing).loss * 0.5; },
        {states, weight, bias}, 1e-6);
  }
}

// Float32 takes a fused kernel, double the plain operations.
TEST(OutputLoss, FloatAndDoubleAgree) {
  at::manual_seed(4);
  for (const int64_t vocabulary : {2, 15, 16, 17, 1000})
    for (const double smoothing : {0.0, 0.1}) {
      const Tensor targets = at::randint(vocabulary, {33}, at::kLong);
      const auto run = [&](at::ScalarType type) {
        at::manual_seed(5);
        std::vector<Tensor> inputs;
        for (const auto& shape : std::vector<std::vector<int64_t>>{
                 {33, 8}, {vocabulary, 8}, {vocabulary}})
          inputs.push_back((at::randn(shape) * 3).to(type).requires_grad_(true));
        const OutputLoss loss = output_loss(inputs[0], inputs[1], inputs[2], targets, smoothing);
        loss.loss.backward();
        return std::vector<Tensor>{loss.loss.detach(),
                                   loss.negative_log_likelihood,
                                   loss.correct,
                                   inputs[0].grad(),
                                   inputs[1].grad(),
                                   inputs[2].grad()};
      };
      const auto exact = run(at::kDouble), fused = run(at::kFloat);
      for (size_t k = 0; k < exact.size(); ++k)
        EXPECT_TRUE(fused[k].to(at::kDouble).allclose(exact[k].to(at::kDouble), 1e-5, 1e-4))
            << "output " << k << ", vocabulary " << vocabulary;
    }
}

TEST(OutputLoss, CountsTheTokensThatArePredicted) {
  const Tensor weight = at::eye(3), bias = at::zeros({3});
  const OutputLoss loss =
      output_loss(at::eye(3) * 9, weight, bias, at::tensor(std::vector<int64_t>{0, 1, 0}), 0.0);
  EXPECT_EQ(loss.correct.item<int64_t>(), 2);
}

TEST(OutputLoss, ChunksAddUpToTheWhole) {
  at::manual_seed(2);
  const Tensor states = at::randn({1100, 4}), weight = at::randn({9, 4}), bias = at::randn({9});
  const Tensor targets = at::randint(9, {1100}, at::kLong);
  const Tensor expected = at::cross_entropy_loss(at::linear(states, weight, bias), targets, {}, 2);
  EXPECT_NEAR(output_loss(states, weight, bias, targets, 0.0).loss.item<double>(),
              expected.item<double>(), 1e-2);
}

TEST(OutputLoss, LeavesItsInputsAlone) {
  for (const int64_t tokens : {1, 513}) {
    const Tensor states = at::randn({tokens, 4}), weight = at::randn({9, 4}), bias = at::randn({9});
    const Tensor before = bias.clone();
    output_loss(states, weight, bias, at::zeros({tokens}, at::kLong), 0.1);
    EXPECT_TRUE(bias.equal(before)) << tokens;
  }
}

TEST(OutputLoss, OfNoTokensIsZero) {
  const OutputLoss loss = output_loss(at::zeros({0, 4}), at::zeros({9, 4}), at::zeros({9}),
                                      at::zeros({0}, at::kLong), 0.1);
  EXPECT_EQ(loss.loss.item<double>(), 0.0);
}

TEST(GuidedAlignment, IsTheCrossEntropyOfTheWeightsOnLinkedSteps) {
  at::manual_seed(3);
  const Tensor weights = at::randn({1, 3, 4}, at::kDouble).softmax(-1).requires_grad_(true);
  Tensor alignment = at::zeros({1, 3, 4}, at::kDouble);
  alignment[0][0][1] = 1.0;  // step 1 has no links
  alignment[0][2][0] = alignment[0][2][3] = 0.5;
  const auto w = [&](int64_t t, int64_t i) { return weights[0][t][i].item<double>(); };
  const double expected = -std::log(w(0, 1)) - 0.5 * std::log(w(2, 0)) - 0.5 * std::log(w(2, 3));
  EXPECT_NEAR(guided_alignment_loss(weights, alignment).item<double>(), expected, 1e-12);
  const Tensor zero = at::zeros({1, 3, 4}, at::kDouble).requires_grad_(true);
  const Tensor loss = guided_alignment_loss(zero, alignment);
  loss.backward();
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  EXPECT_TRUE(zero.grad().isfinite().all().item<bool>());
}

}  // namespace
}  // namespace softalign
