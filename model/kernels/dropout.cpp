#include "model/kernels/dropout.h"

#include "model/kernels/multiversion.h"

namespace softalign {
namespace {

// Wellons' "lowbias32": every bit of the result depends on every bit of x.
SOFTALIGN_INLINE uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352dU;
  x ^= x >> 15;
  x *= 0x846ca68bU;
  return x ^ (x >> 16);
}

struct Mask {
  float* values;
  int64_t count;
  uint32_t low, high;  // halves of the seed
  uint32_t threshold;  // hashes below it drop: rate · 2³²
  float keep;
};

SOFTALIGN_INLINE void fill(const Mask& mask) {
  float* __restrict values = mask.values;
  for (int64_t i = 0; i < mask.count; ++i) {
    const uint32_t hash = mixed(mixed(static_cast<uint32_t>(i) ^ mask.low) + mask.high);
    values[i] = hash < mask.threshold ? 0.0f : mask.keep;
  }
}

#ifdef SOFTALIGN_AVX2
SOFTALIGN_AVX2 void fill_avx2(const Mask& mask) { fill(mask); }
#endif

}  // namespace

void fill_dropout_mask(float* mask, int64_t count, double rate, uint64_t seed) {
  const Mask all{mask,
                 count,
                 static_cast<uint32_t>(seed),
                 static_cast<uint32_t>(seed >> 32),
                 static_cast<uint32_t>(rate * 4294967296.0),
                 static_cast<float>(1.0 / (1.0 - rate))};
#ifdef SOFTALIGN_AVX2
  if (has_avx2()) return fill_avx2(all);
#endif
  fill(all);
}

}  // namespace softalign
