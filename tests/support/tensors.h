#pragma once

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace softalign {

/// |actual − expected| ≤ tolerance · max(1, |expected|) everywhere, with the worst place in the message.
void expect_close(const at::Tensor& actual, const at::Tensor& expected, double tolerance);

/// Compares autograd's gradients of the scalar `function()` against central differences for every
/// element (at most `samples` per tensor, spread out) of the float64 leaves. tolerance is relative.
void expect_gradients(const std::function<at::Tensor()>& function, std::vector<at::Tensor> leaves,
                      double tolerance, int64_t samples = 40);

}  // namespace softalign
