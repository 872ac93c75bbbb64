#include "model/kernels/product.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace softalign {
namespace {

// One matrix in each layout that a caller may have: rows, columns, a part of wider rows, and, in
// double, what only LibTorch takes.
std::vector<Tensor> layouts(const Tensor& x) {
  Tensor wide = at::zeros({x.size(0), x.size(1) + 3}, x.options());
  wide.narrow(1, 2, x.size(1)).copy_(x);
  return {x, x.t().contiguous().t(), wide.narrow(1, 2, x.size(1)), x.repeat({1, 2}).slice(1, 0, x.size(1))};
}

TEST(Product, IsThatOfLibTorchForEveryLayoutAndSize) {
  at::manual_seed(1);
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{
           {1, 1, 1}, {1, 7, 5}, {5, 1, 3}, {4, 6, 1}, {27, 33, 65}, {64, 128, 40}})
    for (const Tensor& a : layouts(at::randn({m, k})))
      for (const Tensor& b : layouts(at::randn({k, n})))
        for (const float beta : {0.0f, 1.0f}) {
          const Tensor c = at::randn({m, n}), expected = c.to(at::kDouble) * beta +
                                                         a.to(at::kDouble).mm(b.to(at::kDouble));
          multiply(c, a, b, beta);
          EXPECT_TRUE(c.to(at::kDouble).allclose(expected, 1e-5, 1e-5)) << m << ' ' << k << ' ' << n;
        }
}

TEST(Product, TakesDoubleToo) {
  const Tensor a = at::randn({3, 4}, at::kDouble), b = at::randn({4, 2}, at::kDouble);
  const Tensor c = at::zeros({3, 2}, at::kDouble);
  multiply(c, a, b);
  EXPECT_TRUE(c.allclose(a.mm(b)));
}

// β = 0 must not read what was there: fresh memory may hold NaN.
TEST(Product, OverwritesNanWithoutBeta) {
  const Tensor c = at::full({2, 2}, std::nan(""), at::kFloat);
  multiply(c, at::eye(2), at::eye(2));
  EXPECT_TRUE(c.equal(at::eye(2)));
}

}  // namespace
}  // namespace softalign
