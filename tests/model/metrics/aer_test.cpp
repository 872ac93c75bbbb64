#include "model/metrics/aer.h"

#include <gtest/gtest.h>

#include <vector>

#include "data/error.h"

namespace softalign {
namespace {

using Links = std::vector<Link>;

TEST(AlignmentErrorRate, IsTheFormulaOfOchAndNey) {
  // A = {00, 11, 12, 33}, S = {00, 11, 22}, P = S ∪ {12}: |A∩S| = 2, |A∩P| = 3.
  const AlignmentScore score = alignment_error_rate({{{0, 0}, {1, 1}, {1, 2}, {3, 3}}},
                                                    {{{0, 0}, {1, 1}, {2, 2}, {1, 2, false}}});
  EXPECT_DOUBLE_EQ(score.precision, 3.0 / 4);
  EXPECT_DOUBLE_EQ(score.recall, 2.0 / 3);
  EXPECT_DOUBLE_EQ(score.aer, 1 - 5.0 / 7);
  EXPECT_EQ(score.predicted, 4);
  EXPECT_EQ(score.sure, 3);
  EXPECT_EQ(score.possible, 4);
}

TEST(AlignmentErrorRate, CountsLinksOverTheCorpus) {
  // First sentence right (1 link), second wrong (3 links against 1): 1 − (1 + 1)/(4 + 2).
  const AlignmentScore score =
      alignment_error_rate({{{0, 0}}, {{0, 0}, {1, 0}, {2, 0}}}, {{{0, 0}}, {{5, 5}}});
  EXPECT_DOUBLE_EQ(score.aer, 1 - 2.0 / 6);
  EXPECT_DOUBLE_EQ(score.precision, 0.25);
  EXPECT_DOUBLE_EQ(score.recall, 0.5);
}

TEST(AlignmentErrorRate, CountsRepeatedLinksOnceAndSureWins) {
  const AlignmentScore score =
      alignment_error_rate({{{0, 0}, {0, 0}}}, {{{0, 0, false}, {0, 0}, {0, 0}}});
  EXPECT_EQ(score.predicted, 1);
  EXPECT_EQ(score.sure, 1);
  EXPECT_EQ(score.possible, 1);
  EXPECT_DOUBLE_EQ(score.aer, 0);
}

TEST(AlignmentErrorRate, IsFiniteWithoutLinks) {
  EXPECT_DOUBLE_EQ(alignment_error_rate({Links{}}, {Links{}}).aer, 0);
  EXPECT_DOUBLE_EQ(alignment_error_rate({}, {}).aer, 0);
  const AlignmentScore missed = alignment_error_rate({Links{}}, {{{0, 0}}});
  EXPECT_DOUBLE_EQ(missed.aer, 1);
  EXPECT_DOUBLE_EQ(missed.recall, 0);
}

TEST(AlignmentErrorRate, S09_RefusesListsOfDifferentSize) {
  EXPECT_THROW(alignment_error_rate({Links{}}, {}), Error);
}

}  // namespace
}  // namespace softalign
