#include "model/metrics/bootstrap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/error.h"

namespace softalign {
namespace {

std::vector<BleuStatistics> output(const std::vector<std::string>& hypotheses,
                                   const std::string& reference) {
  std::vector<BleuStatistics> result;
  for (const std::string& hypothesis : hypotheses)
    result.push_back(bleu_statistics(hypothesis, reference, {}));
  return result;
}

const std::string kReference = "seven ducks cross the wide road";
const std::string kGood = "seven ducks cross the wide street";
const std::string kBad = "some ducks cross the wide street";

TEST(PairedBootstrap, EqualOutputsAreNotDifferent) {
  const auto same = output({kGood, kBad, kGood}, kReference);
  const BootstrapResult result = paired_bootstrap(same, same, {}, 50, 1);
  EXPECT_EQ(result.p_value, 1);
  EXPECT_EQ(result.mean_difference, 0);
  EXPECT_EQ(result.low, 0);
  EXPECT_EQ(result.high, 0);
}

TEST(PairedBootstrap, BetterOnEverySentenceIsCertain) {
  const auto bad = output({kBad, kBad, kBad}, kReference);
  const auto good = output({kGood, kGood, kGood}, kReference);
  const BootstrapResult result = paired_bootstrap(bad, good, {}, 200, 1);
  EXPECT_EQ(result.p_value, 0);
  // Every resample is the same corpus, so every difference is the whole set's.
  EXPECT_NEAR(result.mean_difference, result.b - result.a, 1e-9);
  EXPECT_NEAR(result.low, result.b - result.a, 1e-9);
  EXPECT_NEAR(result.high, result.b - result.a, 1e-9);
  EXPECT_EQ(result.resamples, 200);
}

TEST(PairedBootstrap, OneDecidingSentenceIsMissedAsOftenAsChanceSays) {
  // B wins on one of n sentences and draws elsewhere: a resample that misses it is a draw, with
  // probability (1 − 1/n)^n = 0.9^10 = 0.3487. Standard error with 4000 resamples: 0.0075.
  std::vector<std::string> a(10, kGood), b(10, kGood);
  a[3] = kBad;
  const BootstrapResult result =
      paired_bootstrap(output(a, kReference), output(b, kReference), {}, 4000, 7);
  EXPECT_NEAR(result.p_value, 0.3487, 0.03);
  EXPECT_EQ(result.low, 0);
  EXPECT_GT(result.high, result.mean_difference);
}

TEST(PairedBootstrap, IsReproducibleBySeedAndAntisymmetric) {
  const auto a = output({kBad, kGood, kBad, kGood, kReference}, kReference);
  const auto b = output({kGood, kBad, kGood, kGood, kGood}, kReference);
  const BootstrapResult first = paired_bootstrap(a, b, {}, 100, 3);
  const BootstrapResult again = paired_bootstrap(a, b, {}, 100, 3);
  const BootstrapResult swapped = paired_bootstrap(b, a, {}, 100, 3);
  const BootstrapResult other = paired_bootstrap(a, b, {}, 100, 4);
  EXPECT_EQ(first.mean_difference, again.mean_difference);
  EXPECT_EQ(first.low, again.low);
  EXPECT_NE(first.mean_difference, other.mean_difference);
  EXPECT_NEAR(swapped.mean_difference, -first.mean_difference, 1e-9);
  EXPECT_NEAR(swapped.low, -first.high, 1e-9);
  EXPECT_EQ(swapped.p_value, first.p_value);
}

TEST(PairedBootstrap, RefusesWhatItCannotCompare) {
  const auto one = output({kGood}, kReference);
  EXPECT_THROW(paired_bootstrap(one, {}, {}, 10, 1), Error);
  EXPECT_THROW(paired_bootstrap(one, one, {}, 0, 1), Error);
}

TEST(PairedBootstrap, EmptySetIsADraw) {
  EXPECT_EQ(paired_bootstrap({}, {}, {}, 10, 1).p_value, 1);
}

}  // namespace
}  // namespace softalign
