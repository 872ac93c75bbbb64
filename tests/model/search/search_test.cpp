#include "model/search/search.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <set>

#include "data/error.h"
#include "model/search/beam.h"
#include "model/search/given.h"
#include "model/search/paths.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

constexpr int64_t kVocabulary = 12;

SearchOptions beam_of(int64_t beam, int64_t nbest = 1) {
  SearchOptions options;
  options.beam = beam;
  options.nbest = nbest;
  options.max_length = 12;
  return options;
}

std::vector<std::vector<Hypothesis>> search_all(
    const Seq2Seq& model, const std::vector<std::vector<int64_t>>& sentences,
    const SearchOptions& options, const std::vector<std::vector<int64_t>>& prefixes = {}) {
  std::vector<Seq2Seq> models{model};
  return search(models, make_source_batch(sentences), options, prefixes);
}

void expect_same(const std::vector<Hypothesis>& actual, const std::vector<Hypothesis>& expected,
                 double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t k = 0; k < actual.size(); ++k) {
    EXPECT_EQ(actual[k].tokens, expected[k].tokens);
    EXPECT_EQ(actual[k].finished, expected[k].finished);
    EXPECT_NEAR(actual[k].score, expected[k].score, tolerance);
    EXPECT_NEAR(actual[k].log_prob, expected[k].log_prob, tolerance);
    ASSERT_EQ(actual[k].attention.size(), expected[k].attention.size());
    for (size_t t = 0; t < actual[k].attention.size(); ++t) {
      ASSERT_EQ(actual[k].attention[t].size(), expected[k].attention[t].size());
      for (size_t i = 0; i < actual[k].attention[t].size(); ++i)
        EXPECT_NEAR(actual[k].attention[t][i], expected[k].attention[t][i], 1e-5);
    }
  }
}

/// Every kind of attention that a model can have, with both cells.
std::vector<ModelConfig> all_kinds() {
  std::vector<ModelConfig> configs;
  for (const auto& [score, score_name] : kScoreNames)
    for (const auto& [window, window_name] : kWindowNames)
      for (const auto& [cell, cell_name] : kCellNames) {
        ModelConfig config = small_config(kVocabulary);
        config.attention.score = score;
        config.attention.window = window;
        config.attention.heads = score == ScoreKind::projected ? 2 : 1;
        config.encoder.cell = config.decoder.cell = cell;
        // The other choices alternate, so that all occur.
        const bool odd = configs.size() % 2 == 1, third = configs.size() % 3 == 0;
        config.attention.order = third ? AttentionOrder::bahdanau : AttentionOrder::luong;
        config.attention.input_feeding = odd;
        config.decoder.start = third ? DecoderStart::last : DecoderStart::mean_tanh;
        try {
          check(config);
        } catch (const Error&) {
          continue;  // `none` has no window
        }
        configs.push_back(config);
      }
  // Those that have fast steps, whatever the alternation gave them.
  for (const bool feeding : {false, true})
    for (const auto& [cell, cell_name] : kCellNames) {
      ModelConfig config = small_config(kVocabulary);
      config.attention.input_feeding = feeding;
      config.encoder.cell = config.decoder.cell = cell;
      config.tie = feeding ? Tying::target : Tying::none;
      configs.push_back(config);
    }
  return configs;
}

std::string description(const ModelConfig& config) {
  return std::string(name_of(kScoreNames, config.attention.score)) + " " +
         std::string(name_of(kWindowNames, config.attention.window)) + " " +
         std::string(name_of(kCellNames, config.decoder.cell));
}

TEST(Search, S25_BatchMatesDoNotMatter) {
  const auto sentences = random_sentences({3, 60, 1}, kVocabulary, 5);
  for (const ModelConfig& config : all_kinds()) {
    SCOPED_TRACE(description(config));
    const Seq2Seq model = random_model(config, 11, 2.0);
    for (const int64_t beam : {1, 3}) {
      SearchOptions options = beam_of(beam, beam);
      options.max_length = 5;
      const auto together = search_all(model, sentences, options);
      for (const size_t b : {size_t{0}, size_t{2}})
        expect_same(search_all(model, {sentences[b]}, options).front(), together[b], 1e-5);
    }
  }
}

TEST(Search, FastStepsAreThePlainOnes) {
  const auto sentences = random_sentences({3, 12, 1, 0}, kVocabulary, 5);
  int compared = 0;
  for (ModelConfig config : all_kinds()) {
    SCOPED_TRACE(description(config));
    Seq2Seq fast = random_model(config, 11, 2.0);
    config.kernels = Kernels::reference;
    const Seq2Seq plain = random_model(config, 11, 2.0);
    compared += fast->step_weights() ? 1 : 0;
    for (const int64_t beam : {1, 3}) {
      const auto actual = search_all(fast, sentences, beam_of(beam, beam));
      const auto expected = search_all(plain, sentences, beam_of(beam, beam));
      for (size_t b = 0; b < sentences.size(); ++b) expect_same(actual[b], expected[b], 1e-5);
    }
  }
  EXPECT_GE(compared, 4);
}

TEST(Search, LengthLimitsAreEachSentencesOwn) {
  const Seq2Seq model = endless_model(small_config(kVocabulary), 3);
  SearchOptions options = beam_of(2);
  options.max_length = 0;
  options.max_length_factor = 2;
  options.max_length_constant = 3;
  const auto found = search_all(model, random_sentences({1, 5}, kVocabulary, 5), options);
  EXPECT_EQ(found[0][0].tokens.size(), 2u * 2 + 3);  // 1 token and EOS
  EXPECT_EQ(found[1][0].tokens.size(), 2u * 6 + 3);
}

TEST(Search, S27_BeamOfOneIsGreedySearch) {
  const auto sentences = random_sentences({3, 9, 1, 5, 12, 7}, kVocabulary, 6);
  for (const ModelConfig& config : all_kinds()) {
    SCOPED_TRACE(description(config));
    std::vector<Seq2Seq> models{random_model(config, 12)};
    SearchOptions options = beam_of(1);
    options.block_ngrams = 2;
    options.min_length = 3;
    const c10::InferenceMode inference;
    const SourceBatch sources = make_source_batch(sentences);
    std::vector<Constraints> constraints;
    for (const auto& sentence : sentences)
      constraints.emplace_back(options, static_cast<int64_t>(sentence.size()) + 1,
                               std::vector<int64_t>{});
    Ensemble for_greedy(models, sources), for_beam(models, sources);
    const auto greedy = greedy_search(for_greedy, constraints, options);
    const auto beam = beam_search(for_beam, constraints, options);
    for (size_t b = 0; b < sentences.size(); ++b) expect_same(greedy[b], beam[b], 1e-5);
  }
}

TEST(Search, S27_BeamMayBeWiderThanTheVocabulary) {
  const Seq2Seq model = random_model(small_config(kVocabulary), 13);
  const auto found = search_all(model, random_sentences({4, 2}, kVocabulary, 1), beam_of(50, 50));
  for (const std::vector<Hypothesis>& nbest : found) {
    EXPECT_GT(nbest.size(), 10u);
    EXPECT_LE(nbest.size(), 50u);
  }
}

TEST(Search, S27_MoreOutputsThanHypothesesAreRefused) {
  try {
    check(beam_of(3, 5));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("5"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("3"), std::string::npos);
    EXPECT_EQ(error.exit_code(), 2);
  }
}

TEST(Search, S28_NbestListsAreSortedDistinctAndBeginWithTheBest) {
  const auto sentences = random_sentences({3, 9, 1, 5}, kVocabulary, 7);
  for (const uint64_t seed : {1, 2, 3, 4})
    for (const LengthPenalty penalty :
         {LengthPenalty::none, LengthPenalty::average, LengthPenalty::wu}) {
      const Seq2Seq model = random_model(small_config(kVocabulary), seed);
      SearchOptions options = beam_of(6, 6);
      options.length_penalty = penalty;
      const auto lists = search_all(model, sentences, options);
      options.nbest = 1;
      const auto best = search_all(model, sentences, options);
      for (size_t b = 0; b < sentences.size(); ++b) {
        expect_same({lists[b].front()}, best[b], 1e-5);
        std::set<std::vector<int64_t>> distinct;
        for (size_t k = 0; k < lists[b].size(); ++k) {
          EXPECT_TRUE(distinct.insert(lists[b][k].tokens).second);
          if (k == 0) continue;
          const Hypothesis &above = lists[b][k - 1], &here = lists[b][k];
          EXPECT_GE(above.finished, here.finished);
          if (above.finished == here.finished) {
            EXPECT_GE(above.score, here.score);
          }
        }
      }
    }
}

TEST(Search, S29_EndlessModelsStopAtTheLimit) {
  const Seq2Seq model = endless_model(small_config(kVocabulary), 3);
  for (const int64_t beam : {1, 4})
    for (const int64_t limit : {1, 9}) {
      SearchOptions options = beam_of(beam, beam);
      options.max_length = limit;
      for (const auto& nbest : search_all(model, random_sentences({3, 5}, kVocabulary, 1), options))
        for (const Hypothesis& hypothesis : nbest) {
          EXPECT_FALSE(hypothesis.finished);
          EXPECT_EQ(hypothesis.tokens.size(), static_cast<size_t>(limit));
          EXPECT_EQ(hypothesis.attention.size(), static_cast<size_t>(limit));
        }
    }
}

TEST(Search, S29_NothingPossibleGivesAnUnfinishedHypothesis) {
  // Four ordinary tokens without repetition, and no end before ten: the fifth step has no token.
  const Seq2Seq model = random_model(small_config(7), 3);
  for (const int64_t beam : {1, 3}) {
    SearchOptions options = beam_of(beam);
    options.block_ngrams = 1;
    options.min_length = 10;
    const Hypothesis found =
        search_all(model, random_sentences({3}, 7, 1), options).front().front();
    EXPECT_FALSE(found.finished);
    EXPECT_EQ(std::set<int64_t>(found.tokens.begin(), found.tokens.end()),
              (std::set<int64_t>{kUnk, 4, 5, 6}));
  }
}

TEST(Search, S30_LogProbabilityIsThatOfTeacherForcing) {
  const auto sentences = random_sentences({3, 7}, kVocabulary, 8);
  for (const ModelConfig& config : all_kinds()) {
    SCOPED_TRACE(description(config));
    std::vector<Seq2Seq> models{random_model(config, 14, 2.0), random_model(config, 15, 2.0)};
    SearchOptions options = beam_of(3, 3);
    options.max_length = 5;
    options.coverage_penalty = 0.3;
    const auto found = search(models, make_source_batch(sentences), options);
    for (size_t b = 0; b < sentences.size(); ++b) {
      const std::vector<std::vector<int64_t>> same_source(found[b].size(), sentences[b]);
      std::vector<std::vector<int64_t>> outputs;
      for (const Hypothesis& hypothesis : found[b]) outputs.push_back(hypothesis.tokens);
      expect_same(found[b], score_given(models, make_source_batch(same_source), outputs, options),
                  1e-4);
    }
  }
}

TEST(Search, S31_AttentionRowsSumToOne) {
  const auto sentences = random_sentences({3, 9, 1, 15}, kVocabulary, 9);
  for (const ModelConfig& config : all_kinds()) {
    if (config.attention.score == ScoreKind::none) continue;
    SCOPED_TRACE(description(config));
    const auto found = search_all(random_model(config, 16), sentences, beam_of(3, 3));
    for (size_t b = 0; b < sentences.size(); ++b)
      for (const Hypothesis& hypothesis : found[b]) {
        ASSERT_EQ(hypothesis.attention.size(), hypothesis.tokens.size());
        for (const std::vector<float>& row : hypothesis.attention) {
          ASSERT_EQ(row.size(), sentences[b].size() + 1);
          double sum = 0;
          for (const float weight : row) sum += weight;
          EXPECT_NEAR(sum, 1.0, 1e-5);
        }
      }
  }
}

TEST(Search, S33_EvaluationModeIsUsedAndRestored) {
  ModelConfig config = small_config(kVocabulary);
  config.dropout.embedding = config.dropout.encoder = config.dropout.output = 0.5;
  Seq2Seq model = random_model(config, 17);
  const auto sentences = random_sentences({3, 9, 1, 5}, kVocabulary, 8);
  const auto expected = search_all(model, sentences, beam_of(2));
  model->train();
  const auto found = search_all(model, sentences, beam_of(2));
  for (size_t b = 0; b < sentences.size(); ++b) expect_same(found[b], expected[b], 0);
  EXPECT_TRUE(model->is_training());
}

TEST(Search, EqualModelsTogetherAreTheOneModel) {
  const Seq2Seq model = random_model(small_config(kVocabulary), 18);
  const auto sentences = random_sentences({3, 9, 1, 5}, kVocabulary, 8);
  std::vector<Seq2Seq> twice{model, model};
  const auto together = search(twice, make_source_batch(sentences), beam_of(4, 4));
  const auto alone = search_all(model, sentences, beam_of(4, 4));
  for (size_t b = 0; b < sentences.size(); ++b) expect_same(together[b], alone[b], 1e-5);
}

TEST(Search, EnsemblesAverageProbabilities) {
  std::vector<Seq2Seq> models{random_model(small_config(kVocabulary), 19),
                              random_model(small_config(kVocabulary), 20)};
  const auto sentence = random_sentences({4}, kVocabulary, 8);
  SearchOptions options = beam_of(1);
  options.max_length = 1;
  const Hypothesis found = search(models, make_source_batch(sentence), options).front().front();
  double probability = 0;
  for (Seq2Seq& model : models) {
    std::vector<Seq2Seq> alone{model};
    probability +=
        std::exp(
            score_given(alone, make_source_batch(sentence), {found.tokens}, options)[0].log_prob) /
        2;
  }
  EXPECT_NEAR(found.log_prob, std::log(probability), 1e-5);
}

TEST(Search, PrefixesAreObeyedAndCounted) {
  const Seq2Seq model = random_model(small_config(kVocabulary), 21);
  const auto sentences = random_sentences({4, 7, 3}, kVocabulary, 8);
  const std::vector<std::vector<int64_t>> prefixes{{5, 6, 7}, {}, {9, 9, 9, 9, 9, 9}};
  for (const int64_t beam : {1, 4}) {
    SearchOptions options = beam_of(beam, beam);
    options.max_length = 5;
    options.block_ngrams = 1;
    const auto found = search_all(model, sentences, options, prefixes);
    const auto free = search_all(model, sentences, options);
    expect_same(found[1], free[1], 1e-5);
    for (size_t b = 0; b < sentences.size(); ++b)
      for (const Hypothesis& hypothesis : found[b]) {
        ASSERT_GE(hypothesis.tokens.size(), prefixes[b].size());
        EXPECT_TRUE(std::equal(prefixes[b].begin(), prefixes[b].end(), hypothesis.tokens.begin()));
        std::vector<Seq2Seq> models{model};
        EXPECT_NEAR(
            hypothesis.log_prob,
            score_given(models, make_source_batch({sentences[b]}), {hypothesis.tokens}, options)[0]
                .log_prob,
            1e-4);
      }
  }
}

TEST(Search, NoNgramComesTwice) {
  const Seq2Seq model = endless_model(small_config(kVocabulary), 22);
  for (const int64_t n : {1, 2, 3}) {
    SearchOptions options = beam_of(3, 3);
    options.block_ngrams = n;
    options.max_length = 8;
    const auto found = search_all(model, random_sentences({4}, kVocabulary, 8), options);
    for (const Hypothesis& hypothesis : found.front()) {
      std::set<std::vector<int64_t>> seen;
      for (auto begin = hypothesis.tokens.begin(); hypothesis.tokens.end() - begin >= n; ++begin)
        EXPECT_TRUE(seen.emplace(begin, begin + n).second);
    }
  }
}

TEST(Search, OutputsHaveTheirLeastLength) {
  Seq2Seq model = random_model(small_config(kVocabulary), 23);
  {
    const at::NoGradGuard guard;
    model->named_parameters()["output_bias"][kEos].fill_(50.0);  // wants to end at once
  }
  for (const int64_t beam : {1, 3}) {
    SearchOptions options = beam_of(beam);
    EXPECT_EQ(search_all(model, {{5, 6}}, options)[0][0].tokens, (std::vector<int64_t>{kEos}));
    options.min_length_factor = 2.0;  // times 3 tokens
    EXPECT_EQ(search_all(model, {{5, 6}}, options)[0][0].tokens.size(), 6u);
  }
}

TEST(Search, NoSentencesGiveNoResults) {
  std::vector<Seq2Seq> models{random_model(small_config(kVocabulary), 24)};
  SourceBatch none{at::zeros({0, 0}, at::kLong), at::zeros({0}, at::kLong)};
  EXPECT_TRUE(search(models, none, beam_of(2)).empty());
}

}  // namespace
}  // namespace softalign
