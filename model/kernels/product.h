#pragma once

#include <ATen/core/Tensor.h>

namespace softalign {

using at::Tensor;

/// c ← β c + a b for matrices a [m, k], b [k, n] and c [m, n]; a and b may be transposed views.
/// Float32 on a CPU goes to oneDNN, where it was found at build time (2–2.5 times OpenBLAS with
/// AVX-512, and no slower elsewhere); anything else to LibTorch. No gradient is recorded.
void multiply(const Tensor& c, const Tensor& a, const Tensor& b, float beta = 0.0f);

/// A new matrix [count, n] whose rows are all `row` [n]: what a product with bias starts from.
/// (`expand` and `contiguous` would give the row itself where count is 1.)
Tensor rows_of(const Tensor& row, int64_t count);

}  // namespace softalign
