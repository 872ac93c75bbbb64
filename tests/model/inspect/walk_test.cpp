#include "model/inspect/walk.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "data/error.h"
#include "model/search/given.h"
#include "model/search/search.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

constexpr int64_t kVocabulary = 12;
const std::vector<int64_t> kSource{4, 9, 5, 11, 7};

ModelConfig config_with(ScoreKind score) {
  ModelConfig config = small_config(kVocabulary);
  config.attention.score = score;
  if (score == ScoreKind::projected) config.attention.heads = 2;
  if (score == ScoreKind::location) config.attention.location_size = 4;  // less than the source
  return config;
}

/// Every score, with each kind of window and both orders.
std::vector<ModelConfig> all_attentions() {
  std::vector<ModelConfig> configs;
  for (const auto& [score, name] : kScoreNames) {
    if (score == ScoreKind::none) continue;
    for (const auto& [window, window_name] : kWindowNames) {
      for (const auto& [order, order_name] : kOrderNames) {
        ModelConfig config = config_with(score);
        config.attention.window = window;
        config.attention.window_size = 2;
        config.attention.order = order;
        config.attention.input_feeding = order == AttentionOrder::luong;
        configs.push_back(config);
      }
    }
  }
  return configs;
}

/// exp(e − max) / Σ exp(e − max) in doubles; −∞ gives 0.
std::vector<double> softmax(const std::vector<float>& scores) {
  double max = -1e300, sum = 0;
  for (const float e : scores) max = std::max(max, static_cast<double>(e));
  std::vector<double> result;
  for (const float e : scores) result.push_back(std::exp(static_cast<double>(e) - max));
  for (const double x : result) sum += x;
  for (double& x : result) x /= sum;
  return result;
}

TEST(Walk, WeightsAreTheSoftmaxOfTheScores) {
  for (const ModelConfig& config : all_attentions()) {
    Seq2Seq model = random_model(config, 3);
    const Walk result = walk(model, kSource, {}, {});
    ASSERT_FALSE(result.steps.empty());
    for (const DecoderStep& step : result.steps) {
      ASSERT_EQ(step.scores.size(), static_cast<size_t>(config.attention.heads));
      std::vector<double> mean(kSource.size() + 1);
      for (size_t head = 0; head < step.scores.size(); ++head) {
        const std::vector<double> expected = softmax(step.scores[head]);
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_NEAR(step.head_weights[head][i], expected[i], 1e-5);
          mean[i] += expected[i] / static_cast<double>(step.scores.size());
        }
      }
      for (size_t i = 0; i < mean.size(); ++i) EXPECT_NEAR(step.weights[i], mean[i], 1e-5);
    }
  }
}

TEST(Walk, ContextIsTheSumOfStatesByWeight) {
  for (const ModelConfig& config : all_attentions()) {
    if (config.attention.score == ScoreKind::projected) continue;  // averages V, not the states
    Seq2Seq model = random_model(config, 4);
    const Walk result = walk(model, kSource, {}, {});
    ASSERT_EQ(result.states.size(), kSource.size() + 1);
    for (const DecoderStep& step : result.steps)
      for (size_t k = 0; k < step.context.size(); ++k) {
        double sum = 0;
        for (size_t i = 0; i < step.weights.size(); ++i)
          sum += static_cast<double>(step.weights[i]) * static_cast<double>(result.states[i][k]);
        EXPECT_NEAR(step.context[k], sum, 1e-5);
      }
  }
}

TEST(Walk, AgreesWithTeacherForcing) {
  for (const ModelConfig& config : all_attentions()) {
    Seq2Seq model = random_model(config, 5);
    const std::vector<int64_t> target{6, 4, 10, 8, kEos};
    const Walk result = walk(model, kSource, target, {});
    std::vector<Seq2Seq> models{model};
    const Hypothesis given =
        score_given(models, make_source_batch({kSource}), {target}, {}).front();
    ASSERT_EQ(result.steps.size(), target.size());
    EXPECT_TRUE(result.finished);
    EXPECT_NEAR(result.log_prob, given.log_prob, 1e-4);
    for (size_t t = 0; t < target.size(); ++t) {
      EXPECT_EQ(result.steps[t].token, target[t]);
      for (size_t i = 0; i < kSource.size() + 1; ++i)
        EXPECT_NEAR(result.steps[t].weights[i], given.attention[t][i], 1e-5);
    }
  }
}

TEST(Walk, GoesOnLikeGreedySearch) {
  Seq2Seq model = random_model(config_with(ScoreKind::general), 6);
  std::vector<Seq2Seq> models{model};
  const Hypothesis greedy = search(models, make_source_batch({kSource}), {}).front().front();
  const Walk result = walk(model, kSource, {}, {});
  std::vector<int64_t> tokens;
  for (const DecoderStep& step : result.steps) tokens.push_back(step.token);
  EXPECT_EQ(tokens, greedy.tokens);
  EXPECT_NEAR(result.log_prob, greedy.log_prob, 1e-4);
}

TEST(Walk, AlternativesAreTheDistribution) {
  Seq2Seq model = random_model(config_with(ScoreKind::additive), 7);
  WalkOptions options;
  options.alternatives = kVocabulary;
  for (const DecoderStep& step : walk(model, kSource, {}, options).steps) {
    double sum = 0;
    for (size_t k = 0; k < step.next.size(); ++k) {
      sum += std::exp(static_cast<double>(step.next[k].log_prob));
      if (k > 0) {
        EXPECT_GE(step.next[k - 1].log_prob, step.next[k].log_prob);
      }
      if (step.next[k].token == step.token) {
        EXPECT_FLOAT_EQ(step.next[k].log_prob, static_cast<float>(step.log_prob));
      }
    }
    EXPECT_NEAR(sum, 1.0, 1e-5);
  }
}

TEST(Intervention, WithTheModelsOwnWeightsChangesNothing) {
  for (const ModelConfig& config : all_attentions()) {
    // With several heads one row of weights can't be what every head had.
    if (config.attention.heads > 1) continue;
    Seq2Seq model = random_model(config, 8);
    const Walk own = walk(model, kSource, {}, {});
    WalkOptions options;
    for (size_t t = 0; t < own.steps.size(); ++t)
      options.interventions.push_back({static_cast<int64_t>(t), own.steps[t].weights});
    const Walk again = walk(model, kSource, {}, options);
    ASSERT_EQ(again.steps.size(), own.steps.size());
    for (size_t t = 0; t < own.steps.size(); ++t) {
      EXPECT_TRUE(again.steps[t].given_weights);
      EXPECT_EQ(again.steps[t].token, own.steps[t].token);
      EXPECT_NEAR(again.steps[t].log_prob, own.steps[t].log_prob, 1e-4);
    }
  }
}

TEST(Intervention, MakesTheContextOfItsWeights) {
  for (const AttentionOrder order : {AttentionOrder::luong, AttentionOrder::bahdanau}) {
    ModelConfig config = config_with(ScoreKind::general);
    config.attention.order = order;
    Seq2Seq model = random_model(config, 9);
    WalkOptions options;
    options.interventions = {{1, {0, 0, 2, 0, 0, 0}}};  // divided by their sum
    const Walk result = walk(model, kSource, {4, 5, 6}, options);
    EXPECT_FALSE(result.steps[0].given_weights);
    for (size_t k = 0; k < result.states[2].size(); ++k)
      EXPECT_NEAR(result.steps[1].context[k], result.states[2][k], 1e-6);
    options.interventions = {{1, {}}};
    const Walk uniform = walk(model, kSource, {4, 5, 6}, options);
    for (const float weight : uniform.steps[1].weights) EXPECT_FLOAT_EQ(weight, 1.0F / 6);
    for (size_t k = 0; k < result.states[2].size(); ++k) {
      double mean = 0;
      for (const auto& state : uniform.states) mean += static_cast<double>(state[k]) / 6;
      EXPECT_NEAR(uniform.steps[1].context[k], mean, 1e-6);
    }
  }
}

TEST(Intervention, ReachesLaterStepsThroughInputFeedingOnly) {
  for (const bool feeding : {false, true}) {
    ModelConfig config = config_with(ScoreKind::general);
    config.attention.input_feeding = feeding;
    Seq2Seq model = random_model(config, 10);
    const std::vector<int64_t> target{4, 5, 6, 7, kEos};
    const Walk own = walk(model, kSource, target, {});
    WalkOptions options;
    options.interventions = {{1, {0, 0, 0, 0, 1, 0}}};
    const Walk changed = walk(model, kSource, target, options);
    EXPECT_EQ(changed.steps[0].log_prob, own.steps[0].log_prob);
    EXPECT_NE(changed.steps[1].log_prob, own.steps[1].log_prob);
    EXPECT_EQ(changed.steps[2].log_prob != own.steps[2].log_prob, feeding);
  }
}

TEST(Intervention, ThatMakesNoSenseIsRefused) {
  Seq2Seq model = random_model(config_with(ScoreKind::general), 11);
  const auto refused = [&](std::vector<float> weights) {
    WalkOptions options;
    options.interventions = {{0, std::move(weights)}};
    EXPECT_THROW(walk(model, kSource, {}, options), Error);
  };
  refused({1, 0});
  refused({0, 0, 0, 0, 0, 0});
  refused({1, -1, 1, 0, 0, 0});
  refused({1, NAN, 1, 0, 0, 0});
  EXPECT_THROW(walk(model, kSource, {kVocabulary}, {}), Error);
  EXPECT_THROW(walk(model, kSource, {kEos, 5}, {}), Error);
  EXPECT_THROW(walk(model, kSource, {kBos}, {}), Error);
  Seq2Seq without = random_model(config_with(ScoreKind::none), 11);
  WalkOptions options;
  options.interventions = {{0, {}}};
  EXPECT_THROW(walk(without, kSource, {}, options), Error);
  EXPECT_TRUE(walk(without, kSource, {}, {}).steps.front().scores.empty());
}

TEST(Walk, EndsAtTheLimitOrThePrefix) {
  Seq2Seq model = endless_model(config_with(ScoreKind::general), 12);
  WalkOptions options;
  options.search.max_length = 7;
  const Walk cut = walk(model, kSource, {}, options);
  EXPECT_EQ(cut.steps.size(), 7U);
  EXPECT_FALSE(cut.finished);
  options.go_on = false;
  EXPECT_EQ(walk(model, kSource, {4, 5}, options).steps.size(), 2U);
}

}  // namespace
}  // namespace softalign
