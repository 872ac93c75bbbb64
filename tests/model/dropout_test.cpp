#include "model/dropout.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "data/subword.h"

namespace softalign {
namespace {

TEST(Dropout, KeepsTheMeanAndAVariationalMaskForAllSteps) {
  at::manual_seed(6);
  const Tensor x = at::ones({50, 20, 30});
  const Tensor dropped = dropout(x, 0.25, true, /*variational=*/true);
  EXPECT_NEAR(dropped.mean().item<double>(), 1.0, 0.05);
  EXPECT_TRUE(dropped.eq(dropped.narrow(1, 0, 1)).all().item<bool>());
  EXPECT_FALSE(dropout(x, 0.25, true, false).eq(dropped.narrow(1, 0, 1)).all().item<bool>());
  EXPECT_TRUE(dropout(x, 0.25, false, true).equal(x));
}

TEST(DropWords, LeavesSpecialTokens) {
  at::manual_seed(7);
  const Tensor ids = at::arange(12).repeat({200, 1});
  const Tensor dropped = drop_words(ids, 0.5, true);
  EXPECT_TRUE(dropped.narrow(1, 0, 4).equal(ids.narrow(1, 0, 4)));
  EXPECT_NEAR(dropped.narrow(1, 4, 8).eq(kUnk).to(at::kFloat).mean().item<double>(), 0.5, 0.05);
  EXPECT_TRUE(drop_words(ids, 0.5, false).equal(ids));
}

// Neighbours, rows and successive masks are independent: each product of two centred masks has the
// mean 0, within five standard errors.
TEST(Dropout, IsIndependentFromPlaceToPlace) {
  at::manual_seed(8);
  const Tensor ones = at::ones({1000, 1000});
  const Tensor a = dropout(ones, 0.5, true, false) - 1.0, b = dropout(ones, 0.5, true, false) - 1.0;
  const double error = 5.0 / std::sqrt(1e6);
  EXPECT_NEAR(a.mean().item<double>(), 0.0, error);
  EXPECT_NEAR((a * b).mean().item<double>(), 0.0, error);
  for (const int64_t shift : {1, 2, 16, 64}) {
    EXPECT_NEAR((a * a.roll(shift, 1)).mean().item<double>(), 0.0, error) << shift;
    EXPECT_NEAR((a * a.roll(shift, 0)).mean().item<double>(), 0.0, error) << shift;
  }
}

TEST(Dropout, ThreadsWithSeedsDrawTheSameAsOneAfterTheOther) {
  const Tensor x = at::ones({8, 8});
  const auto draw = [&](uint64_t seed) {
    const DropoutSeed scope(seed);
    return at::stack({dropout(x, 0.5, true, false), dropout(x, 0.5, true, false)});
  };
  const Tensor first = draw(1), second = draw(2);
  EXPECT_FALSE(first.equal(second));
  EXPECT_FALSE(first[0].equal(first[1]));
  Tensor beside;
  std::thread thread([&] { beside = draw(2); });
  EXPECT_TRUE(draw(1).equal(first));
  thread.join();
  EXPECT_TRUE(beside.equal(second));
}

TEST(Dropout, FollowsTheDefaultGeneratorOtherwise) {
  const Tensor x = at::ones({8, 8});
  at::manual_seed(4);
  const Tensor first = dropout(x, 0.5, true, false), second = dropout(x, 0.5, true, false);
  EXPECT_FALSE(first.equal(second));
  at::manual_seed(4);
  EXPECT_TRUE(dropout(x, 0.5, true, false).equal(first));
}

TEST(Dropout, ItsGradientIsItsMask) {
  const Tensor x = at::ones({20, 20}).requires_grad_(true);
  const Tensor y = dropout(x, 0.3, true, false);
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(y.detach()));
}

}  // namespace
}  // namespace softalign
