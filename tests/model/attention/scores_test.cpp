#include "model/attention/scores.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/tensors.h"

namespace softalign {
namespace {

constexpr int64_t kBatch = 2, kTarget = 3, kSource = 5;

Tensor random(at::IntArrayRef shape) { return at::randn(shape, at::kDouble); }

// Σ_k a[k]·b[k] by a plain loop.
double scalar_product(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (int64_t k = 0; k < a.size(0); ++k) sum += a[k].item<double>() * b[k].item<double>();
  return sum;
}

// One score of the formula for every batch, step and position.
template <typename Formula>
Tensor by_loops(const Tensor& query, const Tensor& states, const Formula& formula) {
  Tensor e = at::empty({query.size(0), query.size(1), states.size(1)}, at::kDouble);
  for (int64_t b = 0; b < query.size(0); ++b)
    for (int64_t t = 0; t < query.size(1); ++t)
      for (int64_t i = 0; i < states.size(1); ++i)
        e[b][t][i] = formula(query[b][t], states[b][i], i);
  return e;
}

template <typename Score>
void expect_gradients_of(Score score, const Tensor& query, const Tensor& states) {
  query.requires_grad_(true);
  states.requires_grad_(true);
  std::vector<Tensor> leaves{query, states};
  for (const Tensor& parameter : score->parameters()) leaves.push_back(parameter);
  const Tensor probe = random({query.size(0), query.size(1), states.size(1)});
  expect_gradients([&] { return (score->forward(query, score->keys(states)) * probe).sum(); },
                   leaves, 1e-6);
}

class Scores : public ::testing::Test {
 protected:
  void SetUp() override { at::manual_seed(11); }
};

TEST_F(Scores, DotIsTheScalarProduct) {
  DotScore score;
  const Tensor query = random({kBatch, kTarget, 4}), states = random({kBatch, kSource, 4});
  const Tensor expected = by_loops(query, states, [](const Tensor& s, const Tensor& h, int64_t) {
    return scalar_product(s, h);
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
  expect_gradients_of(score, query, states);
}

TEST_F(Scores, ScaledDotDividesByTheRootOfTheWidth) {
  ScaledDotScore score(7);
  const Tensor query = random({kBatch, kTarget, 7}), states = random({kBatch, kSource, 7});
  const Tensor expected = by_loops(query, states, [](const Tensor& s, const Tensor& h, int64_t) {
    return scalar_product(s, h) / std::sqrt(7.0);
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
  expect_gradients_of(score, query, states);
}

// Var(s·h) = d for independent components of mean 0 and variance 1, and 1 after scaling.
TEST_F(Scores, ScalingGivesTheDotProductUnitVariance) {
  const Tensor query = random({64, 32, 256}), states = random({64, 32, 256});
  DotScore plain;
  ScaledDotScore scaled(256);
  EXPECT_NEAR(plain->forward(query, states).var().item<double>(), 256.0, 256.0 * 0.03);
  EXPECT_NEAR(scaled->forward(query, states).var().item<double>(), 1.0, 0.03);
}

TEST_F(Scores, GeneralPutsAMatrixBetween) {
  GeneralScore score(/*query_size=*/3, /*states_size=*/4);
  score->to(at::kDouble);
  const Tensor query = random({kBatch, kTarget, 3}), states = random({kBatch, kSource, 4});
  const Tensor W = score->named_parameters()["W.weight"];
  const Tensor expected = by_loops(query, states, [&](const Tensor& s, const Tensor& h, int64_t) {
    double sum = 0;
    for (int64_t k = 0; k < 3; ++k) sum += s[k].item<double>() * scalar_product(W[k], h);
    return sum / std::sqrt(3.0);
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
  expect_gradients_of(score, query, states);
}

TEST_F(Scores, AdditiveIsTheFormulaOfBahdanau) {
  AdditiveScore score(/*query_size=*/2, /*states_size=*/3, /*key_size=*/4);
  score->to(at::kDouble);
  const Tensor query = random({kBatch, kTarget, 2}), states = random({kBatch, kSource, 3});
  const auto p = score->named_parameters();
  const Tensor expected = by_loops(query, states, [&](const Tensor& s, const Tensor& h, int64_t) {
    double sum = 0;
    for (int64_t k = 0; k < 4; ++k)
      sum += p["v.weight"][0][k].item<double>() *
             std::tanh(scalar_product(p["W.weight"][k], s) + scalar_product(p["U.weight"][k], h));
    return sum;
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
  expect_gradients_of(score, query, states);
}

TEST_F(Scores, ConcatIsOneMatrixOverBothVectors) {
  ConcatScore score(/*query_size=*/2, /*states_size=*/3, /*key_size=*/4);
  score->to(at::kDouble);
  const Tensor query = random({kBatch, kTarget, 2}), states = random({kBatch, kSource, 3});
  const auto p = score->named_parameters();
  const Tensor expected = by_loops(query, states, [&](const Tensor& s, const Tensor& h, int64_t) {
    const Tensor both = at::cat({s, h});
    double sum = 0;
    for (int64_t k = 0; k < 4; ++k)
      sum += p["v.weight"][0][k].item<double>() *
             std::tanh(scalar_product(p["W.weight"][k], both) + p["W.bias"][k].item<double>());
    return sum;
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
  expect_gradients_of(score, query, states);
}

TEST_F(Scores, LocationLooksAtTheQueryAlone) {
  LocationScore score(/*query_size=*/3, /*positions=*/8);
  score->to(at::kDouble);
  const Tensor query = random({kBatch, kTarget, 3}), states = random({kBatch, kSource, 4});
  const Tensor W = score->named_parameters()["W.weight"];
  const Tensor expected = by_loops(query, states, [&](const Tensor& s, const Tensor&, int64_t i) {
    return scalar_product(W[i], s);
  });
  expect_close(score->forward(query, score->keys(states)), expected, 1e-12);
}

TEST_F(Scores, LocationScoresNoPositionThatItDoesNotKnow) {
  LocationScore score(/*query_size=*/3, /*positions=*/4);
  score->to(at::kDouble);
  const Tensor e = score->forward(random({kBatch, kTarget, 3}), random({kBatch, kSource, 4}));
  EXPECT_EQ(e.sizes(), at::IntArrayRef({kBatch, kTarget, 4}));
}

TEST_F(Scores, ProjectedIsScaledAttentionInEachHead) {
  ProjectedScore score(/*query_size=*/3, /*states_size=*/5, /*key_size=*/6, /*heads=*/2);
  score->to(at::kDouble);
  const Tensor query = random({kBatch, kTarget, 3}), states = random({kBatch, kSource, 5});
  const auto p = score->named_parameters();
  const Tensor e = score->forward(query, score->keys(states));
  const Tensor V = score->values(states);
  ASSERT_EQ(e.sizes(), at::IntArrayRef({kBatch, 2, kTarget, kSource}));
  ASSERT_EQ(V.sizes(), at::IntArrayRef({kBatch, 2, kSource, 3}));
  for (int64_t head = 0; head < 2; ++head) {
    const Tensor expected = by_loops(query, states, [&](const Tensor& s, const Tensor& h, int64_t) {
      double sum = 0;  // d_k = 3 components of this head
      for (int64_t k = 3 * head; k < 3 * head + 3; ++k)
        sum += scalar_product(p["W_Q.weight"][k], s) * scalar_product(p["W_K.weight"][k], h);
      return sum / std::sqrt(3.0);
    });
    expect_close(e.select(1, head), expected, 1e-12);
    EXPECT_NEAR(V[1][head][4][2].item<double>(),
                scalar_product(p["W_V.weight"][3 * head + 2], states[1][4]), 1e-12);
  }
}

}  // namespace
}  // namespace softalign
