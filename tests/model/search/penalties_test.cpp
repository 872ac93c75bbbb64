#include "model/search/penalties.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/search/constraints.h"
#include "model/search/top_k.h"
#include "model/search/trace.h"

namespace softalign {
namespace {

SearchOptions with(LengthPenalty penalty, double alpha) {
  SearchOptions options;
  options.length_penalty = penalty;
  options.length_penalty_alpha = alpha;
  return options;
}

TEST(LengthPenalty, IsTheFormulaOfThePaper) {
  EXPECT_DOUBLE_EQ(length_normaliser(with(LengthPenalty::wu, 1.0), 7), 2.0);   // (5 + 7) / 6
  EXPECT_DOUBLE_EQ(length_normaliser(with(LengthPenalty::wu, 0.5), 19), 2.0);  // √(24 / 6)
  EXPECT_DOUBLE_EQ(length_normaliser(with(LengthPenalty::wu, 0.0), 19), 1.0);
  EXPECT_DOUBLE_EQ(length_normaliser(with(LengthPenalty::average, 0.5), 19), 19.0);
  EXPECT_DOUBLE_EQ(length_normaliser(with(LengthPenalty::none, 0.5), 19), 1.0);
}

TEST(CoveragePenalty, IsTheFormulaOfThePaper) {
  SearchOptions options;
  options.coverage_penalty = 0.2;
  EXPECT_NEAR(coverage_penalty(options, {0.5F, 1.0F, 2.5F, 0.25F}),
              0.2 * (std::log(0.5) + std::log(0.25)), 1e-6);
}

TEST(CoveragePenalty, PositionsThatNothingCouldSeeStayFinite) {
  SearchOptions options;
  options.coverage_penalty = 1.0;
  EXPECT_NEAR(coverage_penalty(options, {0.0F}), std::log(1e-6), 1e-3);
}

TEST(ScoreBound, NoCompletionCanBeBetter) {
  for (const LengthPenalty kind : {LengthPenalty::none, LengthPenalty::average, LengthPenalty::wu})
    for (const double alpha : {0.0, 0.6, 2.0}) {
      const SearchOptions options = with(kind, alpha);
      constexpr int64_t kLongest = 9;
      for (int64_t length = 3; length <= kLongest; ++length)
        for (const double further : {0.0, -0.1, -5.0}) {
          Hypothesis completed;
          completed.tokens.resize(static_cast<size_t>(length));
          completed.log_prob = -1.5 + further;
          EXPECT_LE(penalised_score(options, completed), score_bound(options, -1.5, kLongest));
        }
    }
}

TEST(TopK, EqualValuesComeByToken) {
  const std::vector<float> values{1, 3, 2, 3, -INFINITY, NAN, 2};
  const std::vector<Choice> best = top_k(values.data(), 7, 4);
  ASSERT_EQ(best.size(), 4u);
  EXPECT_EQ(best[0].token, 1);
  EXPECT_EQ(best[1].token, 3);
  EXPECT_EQ(best[2].token, 2);
  EXPECT_EQ(best[3].token, 6);
  EXPECT_EQ(top_k(values.data(), 7, 50).size(), 5u);  // −∞ and NaN are never chosen
}

TEST(Trace, BranchesShareTheirHistory) {
  Trace trace;
  trace.begin_step(at::tensor({0.25F, 0.75F, 0.0F}).view({1, 3}));
  const int64_t first = trace.add(Trace::kRoot, 0, 7);
  const int64_t other = trace.add(Trace::kRoot, 0, 8);
  trace.begin_step(at::tensor({0.5F, 0.5F, 0.0F, 1.0F, 0.0F, 0.0F}).view({2, 3}));
  const int64_t left = trace.add(first, 1, 4);
  const int64_t right = trace.add(other, 0, 5);
  EXPECT_EQ(trace.tokens(left), (std::vector<int64_t>{7, 4}));
  const Hypothesis hypothesis = trace.hypothesis(right, 2);
  EXPECT_EQ(hypothesis.tokens, (std::vector<int64_t>{8, 5}));
  EXPECT_EQ(hypothesis.attention, (std::vector<std::vector<float>>{{0.25F, 0.75F}, {0.5F, 0.5F}}));
}

TEST(Constraints, HugeFactorsStayNumbers) {
  SearchOptions options;
  options.max_length_factor = 1e300;
  const Constraints constraints(options, 10, {});
  EXPECT_GT(constraints.maximum_length(), 1'000'000);
}

TEST(Constraints, LimitsThatContradictGiveWay) {
  SearchOptions options;
  options.max_length = 3;
  options.min_length = 8;
  const Constraints constraints(options, 10, {5, 5, 5, 5});
  EXPECT_EQ(constraints.maximum_length(), 5);  // the prefix and one more
  EXPECT_EQ(constraints.minimum_length(), 5);
}

}  // namespace
}  // namespace softalign
