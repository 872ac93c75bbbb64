#include "model/inspect/projection.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/support/tensors.h"

namespace softalign {
namespace {

TEST(Projection, FindsThePlaneThatStatesLieIn) {
  at::manual_seed(1);
  // Points in a plane of six dimensions, wider along its first axis.
  const at::Tensor basis = std::get<0>(at::linalg_qr(at::randn({6, 2}, at::kDouble)));  // [6, 2]
  const at::Tensor places = at::randn({200, 2}, at::kDouble) * at::tensor({5.0, 1.0}, at::kDouble);
  const at::Tensor states = places.matmul(basis.t()) + 3.0;
  const Projection plane = principal_plane(states);
  EXPECT_NEAR(plane.explained, 1.0, 1e-9);
  expect_close(plane.axes.t().matmul(plane.axes), at::eye(2, at::kDouble), 1e-9);
  // Distances in the plane are the distances of the states.
  const at::Tensor projected = plane.apply(states);
  expect_close((projected[0] - projected[1]).norm(), (states[0] - states[1]).norm(), 1e-9);
  EXPECT_GT(projected.select(1, 0).var().item<double>(),
            projected.select(1, 1).var().item<double>());
}

TEST(Projection, OfEqualStatesIsOnePoint) {
  const Projection plane = principal_plane(at::ones({3, 4}));
  EXPECT_EQ(plane.explained, 0.0);
  EXPECT_EQ(plane.apply(at::ones({1, 4})).abs().max().item<float>(), 0.0F);
}

}  // namespace
}  // namespace softalign
