#include "app/lab/corpus.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/unicode.h"

namespace softalign {
namespace {

std::vector<SentencePair> pairs_of_lengths(size_t longest, size_t each) {
  std::vector<SentencePair> pairs;
  for (size_t n = 0; n < each; ++n) {
    for (size_t length = 1; length <= longest; ++length) {
      SentencePair pair;
      for (size_t k = 0; k < length; ++k) pair.source += "字";
      pair.target = std::to_string(length) + "." + std::to_string(n);
      pairs.push_back(pair);
    }
  }
  return pairs;
}

TEST(HoldOut, TakesLongSentencesOnlyAndNotTooMany) {
  std::vector<SentencePair> pairs = pairs_of_lengths(35, 10);
  const size_t all = pairs.size();
  const std::vector<SentencePair> held_out = hold_out(pairs, 20, 15);
  EXPECT_EQ(pairs.size() + held_out.size(), all);
  size_t twenties = 0, thirties = 0;
  for (const SentencePair& pair : held_out) {
    const size_t length = code_points(pair.source).size();
    EXPECT_GT(length, 20u);
    ++(length <= 30 ? twenties : thirties);
  }
  EXPECT_EQ(twenties, 15u);
  EXPECT_EQ(thirties, 15u);  // of 50
}

TEST(HoldOut, NothingIsInBothParts) {
  std::vector<SentencePair> pairs = pairs_of_lengths(30, 4);
  for (const SentencePair& taken : hold_out(pairs, 10, 100))
    EXPECT_TRUE(std::none_of(pairs.begin(), pairs.end(), [&](const SentencePair& pair) {
      return pair.target == taken.target;
    }));
}

TEST(LabCorpus, QuickIsASmallPartOfTheEmbeddedCorpusWithItsAlignment) {
  LabOptions options;
  options.quick = true;
  options.sentences = 500;
  const LabCorpus corpus = read_lab_corpus(options);
  EXPECT_EQ(corpus.train.pairs.size(), 500u);
  ASSERT_TRUE(corpus.test.gold);
  EXPECT_EQ(corpus.test.gold->links.size(), corpus.test.sources.lines.size());
  EXPECT_EQ(corpus.test.references.lines.size(), corpus.test.sources.lines.size());
  const EvaluationSet part = corpus.test.first(10);
  EXPECT_EQ(part.sources.lines.size(), 10u);
  EXPECT_EQ(part.gold->links.size(), 10u);
  for (const std::string& line : corpus.test.sources.lines)
    EXPECT_TRUE(std::none_of(corpus.train.pairs.begin(), corpus.train.pairs.end(),
                             [&](const SentencePair& pair) { return pair.source == line; }))
        << line;
}

}  // namespace
}  // namespace softalign
