#include "tests/support/tensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace softalign {

void expect_close(const at::Tensor& actual, const at::Tensor& expected, double tolerance) {
  ASSERT_TRUE(actual.defined() && expected.defined());
  ASSERT_EQ(actual.sizes(), expected.sizes());
  if (actual.numel() == 0) return;
  const at::Tensor a = actual.detach().to(at::kDouble).reshape({-1});
  const at::Tensor e = expected.detach().to(at::kDouble).reshape({-1});
  ASSERT_TRUE(a.isfinite().all().item<bool>()) << "actual values are not finite";
  const at::Tensor error = (a - e).abs() / e.abs().clamp_min(1.0);
  const int64_t worst = error.argmax().item<int64_t>();
  EXPECT_LE(error[worst].item<double>(), tolerance)
      << "worst at flat position " << worst << ": " << a[worst].item<double>() << " instead of "
      << e[worst].item<double>() << ", shape " << actual.sizes();
}

void expect_gradients(const std::function<at::Tensor()>& function, std::vector<at::Tensor> leaves,
                      double tolerance, int64_t samples) {
  constexpr double kStep = 1e-6;
  for (at::Tensor& leaf : leaves) {
    ASSERT_EQ(leaf.scalar_type(), at::kDouble);
    if (leaf.grad().defined()) leaf.mutable_grad().reset();
  }
  function().backward();
  for (size_t index = 0; index < leaves.size(); ++index) {
    at::Tensor& leaf = leaves[index];
    ASSERT_TRUE(leaf.grad().defined()) << "no gradient for leaf " << index;
    const at::Tensor gradient = leaf.grad().contiguous().view({-1});
    at::NoGradGuard guard;
    const at::Tensor flat = leaf.view({-1});
    const int64_t stride = std::max<int64_t>(1, flat.numel() / samples);
    for (int64_t k = 0; k < flat.numel(); k += stride) {
      double* value = flat.data_ptr<double>() + k;
      const double before = *value;
      *value = before + kStep;
      const double up = function().item<double>();
      *value = before - kStep;
      const double down = function().item<double>();
      *value = before;
      const double expected = (up - down) / (2 * kStep);
      EXPECT_NEAR(gradient[k].item<double>(), expected,
                  tolerance * std::max(1.0, std::abs(expected)))
          << "leaf " << index << ", element " << k;
    }
  }
}

}  // namespace softalign
