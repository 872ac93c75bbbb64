#include "data/alignment.h"

#include <gtest/gtest.h>

#include <random>

#include "data/error.h"
#include "data/sampler.h"

namespace softalign {
namespace {

TEST(Alignment, ReadsSureAndPossibleLinks) {
  const std::vector<Link> expected = {{0, 0, true}, {1, 2, true}, {2, 1, false}, {10, 12, true}};
  EXPECT_EQ(parse_alignment("0-0 1-2 2?1 10-12"), expected);
  EXPECT_EQ(parse_alignment("  0-0\t1-2  2p1 10-12 "), expected);
}

TEST(Alignment, BlankLineHasNoLinks) {
  EXPECT_TRUE(parse_alignment("").empty());
  EXPECT_TRUE(parse_alignment("  \t ").empty());
}

TEST(Alignment, RefusesEverythingElse) {
  for (const char* text : {"0", "0-", "-0", "0-0-0", "a-b", "0:0", "0--1", "-1-0", "0 - 0", "0-0,",
                           "1.5-2", "+1-2", "0-99999999999999999999", "0-1p"}) {
    EXPECT_THROW(parse_alignment(text), Error) << text;
  }
}

TEST(Alignment, FormatIsTheInverseOfParse) {
  constexpr uint64_t kSeed = 7;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  std::mt19937_64 random(kSeed);
  for (int round = 0; round < 200; ++round) {
    std::vector<Link> links(uniform(10, random));
    for (Link& link : links) {
      link = {static_cast<int64_t>(uniform(100, random)),
              static_cast<int64_t>(uniform(100, random)), uniform(2, random) == 0};
    }
    EXPECT_EQ(parse_alignment(format_alignment(links)), links);
  }
}

TEST(Alignment, WordWeightsAreSummedOverTheSourceAndAveragedOverTheTarget) {
  // Source: word 0 = pieces 0 and 1, word 1 = piece 2, then EOS. Target: word 0 = piece 0,
  // word 1 = pieces 1 and 2, then EOS.
  const std::vector<std::vector<float>> weights = {
      {0.5f, 0.25f, 0.25f, 0.0f},     // word 0: 0.75 0.25
      {0.125f, 0.125f, 0.25f, 0.5f},  // word 1: (0.25 0.25 + 0 0.5) / 2, of 1: 0.25 0.75
      {0.0f, 0.0f, 0.5f, 0.5f},
      {0.0f, 0.0f, 0.0f, 1.0f}};
  const auto words = word_weights(weights, {0, 1, 1}, {0, 0, 1});
  ASSERT_EQ(words.size(), 2u);
  EXPECT_DOUBLE_EQ(words[0][0], 0.75);
  EXPECT_DOUBLE_EQ(words[0][1], 0.25);
  EXPECT_DOUBLE_EQ(words[1][0], 0.25);
  EXPECT_DOUBLE_EQ(words[1][1], 0.75);
}

TEST(Alignment, RowOfZerosStaysAndGivesNoLink) {
  const auto words = word_weights({{0.0f, 0.0f, 1.0f}, {0.0f, 1.0f, 0.0f}}, {0, 1}, {0, 1});
  EXPECT_EQ(words[0], (std::vector<double>{0.0, 0.0}));
  EXPECT_EQ(hard_alignment(words), (std::vector<Link>{{1, 1, true}}));
}

TEST(Alignment, NothingGivesNothing) {
  EXPECT_TRUE(word_weights({}, {}, {}).empty());
  EXPECT_TRUE(hard_alignment({}).empty());
  EXPECT_TRUE(hard_alignment({{}}).empty());
}

TEST(Alignment, HardAlignmentTakesTheHeaviestAndOfEqualOnesTheFirst) {
  EXPECT_EQ(hard_alignment({{0.2, 0.5, 0.3}, {0.5, 0.5}}),
            (std::vector<Link>{{1, 0, true}, {0, 1, true}}));
}

TEST(Alignment, EveryPieceOfAWordIsLinkedToEveryPieceOfItsPartner) {
  const std::vector<Link> links = {{0, 1, true}, {1, 0, false}};
  const std::vector<Link> expected = {
      {0, 1, true}, {1, 1, true}, {0, 2, true}, {1, 2, true}, {2, 0, false}};
  EXPECT_EQ(links_over_pieces(links, {0, 0, 1}, {0, 1, 1}), expected);
}

TEST(Alignment, LinkOfAWordWithoutPiecesVanishes) {
  EXPECT_TRUE(links_over_pieces({{1, 0, true}}, {0, 2}, {0}).empty());
}

}  // namespace
}  // namespace softalign
