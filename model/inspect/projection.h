#pragma once

#include <ATen/core/Tensor.h>

namespace softalign {

/// The plane of largest variance: principal component analysis (Pearson 1901).
struct Projection {
  at::Tensor mean;  // [width]
  at::Tensor axes;  // [width, 2]: unit eigenvectors of the covariance, largest eigenvalue first
  double explained = 0;  // share of the variance that lies in the plane

  /// states [n, width] → [n, 2].
  at::Tensor apply(const at::Tensor& states) const;
};

/// Fits the plane to states [n ≥ 1, width]. Each axis points to where its largest component is
/// positive, so that equal states give equal pictures.
Projection principal_plane(const at::Tensor& states);

}  // namespace softalign
