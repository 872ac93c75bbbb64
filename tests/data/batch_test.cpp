#include "data/batch.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace softalign {
namespace {

Tensor ids(std::initializer_list<std::vector<int64_t>> rows) {
  std::vector<Tensor> tensors;
  for (const auto& row : rows) tensors.push_back(at::tensor(row));
  return at::stack(tensors);
}

TEST(Batch, PadsOnTheRightAndAddsBosAndEos) {
  const EncodedPair a{{5, 6}, {7}, {}}, b{{8}, {9, 10, 11}, {}};
  const Batch batch = make_batch({&a, &b}, {4, 2});
  EXPECT_TRUE(batch.source.equal(ids({{5, 6, kEos}, {8, kEos, kPad}})));
  EXPECT_TRUE(batch.source_lengths.equal(at::tensor(std::vector<int64_t>{3, 2})));
  EXPECT_TRUE(batch.target_in.equal(ids({{kBos, 7, kPad, kPad}, {kBos, 9, 10, 11}})));
  EXPECT_TRUE(batch.target_out.equal(ids({{7, kEos, kPad, kPad}, {9, 10, 11, kEos}})));
  EXPECT_TRUE(batch.target_lengths.equal(at::tensor(std::vector<int64_t>{2, 4})));
  EXPECT_EQ(batch.target_tokens, 6);
  EXPECT_EQ(batch.sentences, (std::vector<int64_t>{4, 2}));
  EXPECT_FALSE(batch.alignment.defined());
}

TEST(Batch, EmptySentencesAreEosAlone) {
  const EncodedPair empty{{}, {}, {}};
  const Batch batch = make_batch({&empty}, {0});
  EXPECT_TRUE(batch.source.equal(ids({{kEos}})));
  EXPECT_TRUE(batch.target_in.equal(ids({{kBos}})));
  EXPECT_TRUE(batch.target_out.equal(ids({{kEos}})));
}

TEST(Batch, AlignmentRowsSumToOneWhereThereAreLinks) {
  const EncodedPair linked{{5, 6, 7}, {8, 9}, {{0, 0, true}, {2, 0, true}, {2, 0, true}}};
  const EncodedPair bare{{5}, {8}, {}};
  const Batch batch = make_batch({&linked, &bare}, {0, 1});
  const Tensor expected = at::zeros({2, 3, 4});
  expected[0][0][0] = 0.5;
  expected[0][0][2] = 0.5;  // a link that is given twice counts once
  expected[0][2][3] = 1.0;  // EOS to EOS; the target's second piece has no link
  ASSERT_TRUE(batch.alignment.defined());
  EXPECT_TRUE(batch.alignment.equal(expected)) << batch.alignment;
}

TEST(Batch, MovingKeepsEverything) {
  const EncodedPair pair{{5}, {6}, {{0, 0, true}}};
  const Batch batch = make_batch({&pair}, {3}).to(at::kCPU);
  EXPECT_TRUE(batch.source.equal(ids({{5, kEos}})));
  EXPECT_EQ(batch.sentences, (std::vector<int64_t>{3}));
  const EncodedPair bare{{5}, {6}, {}};
  EXPECT_FALSE(make_batch({&bare}, {0}).to(at::kCPU).alignment.defined());
}

TEST(Batch, SourceSideAlone) {
  const SourceBatch batch = make_source_batch({{4, 5}, {}});
  EXPECT_TRUE(batch.ids.equal(ids({{4, 5, kEos}, {kEos, kPad, kPad}})));
  EXPECT_TRUE(batch.lengths.equal(at::tensor(std::vector<int64_t>{3, 1})));
}

TEST(Batch, SplitGivesEverySentenceOnceWithoutForeignPadding) {
  const EncodedPair a{{5, 6, 7, 8}, {7, 8, 9}, {{0, 0, true}}}, b{{8}, {9}, {}}, c{{5, 6}, {7, 8}, {}};
  const Batch batch = make_batch({&a, &b, &c}, {4, 2, 0});
  const std::vector<Batch> parts = batch.split(2);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0].sentences, (std::vector<int64_t>{2, 0}));  // short ones first
  EXPECT_EQ(parts[1].sentences, (std::vector<int64_t>{4}));
  EXPECT_TRUE(parts[0].source.equal(ids({{8, kEos, kPad}, {5, 6, kEos}})));
  EXPECT_TRUE(parts[0].target_in.equal(ids({{kBos, 9, kPad}, {kBos, 7, 8}})));
  EXPECT_TRUE(parts[0].target_out.equal(ids({{9, kEos, kPad}, {7, 8, kEos}})));
  EXPECT_EQ(parts[0].target_tokens, 5);
  EXPECT_EQ(parts[1].target_tokens, 4);
  EXPECT_TRUE(parts[1].source.equal(ids({{5, 6, 7, 8, kEos}})));
  EXPECT_TRUE(parts[1].alignment.equal(make_batch({&a}, {4}).alignment));
  EXPECT_EQ(batch.split(1).size(), 1u);
  EXPECT_LE(batch.split(7).size(), 3u);
}

}  // namespace
}  // namespace softalign
