#include "model/kernels/log_softmax.h"

#include <algorithm>
#include <cmath>

#include "model/kernels/exponential.h"
#include "model/kernels/multiversion.h"

namespace softalign {
namespace {

constexpr int64_t kLanes = 32;  // sums beside each other, so that loops become vectors

SOFTALIGN_INLINE void log_softmax_of(float* __restrict z, int64_t n) {
  float lanes[kLanes];
  std::fill(lanes, lanes + kLanes, z[0]);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] = lanes[k] < z[i + k] ? z[i + k] : lanes[k];
  float largest = *std::max_element(lanes, lanes + kLanes);
  for (; i < n; ++i) largest = std::max(largest, z[i]);

  std::fill(lanes, lanes + kLanes, 0.0f);
  for (i = 0; i + kLanes <= n; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] += exponential(z[i + k] - largest);
  for (; i < n; ++i) lanes[0] += exponential(z[i] - largest);
  double sum = 0.0;
  for (const float lane : lanes) sum += static_cast<double>(lane);
  const float log_sum = largest + static_cast<float>(std::log(sum));
  for (i = 0; i < n; ++i) z[i] -= log_sum;
}

#ifdef SOFTALIGN_AVX2
SOFTALIGN_AVX2 void log_softmax_avx2(float* z, int64_t n) { log_softmax_of(z, n); }
#endif

}  // namespace

void log_softmax(float* z, int64_t n) {
#ifdef SOFTALIGN_AVX2
  if (has_avx2()) return log_softmax_avx2(z, n);
#endif
  log_softmax_of(z, n);
}

}  // namespace softalign
