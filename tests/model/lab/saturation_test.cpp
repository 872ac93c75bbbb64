#include "model/lab/saturation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/lab/products.h"

namespace softalign {
namespace {

/// Every score the same, however large its vectors.
class ConstantScore : public ScoreImpl {
 public:
  at::Tensor forward(const at::Tensor& query, const at::Tensor& keys) override {
    return (query.matmul(keys.transpose(-2, -1))) * 0;
  }
};

TEST(Saturation, OfEqualScoresIsThatOfAUniformSoftmax) {
  ConstantScore score;
  const Saturation s = measure_saturation(score, 16, 5, 50, make_random(1));
  EXPECT_NEAR(s.entropy, std::log(5), 1e-6);
  EXPECT_NEAR(s.largest_weight, 0.2, 1e-6);
  EXPECT_NEAR(s.jacobian_norm, std::sqrt(4.0) / 5, 1e-6);  // ‖(I − 11ᵀ/n)/n‖ = √(n − 1)/n
  EXPECT_NEAR(s.gradient, 1, 1e-6);
  EXPECT_EQ(s.saturated, 0);
  EXPECT_NEAR(s.score_variance, 0, 1e-9);
}

TEST(Saturation, GrowsWithTheDimensionUnlessScaled) {
  const Saturation narrow =
      measure_saturation(*score_of_width(ScoreKind::dot, 4), 4, 10, 1000, make_random(1));
  const Saturation wide =
      measure_saturation(*score_of_width(ScoreKind::dot, 512), 512, 10, 400, make_random(1));
  const Saturation kept =
      measure_saturation(*score_of_width(ScoreKind::scaled_dot, 512), 512, 10, 400, make_random(1));
  EXPECT_LT(wide.entropy, 0.5 * narrow.entropy);
  EXPECT_LT(wide.gradient, 0.5 * narrow.gradient);
  EXPECT_NEAR(kept.score_variance, 1, 0.1);
  EXPECT_GT(kept.gradient, 2 * wide.gradient);
}

TEST(Saturation, DoesntDependOnHowItIsCutIntoPieces) {
  const Saturation once =
      measure_saturation(*score_of_width(ScoreKind::dot, 4096), 4096, 10, 300, make_random(1));
  EXPECT_NEAR(once.largest_weight, 1, 0.05);  // 300 rows are three pieces
  EXPECT_LE(once.largest_weight, 1);
  EXPECT_LE(once.saturated, 1);
}

}  // namespace
}  // namespace softalign
