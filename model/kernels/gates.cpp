#include "model/kernels/gates.h"

#include <cstring>

// The bodies are inlined into one version for AVX2 and one for the baseline; the processor decides
// at run time. (target_clones would need GCC 12's ifunc support everywhere.)
#define SOFTALIGN_INLINE __attribute__((always_inline)) inline
#if defined(__x86_64__)
#define SOFTALIGN_AVX2 __attribute__((target("avx2,fma")))
#endif

namespace softalign {
namespace {

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

SOFTALIGN_INLINE float sigmoid(float x) { return 1.0f / (1.0f + exponential(-x)); }
SOFTALIGN_INLINE float tanh_of(float x) { return 2.0f / (1.0f + exponential(-2.0f * x)) - 1.0f; }

SOFTALIGN_INLINE bool has_token(const bool* is_token, int64_t row) {
  return is_token == nullptr || is_token[row];
}

SOFTALIGN_INLINE void lstm_forward_rows(const LstmStep& s, int64_t first, int64_t last) {
  const int64_t n = s.hidden;
  for (int64_t b = first; b < last; ++b) {
    float* __restrict i = s.gates + b * 4 * n;
    float* __restrict f = i + n;
    float* __restrict g = f + n;
    float* __restrict o = g + n;
    const float* __restrict c_before = s.c_before + b * n;
    float* __restrict c = s.c + b * n;
    float* __restrict tanh_c = s.tanh_c + b * n;
    float* __restrict h = s.h + b * n;
    float* __restrict output = s.output + b * n;
    if (!has_token(s.is_token, b)) {
      std::memcpy(c, c_before, sizeof(float) * static_cast<size_t>(n));
      std::memcpy(h, s.h_before + b * n, sizeof(float) * static_cast<size_t>(n));
      std::memset(output, 0, sizeof(float) * static_cast<size_t>(n));
      continue;
    }
    for (int64_t k = 0; k < n; ++k) {
      i[k] = sigmoid(i[k]);
      f[k] = sigmoid(f[k]);
      g[k] = tanh_of(g[k]);
      o[k] = sigmoid(o[k]);
      c[k] = f[k] * c_before[k] + i[k] * g[k];
      tanh_c[k] = tanh_of(c[k]);
      h[k] = o[k] * tanh_c[k];
      output[k] = h[k];
    }
  }
}

SOFTALIGN_INLINE void lstm_backward_rows(const LstmStepGradient& s, int64_t first, int64_t last) {
  const int64_t n = s.hidden;
  for (int64_t b = first; b < last; ++b) {
    float* __restrict d_i = s.d_gates + b * 4 * n;
    if (!has_token(s.is_token, b)) {
      std::memset(d_i, 0, sizeof(float) * 4 * static_cast<size_t>(n));
      continue;  // d_h and d_c pass on as they are
    }
    float* __restrict d_f = d_i + n;
    float* __restrict d_g = d_f + n;
    float* __restrict d_o = d_g + n;
    const float* __restrict i = s.gates + b * 4 * n;
    const float* __restrict f = i + n;
    const float* __restrict g = f + n;
    const float* __restrict o = g + n;
    const float* __restrict c_before = s.c_before + b * n;
    const float* __restrict tanh_c = s.tanh_c + b * n;
    const float* __restrict d_output = s.d_output + b * n;
    float* __restrict d_h = s.d_h + b * n;
    float* __restrict d_c = s.d_c + b * n;
    for (int64_t k = 0; k < n; ++k) {
      const float dh = d_h[k] + d_output[k];
      const float dc = d_c[k] + dh * o[k] * (1.0f - tanh_c[k] * tanh_c[k]);
      d_i[k] = dc * g[k] * i[k] * (1.0f - i[k]);
      d_f[k] = dc * c_before[k] * f[k] * (1.0f - f[k]);
      d_g[k] = dc * i[k] * (1.0f - g[k] * g[k]);
      d_o[k] = dh * tanh_c[k] * o[k] * (1.0f - o[k]);
      d_c[k] = dc * f[k];
      d_h[k] = 0.0f;
    }
  }
}

SOFTALIGN_INLINE void gru_forward_rows(const GruStep& s, int64_t first, int64_t last) {
  const int64_t n = s.hidden;
  for (int64_t b = first; b < last; ++b) {
    float* __restrict r = s.gates + b * 3 * n;
    float* __restrict z = r + n;
    float* __restrict candidate = z + n;
    const float* __restrict u = s.recurrent + b * 3 * n;
    const float* __restrict h_before = s.h_before + b * n;
    float* __restrict h = s.h + b * n;
    float* __restrict output = s.output + b * n;
    if (!has_token(s.is_token, b)) {
      std::memcpy(h, h_before, sizeof(float) * static_cast<size_t>(n));
      std::memset(output, 0, sizeof(float) * static_cast<size_t>(n));
      continue;
    }
    for (int64_t k = 0; k < n; ++k) {
      r[k] = sigmoid(r[k] + u[k]);
      z[k] = sigmoid(z[k] + u[n + k]);
      candidate[k] = tanh_of(candidate[k] + r[k] * u[2 * n + k]);
      h[k] = candidate[k] + z[k] * (h_before[k] - candidate[k]);
      output[k] = h[k];
    }
  }
}

SOFTALIGN_INLINE void gru_backward_rows(const GruStepGradient& s, int64_t first, int64_t last) {
  const int64_t n = s.hidden;
  for (int64_t b = first; b < last; ++b) {
    float* __restrict d_r = s.d_gates + b * 3 * n;
    float* __restrict d_u = s.d_recurrent + b * 3 * n;
    if (!has_token(s.is_token, b)) {
      std::memset(d_r, 0, sizeof(float) * 3 * static_cast<size_t>(n));
      std::memset(d_u, 0, sizeof(float) * 3 * static_cast<size_t>(n));
      continue;
    }
    const float* __restrict r = s.gates + b * 3 * n;
    const float* __restrict z = r + n;
    const float* __restrict candidate = z + n;
    const float* __restrict u_n = s.recurrent + b * 3 * n + 2 * n;
    const float* __restrict h_before = s.h_before + b * n;
    const float* __restrict d_output = s.d_output + b * n;
    float* __restrict d_h = s.d_h + b * n;
    for (int64_t k = 0; k < n; ++k) {
      const float dh = d_h[k] + d_output[k];
      const float dn = dh * (1.0f - z[k]) * (1.0f - candidate[k] * candidate[k]);
      const float dz = dh * (h_before[k] - candidate[k]) * z[k] * (1.0f - z[k]);
      const float dr = dn * u_n[k] * r[k] * (1.0f - r[k]);
      d_r[k] = dr;
      d_r[n + k] = dz;
      d_r[2 * n + k] = dn;
      d_u[k] = dr;
      d_u[n + k] = dz;
      d_u[2 * n + k] = dn * r[k];
      d_h[k] = dh * z[k];
    }
  }
}

#ifdef SOFTALIGN_AVX2
bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
SOFTALIGN_AVX2 void lstm_forward_avx2(const LstmStep& s, int64_t first, int64_t last) {
  lstm_forward_rows(s, first, last);
}
SOFTALIGN_AVX2 void lstm_backward_avx2(const LstmStepGradient& s, int64_t first, int64_t last) {
  lstm_backward_rows(s, first, last);
}
SOFTALIGN_AVX2 void gru_forward_avx2(const GruStep& s, int64_t first, int64_t last) {
  gru_forward_rows(s, first, last);
}
SOFTALIGN_AVX2 void gru_backward_avx2(const GruStepGradient& s, int64_t first, int64_t last) {
  gru_backward_rows(s, first, last);
}
#endif

}  // namespace

#ifdef SOFTALIGN_AVX2
#define SOFTALIGN_DISPATCH(name) \
  has_avx2() ? name##_avx2(s, first, last) : name##_rows(s, first, last)
#else
#define SOFTALIGN_DISPATCH(name) name##_rows(s, first, last)
#endif

void lstm_forward(const LstmStep& s, int64_t first, int64_t last) {
  SOFTALIGN_DISPATCH(lstm_forward);
}
void lstm_backward(const LstmStepGradient& s, int64_t first, int64_t last) {
  SOFTALIGN_DISPATCH(lstm_backward);
}
void gru_forward(const GruStep& s, int64_t first, int64_t last) { SOFTALIGN_DISPATCH(gru_forward); }
void gru_backward(const GruStepGradient& s, int64_t first, int64_t last) {
  SOFTALIGN_DISPATCH(gru_backward);
}

}  // namespace softalign
