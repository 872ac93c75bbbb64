#include "app/lab/verdicts.h"

#include <gtest/gtest.h>

#include <cmath>

namespace softalign {
namespace {

// Every verdict is shown a made-up series that must pass and one that must fail, close to the
// threshold on both sides.

TEST(Verdict, SlopeOfTheVariance) {
  EXPECT_TRUE(judge_variance(1).confirmed);
  EXPECT_TRUE(judge_variance(0.971).confirmed);
  EXPECT_TRUE(judge_variance(1.029).confirmed);
  EXPECT_FALSE(judge_variance(0.969).confirmed);
  EXPECT_FALSE(judge_variance(1.031).confirmed);
  EXPECT_FALSE(judge_variance(std::nan("")).confirmed);
}

TEST(Verdict, ScaledVarianceHoldsAtEveryWidth) {
  const std::vector<double> d{1, 2, 4};
  EXPECT_TRUE(judge_scaled_variance(d, {0.98, 1.0, 1.02}).confirmed);
  EXPECT_FALSE(judge_scaled_variance(d, {1.0, 1.04, 1.0}).confirmed);
  EXPECT_FALSE(judge_scaled_variance(d, {1.0, 1.0, 0.96}).confirmed);
  EXPECT_FALSE(judge_scaled_variance(d, {1.0, std::nan(""), 1.0}).confirmed);
  EXPECT_FALSE(judge_scaled_variance({}, {}).confirmed);
}

TEST(Verdict, NamesTheWorstWidth) {
  const Verdict verdict = judge_scaled_variance({1, 2, 4}, {1.0, 1.04, 0.99});
  EXPECT_NE(verdict.words.en.find("1.0400, at $d$ = 2"), std::string::npos) << verdict.words.en;
  EXPECT_NE(verdict.words.zh.find("1.0400（$d$ = 2）"), std::string::npos) << verdict.words.zh;
}

TEST(Verdict, TrainedComponents) {
  EXPECT_TRUE(judge_components(0.6, 1.4).confirmed);
  EXPECT_FALSE(judge_components(0.4, 1.0).confirmed);
  EXPECT_FALSE(judge_components(1.0, 1.6).confirmed);
}

TEST(Verdict, Saturation) {
  EXPECT_TRUE(judge_saturation(20).confirmed);
  EXPECT_TRUE(judge_saturation(1024).confirmed);
  EXPECT_FALSE(judge_saturation(1025).confirmed);
  EXPECT_FALSE(judge_saturation(0).confirmed);  // never
}

TEST(Verdict, KeptGradient) {
  EXPECT_TRUE(judge_kept_gradient({1, 2}, {1.1, 0.81}).confirmed);
  EXPECT_FALSE(judge_kept_gradient({1, 2}, {0.79, 1.0}).confirmed);
  EXPECT_FALSE(judge_kept_gradient({}, {}).confirmed);
}

TEST(Verdict, Training) {
  EXPECT_TRUE(judge_training(512, 3.05, 3.0).confirmed);
  EXPECT_FALSE(judge_training(512, 3.01, 3.0).confirmed);
  EXPECT_FALSE(judge_training(512, 2.9, 3.0).confirmed);
  EXPECT_FALSE(judge_training(512, std::nan(""), 3.0).confirmed);
}

TEST(Verdict, BottleneckTurnsOnTheIntervalNotOnTheDifference) {
  EXPECT_TRUE(judge_bottleneck("general", "41–50", {8, 0.1, 15}).confirmed);
  EXPECT_FALSE(judge_bottleneck("general", "41–50", {8, -0.1, 15}).confirmed);
  EXPECT_FALSE(judge_bottleneck("general", "41–50", {-3, -5, -1}).confirmed);
}

TEST(Verdict, Strings) {
  EXPECT_TRUE(judge_strings(0.2, 0.31).confirmed);
  EXPECT_FALSE(judge_strings(0.2, 0.29).confirmed);
}

TEST(Verdict, SpeedNamesTheSizeFromWhichItHoldsToTheEnd) {
  const std::vector<double> sizes{16, 32, 64, 128};
  EXPECT_EQ(faster_from(sizes, {1.5, 1.0, 1.2, 3.0}), 64);
  EXPECT_EQ(faster_from(sizes, {1.5, 1.3, 1.2, 3.0}), 16);
  EXPECT_EQ(faster_from(sizes, {1.5, 1.3, 1.2, 1.05}), 0);
  EXPECT_TRUE(judge_speed(sizes, {1.0, 1.0, 1.0, 1.1}).confirmed);
  EXPECT_FALSE(judge_speed(sizes, {2.0, 2.0, 2.0, 1.09}).confirmed);
  EXPECT_FALSE(judge_speed({}, {}).confirmed);
}

TEST(Verdict, Exponent) {
  const auto confirmed = [](double exponent) {
    return judge_exponent("time_exponent", {"Time", "时间"}, exponent).confirmed;
  };
  EXPECT_TRUE(confirmed(1.81));
  EXPECT_TRUE(confirmed(2.19));
  EXPECT_FALSE(confirmed(1.79));
  EXPECT_FALSE(confirmed(2.21));
  EXPECT_FALSE(confirmed(std::nan("")));
}

TEST(Verdict, SelfAttentionHelps) {
  EXPECT_TRUE(judge_help({1, 0.2, 2}).confirmed);
  EXPECT_FALSE(judge_help({1, -0.2, 2}).confirmed);
}

TEST(Verdict, Alignment) {
  EXPECT_TRUE(judge_alignment("general", 0.3, 0.36).confirmed);
  EXPECT_FALSE(judge_alignment("general", 0.3, 0.34).confirmed);
  EXPECT_TRUE(judge_guidance(0.3, 0.27).confirmed);
  EXPECT_FALSE(judge_guidance(0.3, 0.29).confirmed);
  EXPECT_TRUE(judge_counterexamples(1, 100).confirmed);
  EXPECT_FALSE(judge_counterexamples(0, 100).confirmed);
}

TEST(Verdict, ByHand) {
  EXPECT_TRUE(judge_by_hand(0.0004).confirmed);
  EXPECT_FALSE(judge_by_hand(0.0006).confirmed);
  EXPECT_FALSE(judge_by_hand(std::nan("")).confirmed);
}

}  // namespace
}  // namespace softalign
