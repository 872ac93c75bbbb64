#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace softalign {

using at::Tensor;

/// Zeroes components with probability `rate` and scales the others by 1/(1 − rate), in training.
/// x [batch, time, feature]; `variational`: one mask for all steps of a sentence (Gal &
/// Ghahramani 2016). Each call draws one number, of which its whole mask follows:
/// from LibTorch's default generator, or from the thread's DropoutSeed.
Tensor dropout(const Tensor& x, double rate, bool training, bool variational);

/// Replaces tokens by UNK with probability `rate`; PAD, BOS and EOS stay. ids [batch, time] int64.
Tensor drop_words(const Tensor& ids, double rate, bool training);

/// The next number of LibTorch's default generator.
uint64_t draw_seed();

/// While it lives, dropout on this thread draws from its numbers instead of the generator that all
/// threads share, so that threads side by side draw the same as one after the other.
class DropoutSeed {
 public:
  explicit DropoutSeed(uint64_t seed);
  ~DropoutSeed();
  DropoutSeed(const DropoutSeed&) = delete;
  DropoutSeed& operator=(const DropoutSeed&) = delete;

 private:
  std::optional<uint64_t> before_;
};

}  // namespace softalign
