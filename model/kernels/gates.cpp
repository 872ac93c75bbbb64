#include "model/kernels/gates.h"

#include <cstring>

#include "model/kernels/exponential.h"
#include "model/kernels/multiversion.h"

namespace softalign {
namespace {

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
