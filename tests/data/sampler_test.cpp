#include "data/sampler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "data/error.h"

namespace softalign {
namespace {

using Lengths = std::vector<std::pair<int64_t, int64_t>>;
using Epoch = std::vector<std::vector<int64_t>>;

Lengths random_lengths(size_t count, uint64_t seed) {
  std::mt19937_64 random(seed);
  Lengths lengths;
  for (size_t i = 0; i < count; ++i) {
    const auto source = static_cast<int64_t>(uniform(40, random));
    lengths.emplace_back(source, source / 2 + static_cast<int64_t>(uniform(20, random)));
  }
  return lengths;
}

Epoch draw_epoch(Sampler& sampler) {
  Epoch batches;
  while (auto batch = sampler.next()) batches.push_back(*batch);
  return batches;
}

std::vector<int64_t> sorted_sentences(const Epoch& epoch) {
  std::vector<int64_t> sentences;
  for (const auto& batch : epoch) sentences.insert(sentences.end(), batch.begin(), batch.end());
  std::sort(sentences.begin(), sentences.end());
  return sentences;
}

std::vector<int64_t> first_numbers(size_t count) {
  std::vector<int64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

TEST(Sampler, EverySentenceOncePerEpochAndNoBatchOverTheBudget) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const Lengths lengths = random_lengths(50 * seed + seed % 3, seed);
    SamplerConfig config;
    config.batch_tokens = 200;
    config.bucket_batches = 3;
    config.seed = seed;
    Sampler sampler(lengths, config);
    for (int epoch = 0; epoch < 2; ++epoch) {
      const int64_t announced = sampler.batches_per_epoch();
      const Epoch batches = draw_epoch(sampler);
      if (epoch == 0) {
        EXPECT_EQ(static_cast<int64_t>(batches.size()), announced);
      }
      EXPECT_EQ(sorted_sentences(batches), first_numbers(lengths.size()));
      EXPECT_EQ(sampler.epoch(), epoch + 1);
      for (const auto& batch : batches) {
        int64_t longest = 0;
        for (const int64_t i : batch) {
          const auto& [source, target] = lengths[static_cast<size_t>(i)];
          longest = std::max({longest, source + 1, target + 1});
        }
        EXPECT_LE(longest * static_cast<int64_t>(batch.size()), config.batch_tokens);
      }
    }
  }
}

TEST(Sampler, S10_SmallCorporaLoseNoSentence) {
  for (const size_t count : {1, 3, 65}) {
    SamplerConfig config;
    config.batch_sentences = 64;
    Sampler sampler(random_lengths(count, 5), config);
    const Epoch batches = draw_epoch(sampler);
    EXPECT_EQ(batches.size(), count == 65 ? 2u : 1u);
    EXPECT_EQ(sorted_sentences(batches), first_numbers(count));
  }
}

TEST(Sampler, NoSentencesGiveEmptyEpochs) {
  Sampler sampler({}, {});
  EXPECT_FALSE(sampler.next());
  EXPECT_FALSE(sampler.next());
  EXPECT_EQ(sampler.epoch(), 2);
}

TEST(Sampler, SentenceOverTheBudgetStandsAlone) {
  SamplerConfig config;
  config.batch_tokens = 10;
  Sampler sampler({{3, 3}, {50, 2}, {2, 99}, {3, 3}}, config);
  for (const auto& batch : draw_epoch(sampler)) {
    const bool has_long = std::count(batch.begin(), batch.end(), 1) > 0 ||
                          std::count(batch.begin(), batch.end(), 2) > 0;
    if (has_long) {
      EXPECT_EQ(batch.size(), 1u);
    }
  }
}

TEST(Sampler, EpochsAndSeedsDifferAndEqualSeedsAgree) {
  const Lengths lengths = random_lengths(300, 3);
  SamplerConfig config;
  config.batch_sentences = 8;
  Sampler a(lengths, config), same(lengths, config);
  const Epoch first = draw_epoch(a), second = draw_epoch(a);
  EXPECT_NE(first, second);
  EXPECT_EQ(draw_epoch(same), first);
  EXPECT_EQ(draw_epoch(same), second);
  config.seed = 2;
  Sampler other(lengths, config);
  EXPECT_NE(draw_epoch(other), first);
}

TEST(Sampler, SentencesOfABatchAreOfSimilarLength) {
  const Lengths lengths = random_lengths(2000, 9);
  SamplerConfig config;
  config.batch_sentences = 20;
  config.bucket_batches = 50;
  Sampler sampler(lengths, config);
  int64_t padded = 0, tokens = 0;
  for (const auto& batch : draw_epoch(sampler)) {
    int64_t longest = 0;
    for (const int64_t i : batch) {
      longest = std::max(longest, lengths[static_cast<size_t>(i)].second);
      tokens += lengths[static_cast<size_t>(i)].second;
    }
    padded += longest * static_cast<int64_t>(batch.size());
  }
  EXPECT_LT(static_cast<double>(padded), 1.1 * static_cast<double>(tokens));
}

TEST(Sampler, S19_RestoredAtAnyPlaceItGoesOnInTheSameWay) {
  const Lengths lengths = random_lengths(60, 11);
  SamplerConfig config;
  config.batch_sentences = 7;
  config.seed = 42;
  Sampler whole(lengths, config);
  std::vector<std::optional<std::vector<int64_t>>> expected;
  std::vector<std::string> states = {whole.state()};
  std::vector<int64_t> epochs = {whole.epoch()};
  for (int i = 0; i < 30; ++i) {
    expected.push_back(whole.next());
    states.push_back(whole.state());
    epochs.push_back(whole.epoch());
  }
  for (size_t at = 0; at < states.size(); ++at) {
    Sampler resumed(lengths, config);
    resumed.restore(states[at]);
    EXPECT_EQ(resumed.state(), states[at]);
    EXPECT_EQ(resumed.epoch(), epochs[at]);
    for (size_t i = at; i < expected.size(); ++i) ASSERT_EQ(resumed.next(), expected[i]) << at;
  }
}

TEST(Sampler, ForeignStatesAreRefusedAndChangeNothing) {
  SamplerConfig config;
  config.batch_sentences = 4;
  Sampler sampler(random_lengths(30, 1), config);
  sampler.next();
  const std::string state = sampler.state();
  Sampler other(random_lengths(31, 1), config);
  EXPECT_THROW(other.restore(state), Error);
  for (const std::string& text : {std::string(), std::string("hello"), state.substr(0, 40)}) {
    EXPECT_THROW(sampler.restore(text), Error) << text;
  }
  EXPECT_EQ(sampler.state(), state);
}

TEST(Random, UniformIsEvenAndInRange) {
  std::mt19937_64 random(1);
  std::vector<int> counts(6, 0);
  constexpr int kDraws = 60000;
  for (int i = 0; i < kDraws; ++i) ++counts[uniform(6, random)];
  // Five standard deviations of a binomial count: 5 · √(60000 · 1/6 · 5/6) ≈ 456.
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 6, 456);
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = uniform_real(random);
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, 5 * 0.2887 / 245);
}

TEST(Random, ShuffleReachesAllOrdersOfThree) {
  std::mt19937_64 random(1);
  std::set<std::vector<int64_t>> orders;
  for (int i = 0; i < 200; ++i) {
    std::vector<int64_t> values = {1, 2, 3};
    shuffle(values, random);
    orders.insert(values);
  }
  EXPECT_EQ(orders.size(), 6u);
}

}  // namespace
}  // namespace softalign
