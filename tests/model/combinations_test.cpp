// Every attention × window × order × feeding × cell learns on a slice of the embedded corpus.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "data/corpus.h"
#include "data/sampler.h"
#include "data/subword.h"
#include "model/seq2seq.h"
#include "model/training/optimizer.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

constexpr int64_t kPairs = 300, kSteps = 200, kWindowSize = 3;

Subword train_subword(const std::vector<SentencePair>& pairs, bool source) {
  SubwordConfig config;
  config.vocabulary_size = source ? 1000 : 200;
  if (!source) config.kind = SubwordKind::bpe;
  size_t next = 0;
  return Subword::train(
      config,
      [&]() -> std::optional<std::string> {
        if (next == pairs.size()) return std::nullopt;
        const SentencePair& pair = pairs[next++];
        return source ? pair.source : pair.target;
      },
      1, [](const std::string&) {});
}

struct Slice {
  std::vector<EncodedPair> pairs;
  int64_t source_vocabulary = 0, target_vocabulary = 0;
};

// Short sentences of the corpus, encoded: read once for all combinations of a run.
const Slice& slice() {
  static const Slice slice = [] {
    const std::filesystem::path folder = SOFTALIGN_SOURCE_DIR "/data/zh-en";
    Corpus corpus = read_corpus({{folder / "test.zh"}, {folder / "test.en"}, {}, {}, {}});
    const Subword source = train_subword(corpus.pairs, true);
    const Subword target = train_subword(corpus.pairs, false);
    std::vector<EncodedPair> encoded = encode_corpus(corpus, source, target, 30).pairs;
    encoded.resize(std::min<size_t>(encoded.size(), kPairs));
    return Slice{std::move(encoded), source.size(), target.size()};
  }();
  return slice;
}

using Combination = std::tuple<ScoreKind, WindowKind, AttentionOrder, bool, CellKind>;
class Combinations : public ::testing::TestWithParam<Combination> {};

// The weights of a batch of six sentences of different lengths, by the whole-sentence path where
// there is one.
void expect_weights_only_inside(Seq2Seq& model, ScoreKind score, WindowKind window) {
  at::NoGradGuard guard;
  model->eval();
  std::vector<const EncodedPair*> chosen;
  for (size_t k = 0; k < 6; ++k) chosen.push_back(&slice().pairs[k]);
  const Batch batch = make_batch(chosen, {0, 1, 2, 3, 4, 5});
  const Tensor all = model->token_log_probs(batch).second;  // [batch, target, source]
  const auto weights = all.accessor<float, 3>();
  ASSERT_GT(batch.source.eq(kPad).sum().item<int64_t>(), 0) << "no padding to look at";
  for (int64_t b = 0; b < all.size(0); ++b) {
    const int64_t length = batch.source_lengths[b].item<int64_t>();  // EOS included
    for (int64_t t = 0; t < static_cast<int64_t>(chosen[static_cast<size_t>(b)]->target.size());
         ++t) {
      double sum = 0;
      int64_t first = length, last = -1;  // positions that have weight
      for (int64_t i = 0; i < all.size(2); ++i) {
        const float weight = weights[b][t][i];
        sum += static_cast<double>(weight);
        if (weight == 0.0f) continue;
        first = std::min(first, i);
        last = std::max(last, i);
      }
      EXPECT_LT(last, length) << "padding has weight in sentence " << b << ", step " << t;
      EXPECT_NEAR(sum, score == ScoreKind::none ? 0.0 : 1.0, 1e-5);
      if (window == WindowKind::global) continue;
      EXPECT_LE(last - first, 2 * kWindowSize);
      if (window == WindowKind::predictive) continue;
      const int64_t centre = std::min(t, length - 1);
      EXPECT_GE(first, centre - kWindowSize);
      EXPECT_LE(last, centre + kWindowSize);
    }
  }
}

TEST_P(Combinations, TrainsWithFallingLossAndFiniteGradients) {
  const auto [score, window, order, feeding, cell] = GetParam();
  at::manual_seed(3);
  ModelConfig config;
  config.source_vocabulary = slice().source_vocabulary;
  config.target_vocabulary = slice().target_vocabulary;
  config.source_embedding = config.target_embedding = 16;
  config.encoder.hidden = config.decoder.hidden = 16;
  config.encoder.cell = config.decoder.cell = cell;
  config.attention.score = score;
  config.attention.window = window;
  config.attention.window_size = kWindowSize;
  config.attention.order = order;
  config.attention.input_feeding = feeding;
  config.attention.heads = score == ScoreKind::projected ? 2 : 1;
  Seq2Seq model(config);
  OptimizerConfig options;
  options.learning_rate = 0.01;
  Optimizer optimizer(model->parameters(), options);

  const std::vector<EncodedPair>& pairs = slice().pairs;
  std::vector<std::pair<int64_t, int64_t>> lengths;
  for (const EncodedPair& pair : pairs)
    lengths.emplace_back(pair.source.size(), pair.target.size());
  SamplerConfig sampling;
  sampling.batch_sentences = 8;
  Sampler sampler(lengths, sampling);
  const auto next_batch = [&] {
    std::optional<std::vector<int64_t>> positions = sampler.next();
    if (!positions) positions = sampler.next();
    std::vector<const EncodedPair*> chosen;
    for (const int64_t position : *positions)
      chosen.push_back(&pairs[static_cast<size_t>(position)]);
    return make_batch(chosen, *positions);
  };

  double first = 0, last = 0;
  for (int64_t step = 1; step <= kSteps; ++step) {
    const Loss loss = model->loss(next_batch(), {});
    optimizer.zero_gradients();
    loss.objective.backward();
    const double norm = optimizer.scale_gradients(1.0 / static_cast<double>(loss.tokens));
    ASSERT_TRUE(std::isfinite(norm)) << "step " << step;
    const double value = loss.objective.item<double>() / static_cast<double>(loss.tokens);
    ASSERT_TRUE(std::isfinite(value)) << "step " << step;
    (step <= 20 ? first : last) += step <= 20 || step > kSteps - 20 ? value / 20 : 0.0;
    optimizer.step(options.learning_rate, norm);
  }
  EXPECT_LT(last, 0.85 * first) << "the loss went from " << first << " to " << last;

  expect_weights_only_inside(model, score, window);
}

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const auto& score : kScoreNames)
    for (const auto& window : kWindowNames)
      for (const auto& order : kOrderNames)
        for (const auto& cell : kCellNames)
          for (const bool feeding : {false, true}) {
            if (score.first == ScoreKind::none && window.first != WindowKind::global) continue;
            // Feeding with each score once is enough: it doesn't meet the window.
            if (feeding && (window.first != WindowKind::global || cell.first != CellKind::lstm))
              continue;
            all.emplace_back(score.first, window.first, order.first, feeding, cell.first);
          }
  return all;
}

std::string name_of_combination(const ::testing::TestParamInfo<Combination>& test) {
  const auto& [score, window, order, feeding, cell] = test.param;
  return std::string(name_of(kScoreNames, score)) + "_" +
         std::string(name_of(kWindowNames, window)) + "_" +
         std::string(name_of(kOrderNames, order)) + (feeding ? "_feeding_" : "_") +
         std::string(name_of(kCellNames, cell));
}

INSTANTIATE_TEST_SUITE_P(All, Combinations, ::testing::ValuesIn(combinations()),
                         name_of_combination);

}  // namespace
}  // namespace softalign
