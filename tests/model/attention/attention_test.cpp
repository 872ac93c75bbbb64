#include "model/attention/attention.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/attention/self_attention.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

Tensor random(at::IntArrayRef shape) { return at::randn(shape, at::kDouble); }

// Two sentences of 5 and 3 tokens, states of width 4, zeros on padding.
Memory make_memory() {
  Memory memory;
  memory.lengths = at::tensor(std::vector<int64_t>{5, 3});
  memory.mask = at::arange(5).unsqueeze(0) < memory.lengths.unsqueeze(1);
  memory.states = random({2, 5, 4}) * memory.mask.unsqueeze(-1);
  memory.summary = random({2, 4});
  return memory;
}

AttentionConfig with(ScoreKind score, WindowKind window = WindowKind::global) {
  AttentionConfig config;
  config.score = score;
  config.window = window;
  config.window_size = 1;
  config.key_size = 4;
  config.heads = score == ScoreKind::projected ? 2 : 1;
  return config;
}

Attention make_attention(const AttentionConfig& config) {
  Attention attention(config, /*query_size=*/4, /*states_size=*/4);
  attention->to(at::kDouble);
  return attention;
}

TEST(MaskedSoftmax, GivesPaddingExactlyZeroAndRowsTheSumOne) {
  at::manual_seed(1);
  const Tensor mask = at::tensor(std::vector<int64_t>{1, 1, 0, 1}).to(at::kBool);
  const Tensor scores = random({3, 4}) * 50;
  const Tensor weights = masked_softmax(scores, mask);
  EXPECT_TRUE(weights.select(1, 2).eq(0).all().item<bool>());
  expect_close(weights.sum(1), at::ones({3}, at::kDouble), 1e-12);
  for (int64_t i : {0, 1, 3}) {  // the formula over the three positions that are left
    double sum = 0;
    for (int64_t k : {0, 1, 3}) sum += std::exp((scores[0][k] - scores[0][i]).item<double>());
    EXPECT_NEAR(weights[0][i].item<double>(), 1 / sum, 1e-12);
  }
}

TEST(MaskedSoftmax, S31_ARowWithNothingToAttendToIsZeroForwardAndBackward) {
  at::manual_seed(2);
  for (const auto type : {at::kFloat, at::kDouble}) {
    const Tensor scores = at::randn({2, 3}, type).requires_grad_(true);
    const Tensor mask =
        at::tensor(std::vector<int64_t>{0, 0, 0, 1, 1, 0}).to(at::kBool).view({2, 3});
    const Tensor weights = masked_softmax(scores, mask);
    EXPECT_TRUE(weights[0].eq(0).all().item<bool>());
    (weights * at::randn({2, 3}, type)).sum().backward();
    EXPECT_TRUE(scores.grad().isfinite().all().item<bool>());
    EXPECT_TRUE(scores.grad()[0].eq(0).all().item<bool>());
    const Tensor alone = masked_softmax(scores.detach().narrow(0, 1, 1), mask.narrow(0, 1, 1));
    EXPECT_TRUE(weights[1].eq(alone[0]).all().item<bool>()) << "the neighbour changed";
  }
}

TEST(Attention, IsSoftmaxContextAndWc) {
  at::manual_seed(3);
  Attention attention = make_attention(with(ScoreKind::dot));
  Memory memory = make_memory();
  attention->prepare(memory);
  const Tensor query = random({2, 3, 4});
  const Attended attended = attention->forward(query, memory, 0);
  const Tensor W_c = attention->named_parameters()["W_c.weight"];
  for (int64_t b = 0; b < 2; ++b) {
    const int64_t n = memory.lengths[b].item<int64_t>();
    for (int64_t t = 0; t < 3; ++t) {
      std::vector<double> e(static_cast<size_t>(n));
      double sum = 0;
      for (int64_t i = 0; i < n; ++i) {
        e[static_cast<size_t>(i)] = std::exp(query[b][t].dot(memory.states[b][i]).item<double>());
        sum += e[static_cast<size_t>(i)];
      }
      Tensor context = at::zeros({4}, at::kDouble);
      for (int64_t i = 0; i < n; ++i) {
        EXPECT_NEAR(attended.weights[b][t][i].item<double>(), e[static_cast<size_t>(i)] / sum,
                    1e-12);
        context += memory.states[b][i] * (e[static_cast<size_t>(i)] / sum);
      }
      expect_close(attended.context[b][t], context, 1e-12);
      expect_close(attended.attentional_state[b][t], W_c.mv(at::cat({context, query[b][t]})).tanh(),
                   1e-12);
    }
  }
}

TEST(Attention, AFixedVectorTakesItsPlaceWithScoreNone) {
  Attention attention = make_attention(with(ScoreKind::none));
  Memory memory = make_memory();
  attention->prepare(memory);
  const Attended attended = attention->forward(random({2, 3, 4}), memory, 0);
  for (int64_t t = 0; t < 3; ++t) expect_close(attended.context.select(1, t), memory.summary, 0);
  EXPECT_TRUE(attended.weights.eq(0).all().item<bool>());
}

class EveryScore : public ::testing::TestWithParam<std::pair<ScoreKind, WindowKind>> {};

TEST_P(EveryScore, RowsSumToOneWithExactZerosOutsideMaskAndWindow) {
  at::manual_seed(4);
  const auto [score, window] = GetParam();
  AttentionConfig config = with(score, window);
  Attention attention = make_attention(config);
  Memory memory = make_memory();
  attention->prepare(memory);
  constexpr int64_t kSteps = 9;  // beyond both sentences
  const Attended attended = attention->forward(random({2, kSteps, 4}), memory, 0);
  expect_close(attended.weights.sum(-1), at::ones({2, kSteps}, at::kDouble), 1e-12);
  const Tensor padding = memory.mask.logical_not().unsqueeze(1).expand({2, kSteps, 5});
  EXPECT_TRUE(attended.weights.masked_select(padding).eq(0).all().item<bool>());
  if (window == WindowKind::global) return;
  const Tensor attended_to = attended.weights.ne(0).sum(-1);
  EXPECT_LE(attended_to.max().item<int64_t>(), 2 * config.window_size + 1);
}

TEST_P(EveryScore, StepsOneByOneAreTheStepsTogether) {
  at::manual_seed(5);
  const auto [score, window] = GetParam();
  Attention attention = make_attention(with(score, window));
  Memory memory = make_memory();
  attention->prepare(memory);
  const Tensor query = random({2, 4, 4});
  const Attended together = attention->forward(query, memory, 0);
  for (int64_t t = 0; t < 4; ++t) {
    const Attended alone = attention->forward(query.narrow(1, t, 1), memory, t);
    expect_close(alone.attentional_state, together.attentional_state.narrow(1, t, 1), 1e-12);
    expect_close(alone.weights, together.weights.narrow(1, t, 1), 1e-12);
  }
}

TEST_P(EveryScore, GradientsAreThoseOfCentralDifferences) {
  at::manual_seed(6);
  const auto [score, window] = GetParam();
  Attention attention = make_attention(with(score, window));
  Memory memory = make_memory();
  const Tensor states = memory.states.clone().requires_grad_(true);
  const Tensor query = random({2, 3, 4}).requires_grad_(true), probe = random({2, 3, 4});
  std::vector<Tensor> leaves = attention->parameters();
  leaves.push_back(query);
  if (score != ScoreKind::none) leaves.push_back(states);
  expect_gradients(
      [&] {
        Memory fresh = memory;
        fresh.states = states * memory.mask.unsqueeze(-1);
        attention->prepare(fresh);
        return (attention->forward(query, fresh, 0).attentional_state * probe).sum();
      },
      leaves, 1e-5, 15);
}

INSTANTIATE_TEST_SUITE_P(ByWindow, EveryScore, ::testing::ValuesIn([] {
                           std::vector<std::pair<ScoreKind, WindowKind>> all;
                           for (const auto& [score, score_name] : kScoreNames)
                             for (const auto& [window, window_name] : kWindowNames)
                               if (score != ScoreKind::none) all.emplace_back(score, window);
                           return all;
                         }()),
                         [](const auto& test) {
                           return std::string(name_of(kScoreNames, test.param.first)) + "_" +
                                  std::string(name_of(kWindowNames, test.param.second));
                         });

TEST(Window, MonotonicFollowsTheDiagonalAndStaysInTheSentence) {
  Window window(WindowKind::monotonic, /*window_size=*/1, /*query_size=*/4);
  const Memory memory = make_memory();
  const auto bounds = window->forward(random({2, 7, 4}), memory.mask, memory.lengths, 0);
  const auto inside = [&](int64_t b, int64_t t, int64_t i) {
    return bounds.mask[b][t][i].item<bool>();
  };
  for (int64_t b = 0; b < 2; ++b) {
    const int64_t n = memory.lengths[b].item<int64_t>();
    for (int64_t t = 0; t < 7; ++t)
      for (int64_t i = 0; i < 5; ++i)
        EXPECT_EQ(inside(b, t, i), i < n && std::abs(i - std::min(t, n - 1)) <= 1)
            << b << " " << t << " " << i;
  }
}

TEST(Window, PredictiveIsAGaussianAroundThePredictedPosition) {
  at::manual_seed(7);
  constexpr int64_t kWidth = 2;
  Window window(WindowKind::predictive, kWidth, /*query_size=*/4);
  window->to(at::kDouble);
  const Memory memory = make_memory();
  const Tensor query = random({2, 3, 4});
  const auto p = window->named_parameters();
  const auto bounds = window->forward(query, memory.mask, memory.lengths, 0);
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t t = 0; t < 3; ++t) {
      const double S = memory.lengths[b].item<double>();
      const double z = p["v_p.weight"].mv(p["W_p.weight"].mv(query[b][t]).tanh())[0].item<double>();
      const double position = (S - 1) / (1 + std::exp(-z));
      const double sigma = kWidth / 2.0;
      for (int64_t i = 0; i < 5; ++i)
        EXPECT_NEAR(bounds.bias[b][t][i].item<double>(),
                    -(static_cast<double>(i) - position) * (static_cast<double>(i) - position) /
                        (2 * sigma * sigma),
                    1e-12);
    }
}

TEST(SelfAttention, IsTheFormulaInEachHeadAddedToTheStates) {
  at::manual_seed(8);
  SelfAttention self(/*hidden=*/4, /*heads=*/2);
  self->to(at::kDouble);
  const Memory memory = make_memory();
  const auto p = self->named_parameters();
  const auto output = self->forward(memory.states, memory.mask);
  for (int64_t b = 0; b < 2; ++b) {
    const int64_t n = memory.lengths[b].item<int64_t>();
    const Tensor H = memory.states[b].narrow(0, 0, n);
    const Tensor Q = H.mm(p["W_Q.weight"].t()), K = H.mm(p["W_K.weight"].t()),
                 V = H.mm(p["W_V.weight"].t());
    std::vector<Tensor> heads;
    for (int64_t head = 0; head < 2; ++head) {
      const auto part = [&](const Tensor& x) { return x.narrow(1, 2 * head, 2); };
      heads.push_back((part(Q).mm(part(K).t()) / std::sqrt(2.0)).softmax(1).mm(part(V)));
    }
    const Tensor expected = H + at::cat(heads, 1).mm(p["W_O.weight"].t());
    expect_close(output.states[b].narrow(0, 0, n), expected, 1e-12);
    EXPECT_TRUE(output.states[b].narrow(0, n, 5 - n).eq(0).all().item<bool>());
  }
}

}  // namespace
}  // namespace softalign
