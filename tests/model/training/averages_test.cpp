#include "model/training/averages.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/tensors.h"

namespace softalign {
namespace {

TEST(MovingAverage, IsThePlainLoop) {
  at::manual_seed(1);
  const Tensor start = at::randn({7});
  MovingAverage average(0.7, start);
  std::vector<double> expected(7);
  for (int64_t i = 0; i < 7; ++i) expected[static_cast<size_t>(i)] = start[i].item<double>();
  for (int64_t step = 1; step <= 40; ++step) {
    const Tensor weights = at::randn({7});
    average.update(weights, step);
    const double t = static_cast<double>(step), d = std::min(0.7, (1 + t) / (10 + t));
    for (int64_t i = 0; i < 7; ++i) {
      double& e = expected[static_cast<size_t>(i)];
      e = d * e + (1 - d) * weights[i].item<double>();
    }
  }
  expect_close(average.weights(), at::tensor(expected, at::kFloat), 1e-5);
}

TEST(MovingAverage, IsOffWithoutDecay) {
  MovingAverage average(0.0, at::ones({2}));
  average.update(at::zeros({2}), 1);
  EXPECT_FALSE(average.weights().defined());
}

TEST(BestWeights, MeanIsThatOfTheBest) {
  BestWeights best(2, Metric::bleu);
  EXPECT_TRUE(best.offer(10.0, 1, at::full({2}, 1.0f)));
  EXPECT_TRUE(best.offer(30.0, 2, at::full({2}, 3.0f)));
  EXPECT_TRUE(best.offer(20.0, 3, at::full({2}, 4.0f)));
  EXPECT_FALSE(best.offer(5.0, 4, at::full({2}, 100.0f)));
  expect_close(best.mean(), at::full({2}, 3.5f), 1e-7);
  EXPECT_EQ(best.kept().front().step, 2);
}

TEST(BestWeights, LowPerplexityIsBetterAndTiesKeepTheOlder) {
  BestWeights best(1, Metric::perplexity);
  EXPECT_TRUE(best.offer(4.0, 1, at::zeros({1})));
  EXPECT_FALSE(best.offer(4.0, 2, at::ones({1})));
  EXPECT_TRUE(best.offer(3.0, 3, at::ones({1})));
  EXPECT_EQ(best.kept().size(), 1U);
  EXPECT_EQ(best.kept().front().step, 3);
}

TEST(BestWeights, S22_NotFiniteIsNeverBest) {
  BestWeights best(2, Metric::perplexity);
  EXPECT_FALSE(best.offer(std::numeric_limits<double>::quiet_NaN(), 1, at::zeros({1})));
  EXPECT_FALSE(best.offer(std::numeric_limits<double>::infinity(), 2, at::zeros({1})));
  EXPECT_TRUE(best.kept().empty());
}

}  // namespace
}  // namespace softalign
