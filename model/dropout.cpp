#include "model/dropout.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <mutex>
#include <utility>

#include "data/subword.h"
#include "model/kernels/dropout.h"

namespace softalign {
namespace {

thread_local std::optional<uint64_t> thread_state;

// SplitMix64 (Steele et al. 2014): the next of a sequence that any 64 bits can start.
uint64_t next_of(uint64_t& state) {
  uint64_t z = state += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

uint64_t next_seed() { return thread_state ? next_of(*thread_state) : draw_seed(); }

// 0 with probability `rate`, else 1/(1 − rate).
Tensor keep_mask(at::IntArrayRef sizes, const at::TensorOptions& options, double rate) {
  Tensor mask = at::empty(sizes, at::kFloat);
  fill_dropout_mask(mask.data_ptr<float>(), mask.numel(), rate, next_seed());
  return mask.to(options.device(), c10::typeMetaToScalarType(options.dtype()));
}

}  // namespace

uint64_t draw_seed() {
  at::Generator generator = at::detail::getDefaultCPUGenerator();
  const std::lock_guard<std::mutex> lock(generator.mutex());
  return at::check_generator<at::CPUGeneratorImpl>(generator)->random64();
}

DropoutSeed::DropoutSeed(uint64_t seed) : before_(std::exchange(thread_state, seed)) {}
DropoutSeed::~DropoutSeed() { thread_state = before_; }

Tensor dropout(const Tensor& x, double rate, bool training, bool variational) {
  if (!training || rate == 0.0) return x;
  if (!variational || x.dim() < 3) return x * keep_mask(x.sizes(), x.options(), rate);
  return x * keep_mask({x.size(0), 1, x.size(2)}, x.options(), rate);
}

Tensor drop_words(const Tensor& ids, double rate, bool training) {
  if (!training || rate == 0.0) return ids;
  const Tensor dropped =
      keep_mask(ids.sizes(), ids.options().dtype(at::kFloat), rate).eq(0.0).logical_and_(ids > kEos);
  return ids.masked_fill(dropped, kUnk);
}

}  // namespace softalign
