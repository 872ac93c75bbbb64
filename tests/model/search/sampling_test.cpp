#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "model/search/given.h"
#include "model/search/search.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

constexpr int64_t kVocabulary = 10;
constexpr int64_t kDraws = 4000;

SearchOptions sampling() {
  SearchOptions options;
  options.sample = true;
  options.max_length = 1;
  return options;
}

/// p(y_1) of every token that may be generated, by teacher forcing.
std::map<int64_t, double> first_token_probabilities(std::vector<Seq2Seq>& models,
                                                    const std::vector<int64_t>& source) {
  std::map<int64_t, double> probabilities;
  for (int64_t token = 0; token < kVocabulary; ++token)
    if (token != kPad && token != kBos)
      probabilities[token] =
          std::exp(score_given(models, make_source_batch({source}), {{token}}, {})[0].log_prob);
  return probabilities;
}

std::map<int64_t, double> renormalised(std::map<int64_t, double> probabilities, double power) {
  double sum = 0;
  for (auto& [token, p] : probabilities) sum += p = std::pow(p, power);
  for (auto& [token, p] : probabilities) p /= sum;
  return probabilities;
}

/// Pearson's χ² of the first tokens of kDraws sentences against what is expected.
double chi_square(std::vector<Seq2Seq>& models, const std::vector<int64_t>& source,
                  const SearchOptions& options, const std::map<int64_t, double>& expected) {
  const std::vector<std::vector<int64_t>> copies(kDraws, source);
  std::map<int64_t, double> counts;
  for (const auto& found : search(models, make_source_batch(copies), options))
    ++counts[found.front().tokens.front()];
  double sum = 0;
  for (const auto& [token, p] : expected) {
    const double ideal = p * kDraws;
    sum += (counts[token] - ideal) * (counts[token] - ideal) / ideal;
    counts.erase(token);
  }
  EXPECT_TRUE(counts.empty()) << "a token was drawn that can't be";
  return sum;
}

class Sampling : public testing::Test {
 protected:
  std::vector<Seq2Seq> models_{random_model(small_config(kVocabulary), 5, 1.5)};
  std::vector<int64_t> source_ = random_sentences({4}, kVocabulary, 3).front();
};

TEST_F(Sampling, FrequenciesAreTheProbabilities) {
  const auto p = renormalised(first_token_probabilities(models_, source_), 1.0);
  EXPECT_LT(chi_square(models_, source_, sampling(), p), 24.3);  // 99.9 % for 7 degrees of freedom
}

TEST_F(Sampling, TemperatureSharpens) {
  SearchOptions options = sampling();
  options.temperature = 0.5;
  const auto p = renormalised(first_token_probabilities(models_, source_), 2.0);
  EXPECT_LT(chi_square(models_, source_, options, p), 24.3);
}

TEST_F(Sampling, OnlyTheMostProbableAreDrawn) {
  auto all = first_token_probabilities(models_, source_);
  while (all.size() > 3)
    all.erase(std::min_element(all.begin(), all.end(),
                               [](const auto& a, const auto& b) { return a.second < b.second; }));
  SearchOptions options = sampling();
  options.top_k = 3;
  EXPECT_LT(chi_square(models_, source_, options, renormalised(all, 1.0)),
            13.8);  // 99.9 % for 2 degrees of freedom
}

TEST_F(Sampling, BatchingDoesNotChangeWhatIsDrawn) {
  SearchOptions options = sampling();
  options.max_length = 6;
  options.nbest = 3;
  const auto sentences = random_sentences({3, 5, 2, 8}, kVocabulary, 4);
  const auto together = search(models_, make_source_batch(sentences), options);
  for (size_t b = 0; b < sentences.size(); ++b) {
    const auto alone =
        search(models_, make_source_batch({sentences[b]}), options, {}, {static_cast<int64_t>(b)});
    ASSERT_EQ(alone.front().size(), together[b].size());
    for (size_t k = 0; k < together[b].size(); ++k)
      EXPECT_EQ(alone.front()[k].tokens, together[b][k].tokens);
  }
}

TEST_F(Sampling, OtherSeedsDrawOtherOutputs) {
  SearchOptions options = sampling();
  options.max_length = 12;
  const auto first = search(models_, make_source_batch({source_}), options);
  const auto again = search(models_, make_source_batch({source_}), options);
  options.seed = 2;
  const auto other = search(models_, make_source_batch({source_}), options);
  EXPECT_EQ(first[0][0].tokens, again[0][0].tokens);
  EXPECT_NE(first[0][0].tokens, other[0][0].tokens);
}

TEST_F(Sampling, EqualDrawsAreMerged) {
  SearchOptions options = sampling();
  options.nbest = 100;  // of 8 possible outputs
  const auto found = search(models_, make_source_batch({source_}), options).front();
  EXPECT_LE(found.size(), 8u);
  for (size_t k = 1; k < found.size(); ++k) EXPECT_NE(found[k - 1].tokens, found[k].tokens);
}

}  // namespace
}  // namespace softalign
