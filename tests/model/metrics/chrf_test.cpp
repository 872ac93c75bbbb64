#include "model/metrics/chrf.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/error.h"

namespace softalign {
namespace {

using Lines = std::vector<std::string>;

TEST(Chrf, CountsCharactersNotBytes) {
  // 1-grams: 2 of 3 match on each side; 2-grams: 1 of 2; 3-grams: 0 of 1; longer ones don't exist.
  // P = R = F = (2/3 + 1/2 + 0) / 3.
  EXPECT_NEAR(chrf(Lines{"我爱你"}, Lines{"我爱他"}).score, 100 * (2.0 / 3 + 0.5) / 3, 1e-9);
}

TEST(Chrf, WeighsRecallFourTimes) {
  // Hypothesis "ab", reference "abcd": P = (1 + 1)/2, R = (2/4 + 1/3)/2, F2 = 5PR/(4P + R).
  const double recall = (0.5 + 1.0 / 3) / 2;
  EXPECT_NEAR(chrf(Lines{"ab"}, Lines{"abcd"}).score, 100 * 5 * recall / (4 + recall), 1e-9);
}

TEST(Chrf, IgnoresWhiteSpaceOfEveryKind) {
  EXPECT_DOUBLE_EQ(chrf(Lines{"wa ter\u3000fa\u00a0ll"}, Lines{"waterfall"}).score, 100);
}

TEST(Chrf, IgnoresOrdersThatTheReferenceLacks) {
  // As above "ab" against "ab" and a longer hypothesis: its 3-grams have no counterpart.
  // 1-grams P = 2/3, 2-grams P = 1/2, R = 1.
  const double precision = (2.0 / 3 + 0.5) / 2;
  EXPECT_NEAR(chrf(Lines{"abc"}, Lines{"ab"}).score, 100 * 5 * precision / (4 * precision + 1),
              1e-9);
}

TEST(Chrf, LowercaseIsAChoiceAndInTheSignature) {
  EXPECT_EQ(chrf(Lines{"ÄB"}, Lines{"äb"}, true).score, 100);
  EXPECT_EQ(chrf(Lines{"ÄB"}, Lines{"äb"}).score, 0);
  EXPECT_EQ(chrf(Lines{}, Lines{}, true)
                .signature.rfind("nrefs:1|case:lc|eff:yes|nc:6|nw:0|space:no|softalign:", 0),
            0u);
}

TEST(Chrf, EmptyCorpusIsZero) { EXPECT_EQ(chrf(Lines{}, Lines{}).score, 0); }

TEST(Chrf, AcceptsIllFormedBytes) { EXPECT_GT(chrf(Lines{"ab\xff"}, Lines{"ab"}).score, 0); }

TEST(Chrf, S09_RefusesListsOfDifferentSize) {
  EXPECT_THROW(chrf(Lines{"a"}, Lines{"a", "b"}), Error);
}

}  // namespace
}  // namespace softalign
