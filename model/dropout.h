#pragma once

#include <ATen/core/Tensor.h>

namespace softalign {

using at::Tensor;

/// Zeroes components with probability `rate` and scales the others by 1/(1 − rate), in training.
/// x [batch, time, feature]; `variational`: one mask for all steps of a sentence (Gal &
/// Ghahramani 2016). Draws from LibTorch's default generator.
Tensor dropout(const Tensor& x, double rate, bool training, bool variational);

/// Replaces tokens by UNK with probability `rate`; PAD, BOS and EOS stay. ids [batch, time] int64.
Tensor drop_words(const Tensor& ids, double rate, bool training);

}  // namespace softalign
