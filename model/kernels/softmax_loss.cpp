#include "model/kernels/softmax_loss.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/kernels/exponential.h"
#include "model/kernels/multiversion.h"

namespace softalign {
namespace {

constexpr int64_t kLanes = 16;  // sums beside each other, so that loops become vectors

SOFTALIGN_INLINE TokenLoss softmax_loss_of(float* __restrict z, int64_t n, int64_t y,
                                           double smoothing, bool gradient) {
  float largest = z[0];
  double sum_z = 0.0, sum = 0.0;
  std::array<float, kLanes> lanes;
  int64_t i = 0;
  lanes.fill(z[0]);
  for (; i + kLanes <= n; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k)
      lanes[static_cast<size_t>(k)] = lanes[static_cast<size_t>(k)] < z[i + k]
                                          ? z[i + k]
                                          : lanes[static_cast<size_t>(k)];
  for (const float lane : lanes) largest = std::max(largest, lane);
  for (; i < n; ++i) largest = std::max(largest, z[i]);

  if (smoothing > 0.0) {
    lanes.fill(0.0f);
    for (i = 0; i + kLanes <= n; i += kLanes)
      for (int64_t k = 0; k < kLanes; ++k) lanes[static_cast<size_t>(k)] += z[i + k];
    for (; i < n; ++i) lanes[0] += z[i];
    for (const float lane : lanes) sum_z += static_cast<double>(lane);
  }

  const float z_y = z[y];
  lanes.fill(0.0f);
  for (i = 0; i + kLanes <= n; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k) {
      const float power = exponential(z[i + k] - largest);
      z[i + k] = power;
      lanes[static_cast<size_t>(k)] += power;
    }
  for (; i < n; ++i) lanes[0] += z[i] = exponential(z[i] - largest);
  for (const float lane : lanes) sum += static_cast<double>(lane);

  const double log_sum = static_cast<double>(largest) + std::log(sum);  // log Σ e^z
  const double share = smoothing / static_cast<double>(n);              // ε/V
  const double nll = log_sum - static_cast<double>(z_y);
  if (gradient) {
    const auto scale = static_cast<float>(1.0 / sum), offset = static_cast<float>(share);
    for (i = 0; i < n; ++i) z[i] = z[i] * scale - offset;
    z[y] -= static_cast<float>(1.0 - smoothing);
  }
  // −Σ q log p = log Σ e^z − (1−ε) z_y − ε/V Σ z
  const double loss = log_sum - (1.0 - smoothing) * static_cast<double>(z_y) - share * sum_z;
  return {loss, nll, z_y >= largest};
}

#ifdef SOFTALIGN_AVX2
SOFTALIGN_AVX2 TokenLoss softmax_loss_avx2(float* z, int64_t n, int64_t y, double smoothing,
                                           bool gradient) {
  return softmax_loss_of(z, n, y, smoothing, gradient);
}
#endif

}  // namespace

TokenLoss softmax_loss(float* z, int64_t vocabulary, int64_t y, double smoothing, bool gradient) {
#ifdef SOFTALIGN_AVX2
  if (has_avx2()) return softmax_loss_avx2(z, vocabulary, y, smoothing, gradient);
#endif
  return softmax_loss_of(z, vocabulary, y, smoothing, gradient);
}

}  // namespace softalign
