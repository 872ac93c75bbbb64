#include "model/lab/string_tasks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace softalign {
namespace {

TEST(StringPairs, CopyAndReverse) {
  for (const SentencePair& pair : string_pairs(StringTask::copy, 50, 1, 6, 1))
    EXPECT_EQ(pair.source, pair.target);
  for (const SentencePair& pair : string_pairs(StringTask::reverse, 50, 1, 6, 1))
    EXPECT_EQ(std::string(pair.source.rbegin(), pair.source.rend()), pair.target);
}

TEST(StringPairs, HaveEveryLengthAndNoOther) {
  std::set<size_t> lengths;
  for (const SentencePair& pair : string_pairs(StringTask::copy, 300, 3, 7, 2))
    lengths.insert(pair.source.size());
  EXPECT_EQ(lengths, (std::set<size_t>{3, 4, 5, 6, 7}));
}

TEST(StringPairs, FollowFromTheSeed) {
  const auto first = [](uint64_t seed) {
    return string_pairs(StringTask::copy, 1, 12, 12, seed).front().source;
  };
  EXPECT_EQ(first(1), first(1));
  EXPECT_NE(first(1), first(2));
}

TEST(LettersInPlace, CountsPlaces) {
  EXPECT_EQ(letters_in_place("abcd", "abcd"), 1);
  EXPECT_EQ(letters_in_place("abxd", "abcd"), 0.75);
  EXPECT_EQ(letters_in_place("bcd", "abcd"), 0);     // moved by one
  EXPECT_EQ(letters_in_place("abcdee", "abcd"), 1);  // what follows isn't looked at
  EXPECT_EQ(letters_in_place("", "ab"), 0);
}

}  // namespace
}  // namespace softalign
