#include "model/lab/products.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

#include "data/error.h"
#include "model/lab/fit.h"

namespace softalign {
namespace {

constexpr double kRho = 0.3;

/// The largest distance between measured and expected variance, in standard errors.
double distance_in_errors(Components components, int64_t d) {
  const ProductMoments m = measure_products(components, d, 20'000, kRho, make_random(7));
  const Moments expected = expected_product(components, d, kRho);
  return std::abs(m.plain.variance - expected.variance) / m.variance_error;
}

TEST(Products, HaveTheVarianceOfTheTheory) {
  for (const auto& [components, name] : kComponentNames)
    for (const int64_t d : {1, 5, 64})
      EXPECT_LT(distance_in_errors(components, d), 4.5) << name << d;
}

// Σ_jk ρ_jk² term by term, and the moments of (ρh + √(1−ρ²)ε)·h per component.
TEST(Products, ExpectedMomentsFollowFromTheSums) {
  constexpr int64_t d = 7;
  double within = 0;
  for (int64_t j = 0; j < d; ++j)
    for (int64_t k = 0; k < d; ++k) within += j == k ? 1 : kRho * kRho;
  EXPECT_NEAR(expected_product(Components::within, d, kRho).variance, within, 1e-12);
  const double of_one = kRho * kRho * 2 + (1 - kRho * kRho);  // Var(h²) = 2
  EXPECT_NEAR(expected_product(Components::between, d, kRho).variance, d * of_one, 1e-12);
  EXPECT_NEAR(expected_product(Components::between, d, kRho).mean, d * kRho, 1e-12);
  EXPECT_EQ(expected_product(Components::normal, d, kRho).variance, d);
}

TEST(Products, ScaledOnesAreThePlainOnesDividedByRootD) {
  const ProductMoments m = measure_products(Components::normal, 16, 2000, 0, make_random(1));
  EXPECT_NEAR(m.scaled.mean, m.plain.mean / 4, 1e-6);
  EXPECT_NEAR(m.scaled.variance, m.plain.variance / 16, 1e-6);
}

TEST(Products, TheErrorShrinksWithTheSample) {
  const auto error = [](int64_t samples) {
    return measure_products(Components::normal, 32, samples, 0, make_random(3)).variance_error;
  };
  EXPECT_NEAR(error(1000) / error(16'000), 4, 0.8);
}

TEST(Products, OneSeedOneResult) {
  const auto variance = [](uint64_t seed) {
    return measure_products(Components::uniform, 8, 500, 0, make_random(seed)).plain.variance;
  };
  EXPECT_EQ(variance(5), variance(5));
  EXPECT_NE(variance(5), variance(6));
}

ModelConfig small_model(ScoreKind score) {
  ModelConfig config;
  config.source_vocabulary = config.target_vocabulary = 12;
  config.source_embedding = config.target_embedding = 6;
  config.encoder.hidden = config.decoder.hidden = 8;
  config.attention.score = score;
  return config;
}

Batch two_sentences() {
  static const EncodedPair first{{4, 5, 6, 7}, {8, 9}, {}}, second{{5}, {10, 11, 4}, {}};
  return make_batch({&first, &second}, {0, 1});
}

// Against the whole-sentence path and plain loops over sentences without padding.
TEST(StateMoments, AreThoseOfTheModelsOwnVectors) {
  at::manual_seed(2);
  Seq2Seq model(small_model(ScoreKind::dot));
  model->eval();
  const Batch batch = two_sentences();
  const StateMoments moments = measure_states(model, batch);
  const at::NoGradGuard no_grad;
  Memory memory = model->encode(batch.source, batch.source_lengths);
  const Attended attended = model->decode(batch.target_in, memory);
  std::vector<double> scores;
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t t = 0; t < batch.target_lengths[b].item<int64_t>(); ++t)
      for (int64_t i = 0; i < batch.source_lengths[b].item<int64_t>(); ++i)
        scores.push_back(attended.scores[b][t][i].item<double>());
  double mean = 0, squares = 0;
  for (const double e : scores) mean += e / static_cast<double>(scores.size());
  for (const double e : scores) squares += (e - mean) * (e - mean);
  EXPECT_EQ(moments.d, 8);
  EXPECT_EQ(moments.states, 5 + 2);
  EXPECT_EQ(moments.queries, 3 + 4);
  EXPECT_NEAR(moments.score_variance, squares / static_cast<double>(scores.size()), 1e-7);
  // With the score dot, the scores are the products.
  EXPECT_NEAR(moments.product_variance, squares / static_cast<double>(scores.size() - 1), 1e-6);
  EXPECT_GE(moments.effective_dimensions, 1);
  EXPECT_LE(moments.effective_dimensions, 6 + 1e-9);  // 7 states span 6 dimensions at most
}

TEST(StateMoments, NeedAttentionAndEqualWidths) {
  Seq2Seq none(small_model(ScoreKind::none));
  EXPECT_THROW(measure_states(none, two_sentences()), Error);
  ModelConfig config = small_model(ScoreKind::general);
  config.encoder.hidden = 4;
  Seq2Seq unequal(config);
  EXPECT_THROW(measure_states(unequal, two_sentences()), Error);
}

}  // namespace
}  // namespace softalign
