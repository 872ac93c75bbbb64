#include "model/attention/diagnostics.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <cmath>

#include "model/seq2seq.h"
#include "tests/support/tensors.h"

namespace softalign {
namespace {

TEST(Entropy, IsTheSumOverPositions) {
  const at::Tensor weights = at::tensor({0.5, 0.25, 0.25, 0.0}, at::kDouble).view({1, 4});
  EXPECT_NEAR(entropy(weights).item<double>(), 0.5 * std::log(2) + 0.5 * std::log(4), 1e-12);
  EXPECT_EQ(entropy(at::tensor({1.0, 0.0}, at::kDouble)).item<double>(), 0);
}

// ‖∂α/∂e‖ from autograd, entry by entry.
TEST(SoftmaxJacobianNorm, IsThatOfAutogradsJacobian) {
  at::manual_seed(1);
  const at::Tensor e = at::randn({5}, at::kDouble).requires_grad_();
  const at::Tensor weights = e.softmax(-1);
  double squares = 0;
  for (int64_t i = 0; i < 5; ++i) {
    const at::Tensor row = torch::autograd::grad({weights[i]}, {e}, {}, true).front();
    squares += row.square().sum().item<double>();
  }
  EXPECT_NEAR(softmax_jacobian_norm(weights.detach()).item<double>(), std::sqrt(squares), 1e-12);
}

class AttentionSumsOfAModel : public testing::TestWithParam<bool> {
 protected:
  static Seq2Seq make_model(ScoreKind score = ScoreKind::additive) {
    at::manual_seed(3);
    ModelConfig config;
    config.source_vocabulary = config.target_vocabulary = 12;
    config.source_embedding = config.target_embedding = 6;
    config.encoder.hidden = config.decoder.hidden = 8;
    config.attention.score = score;
    config.attention.input_feeding = GetParam();  // the step path, else the whole-sentence path
    Seq2Seq model(config);
    model->to(at::kDouble);
    return model;
  }
  static Batch make_pairs() {
    static const EncodedPair first{{4, 5, 6, 7}, {8, 9}, {}}, second{{5}, {10, 11, 4}, {}};
    return make_batch({&first, &second}, {0, 1});
  }
};

TEST_P(AttentionSumsOfAModel, AreThoseOfLoopsOverTokens) {
  Seq2Seq model = make_model();
  const Batch batch = make_pairs();
  const Loss loss = model->loss(batch, {});
  keep_score_gradients(loss.attended);
  loss.objective.backward();
  const AttentionSums sums =
      attention_sums(loss.attended, batch.source_lengths, batch.target_lengths);

  int64_t scores = 0, rows = 0;
  double score = 0, squares = 0, row_variance = 0, row_entropy = 0;
  for (int64_t b = 0; b < 2; ++b) {
    const auto n = batch.source_lengths[b].item<int64_t>();
    for (int64_t t = 0; t < batch.target_lengths[b].item<int64_t>(); ++t, ++rows) {
      double sum = 0, square = 0;
      for (int64_t i = 0; i < n; ++i, ++scores) {
        const double e = loss.attended.scores[b][t][i].item<double>();
        const double alpha = loss.attended.weights[b][t][i].item<double>();
        sum += e;
        square += e * e;
        row_entropy -= alpha * std::log(alpha);
      }
      score += sum;
      squares += square;
      const auto count = static_cast<double>(n);
      row_variance += square / count - (sum / count) * (sum / count);
    }
  }
  EXPECT_EQ(sums.scores, scores);
  EXPECT_EQ(sums.rows, rows);
  EXPECT_NEAR(sums.score, score, 1e-9);
  EXPECT_NEAR(sums.squared_score, squares, 1e-9);
  EXPECT_NEAR(sums.row_variance, row_variance, 1e-9);
  EXPECT_NEAR(sums.entropy, row_entropy, 1e-9);
  const auto count = static_cast<double>(scores);
  EXPECT_NEAR(sums.score_variance(), squares / count - (score / count) * (score / count), 1e-9);
  EXPECT_GT(sums.squared_gradient, 0);
}

// additive has no bias: adding c to one row of scores changes nothing, so a row's gradient sums to
// 0; and the loss's change along the gradient is its squared norm.
TEST_P(AttentionSumsOfAModel, TheGradientIsThatOfTheLoss) {
  Seq2Seq model = make_model();
  const Batch batch = make_pairs();
  const Loss loss = model->loss(batch, {});
  keep_score_gradients(loss.attended);
  loss.objective.backward();
  std::vector<at::Tensor> parts = loss.attended.step_scores;
  if (parts.empty()) parts = {loss.attended.scores};
  EXPECT_EQ(parts.size(), GetParam() ? 4u : 1u);
  double squares = 0;
  for (const at::Tensor& part : parts) {
    EXPECT_LT(part.grad().sum(-1).abs().max().item<double>(), 1e-9);
    squares += part.grad().square().sum().item<double>();
  }
  EXPECT_NEAR(
      attention_sums(loss.attended, batch.source_lengths, batch.target_lengths).squared_gradient,
      squares, 1e-12);
}

TEST_P(AttentionSumsOfAModel, OfPartsAddUp) {
  Seq2Seq model = make_model();
  model->eval();
  const Batch batch = make_pairs();
  const auto sums_of = [&](const Batch& part) {
    return attention_sums(model->loss(part, {}).attended, part.source_lengths, part.target_lengths);
  };
  AttentionSums parts = sums_of(batch.select({0}));
  parts += sums_of(batch.select({1}));
  const AttentionSums whole = sums_of(batch);
  EXPECT_EQ(parts.rows, whole.rows);
  EXPECT_EQ(parts.scores, whole.scores);
  EXPECT_NEAR(parts.entropy, whole.entropy, 1e-9);
  EXPECT_NEAR(parts.squared_score, whole.squared_score, 1e-9);
}

TEST_P(AttentionSumsOfAModel, WithoutAttentionAreZero) {
  Seq2Seq model = make_model(ScoreKind::none);
  const Batch batch = make_pairs();
  const Loss loss = model->loss(batch, {});
  keep_score_gradients(loss.attended);
  loss.objective.backward();
  EXPECT_EQ(attention_sums(loss.attended, batch.source_lengths, batch.target_lengths).rows, 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, AttentionSumsOfAModel, testing::Bool());

}  // namespace
}  // namespace softalign
