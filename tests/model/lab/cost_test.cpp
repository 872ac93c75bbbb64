#include "model/lab/cost.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "data/error.h"

namespace softalign {
namespace {

TEST(PeakMemory, IsWhatIsHeldAtATime) {
  const int64_t one = 1'000'000 * 4;
  const int64_t peak = peak_memory([] {
    for (int round = 0; round < 3; ++round) at::zeros({1'000'000});  // one at a time
  });
  EXPECT_GE(peak, one);
  EXPECT_LT(peak, one + 10'000);
  const int64_t both = peak_memory(
      [] { const at::Tensor first = at::zeros({1'000'000}), second = at::zeros({1'000'000}); });
  EXPECT_GE(both, 2 * one);
  EXPECT_LT(both, 2 * one + 10'000);
}

TEST(PeakMemory, CountsOnlyWhatTheWorkAdds) {
  const at::Tensor there = at::zeros({1'000'000});
  EXPECT_LT(peak_memory([&] { there.sum(); }), 100'000);
}

TEST(ScoreCost, CountsParameters) {
  const auto parameters = [](ScoreKind kind) {
    return measure_score(kind, 6, 2, 3, 4, 0).parameters;
  };
  EXPECT_EQ(parameters(ScoreKind::dot), 0);
  EXPECT_EQ(parameters(ScoreKind::scaled_dot), 0);
  EXPECT_EQ(parameters(ScoreKind::general), 36);
  EXPECT_EQ(parameters(ScoreKind::additive), 36 + 36 + 6);
  EXPECT_EQ(parameters(ScoreKind::concat), 72 + 6 + 6);
}

TEST(ScoreCost, CountsOperations) {
  EXPECT_EQ(score_flops(ScoreKind::dot, 8, 5, 3), 2 * 5 * 3 * 8);
  EXPECT_EQ(score_flops(ScoreKind::general, 8, 5, 3), 2 * 5 * 64 + 2 * 5 * 3 * 8);
  EXPECT_EQ(score_flops(ScoreKind::additive, 8, 5, 3), 2 * (5 + 3) * 64 + 4 * 5 * 3 * 8);
  EXPECT_THROW(score_flops(ScoreKind::none, 8, 5, 3), Error);
}

// At every pair of positions additive keeps a vector of d numbers where dot keeps one.
TEST(ScoreCost, AdditiveHoldsAVectorForEveryPair) {
  constexpr int64_t d = 64, batch = 2, n = 32;
  const ScoreCost dot = measure_score(ScoreKind::dot, d, batch, n, n, 0);
  const ScoreCost additive = measure_score(ScoreKind::additive, d, batch, n, n, 0);
  EXPECT_GE(additive.whole.peak_bytes, batch * n * n * d * 4);
  EXPECT_LT(dot.whole.peak_bytes, batch * n * n * d * 4 / 2);
  EXPECT_GT(dot.whole.seconds, 0);
}

TEST(SelfAttentionCost, HoldsASquareMatrix) {
  EXPECT_GE(measure_self_attention(128, 16, 0).resources.peak_bytes, 128 * 128 * 4);
}

}  // namespace
}  // namespace softalign
