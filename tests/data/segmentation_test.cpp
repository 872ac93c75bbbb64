#include "data/segmentation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace softalign {
namespace {

using Ids = std::vector<int64_t>;

PieceTable small_table() {
  PieceTable table;
  table.add("a", {4, std::log(0.3)});
  table.add("b", {5, std::log(0.2)});
  table.add("ab", {6, std::log(0.25)});
  table.add("ba", {7, std::log(0.15)});
  table.add("aba", {8, std::log(0.1)});
  table.unknown_id = 1;
  table.unknown_score = std::log(1e-6);
  return table;
}

std::map<Ids, double> frequencies(const PieceTable& table, const std::string& text, double alpha,
                                  int draws) {
  std::mt19937_64 random(3);
  std::map<Ids, double> shares;
  for (int i = 0; i < draws; ++i) shares[sample_unigram(table, text, alpha, random)] += 1.0 / draws;
  return shares;
}

// "aba" has the segmentations a·b·a, ab·a, a·ba and aba.
TEST(SampleUnigram, DrawsEverySegmentationWithItsProbability) {
  for (const double alpha : {1.0, 0.2}) {
    std::map<Ids, double> expected = {
        {{4, 5, 4}, 0.3 * 0.2 * 0.3}, {{6, 4}, 0.25 * 0.3}, {{4, 7}, 0.3 * 0.15}, {{8}, 0.1}};
    double sum = 0;
    for (auto& [ids, weight] : expected) sum += weight = std::pow(weight, alpha);
    const auto shares = frequencies(small_table(), "aba", alpha, 40000);
    EXPECT_EQ(shares.size(), expected.size());
    // Five standard deviations of a share are at most 5 · √(0.25 / 40000) = 0.0125.
    for (const auto& [ids, weight] : expected) EXPECT_NEAR(shares.at(ids), weight / sum, 0.0125);
  }
}

TEST(SampleUnigram, LargeAlphaGivesTheBestSegmentation) {
  const auto shares = frequencies(small_table(), "aba", 200.0, 100);
  EXPECT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares.begin()->first, (Ids{8}));  // 0.1 > 0.25 · 0.3 = 0.075
}

TEST(SampleUnigram, NeighbouringUnknownCharactersAreOne) {
  const auto shares = frequencies(small_table(),
                                  "ax\xe4\xbd\xa0"
                                  "b",
                                  1.0, 10);
  EXPECT_EQ(shares.size(), 1u);
  EXPECT_EQ(shares.begin()->first, (Ids{4, 1, 5}));
}

TEST(SampleUnigram, EmptyTextHasNoPieces) {
  std::mt19937_64 random(1);
  EXPECT_TRUE(sample_unigram(small_table(), "", 1.0, random).empty());
  EXPECT_TRUE(sample_bpe(small_table(), "", 0.5, random).empty());
}

PieceTable merge_table() {  // merges in order: a+b, ab+c, b+c
  PieceTable table;
  table.add("ab", {4, 0.0});
  table.add("abc", {5, -1.0});
  table.add("bc", {6, -2.0});
  table.add("a", {7, -3.0});
  table.add("b", {8, -4.0});
  table.add("c", {9, -5.0});
  table.unknown_id = 1;
  return table;
}

TEST(SampleBpe, WithoutDropoutMergesInOrder) {
  std::mt19937_64 random(1);
  EXPECT_EQ(sample_bpe(merge_table(), "abc", 0.0, random), (Ids{5}));
  EXPECT_EQ(sample_bpe(merge_table(), "abxbcc", 0.0, random), (Ids{4, 1, 6, 9}));
}

TEST(SampleBpe, FullDropoutLeavesCharacters) {
  std::mt19937_64 random(1);
  EXPECT_EQ(sample_bpe(merge_table(), "abc", 1.0, random), (Ids{7, 8, 9}));
}

// On "abc" with dropout p: a+b is tried first; if it happens (1 − p), ab+c is tried; if not, b+c.
TEST(SampleBpe, DropsEachMergeWithItsProbability) {
  constexpr double p = 0.3;
  constexpr int kDraws = 20000;
  std::mt19937_64 random(5);
  std::map<Ids, double> shares;
  for (int i = 0; i < kDraws; ++i) {
    shares[sample_bpe(merge_table(), "abc", p, random)] += 1.0 / kDraws;
  }
  // a·bc could still become abc by the merge a+bc, whose text is a piece.
  const double b_c = p * (1 - p);
  EXPECT_NEAR((shares[{5}]), (1 - p) * (1 - p) + b_c * (1 - p), 0.018);
  EXPECT_NEAR((shares[{4, 9}]), (1 - p) * p, 0.018);
  EXPECT_NEAR((shares[{7, 6}]), b_c * p, 0.018);
  EXPECT_NEAR((shares[{7, 8, 9}]), p * p, 0.018);
}

}  // namespace
}  // namespace softalign
