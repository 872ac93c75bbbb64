#pragma once

#include <cstring>

#include "model/kernels/multiversion.h"

namespace softalign {

// e^x for x in [−87, 88] (clamped), relative error below 2e-7: x = n ln 2 + r, |r| ≤ ln 2 / 2, with
// the polynomial of Cephes' expf for e^r. Branch-free, so that loops over it become vectors.
SOFTALIGN_INLINE float exponential(float x) {
  x = x < -87.0f ? -87.0f : x;
  x = x > 88.0f ? 88.0f : x;
  const float scaled = x * 1.44269504088896341f;
  const int n = static_cast<int>(scaled + (scaled < 0.0f ? -0.5f : 0.5f));
  const float whole = static_cast<float>(n);
  const float r = (x - whole * 0.693359375f) + whole * 2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  const float e_r = p * r * r + r + 1.0f;
  const int bits = (n + 127) * (1 << 23);  // 2^n
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return e_r * power;
}

}  // namespace softalign
