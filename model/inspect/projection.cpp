#include "model/inspect/projection.h"

#include <ATen/ATen.h>

namespace softalign {

using at::Tensor;

Tensor Projection::apply(const Tensor& states) const { return (states - mean).matmul(axes); }

Projection principal_plane(const Tensor& states) {
  TORCH_CHECK(states.dim() == 2 && states.size(0) >= 1 && states.size(1) >= 2, "states ",
              states.sizes(), " should be [n, width] with a width of at least 2");
  Projection plane;
  plane.mean = states.mean(0);
  const Tensor centred = (states - plane.mean).to(at::kDouble);
  const Tensor covariance = centred.t().matmul(centred);                       // [width, width]
  const auto [values, vectors] = at::linalg_eigh(covariance);                  // ascending
  Tensor axes = at::stack({vectors.select(1, -1), vectors.select(1, -2)}, 1);  // [width, 2]
  const Tensor largest = axes.abs().argmax(0, /*keepdim=*/true);               // [1, 2]
  axes = axes * axes.gather(0, largest).sign();
  plane.axes = axes.to(states.scalar_type());
  const double total = values.sum().item<double>();
  const double in_plane = values.narrow(0, values.size(0) - 2, 2).sum().item<double>();
  plane.explained = total > 0 ? in_plane / total : 0;
  return plane;
}

}  // namespace softalign
