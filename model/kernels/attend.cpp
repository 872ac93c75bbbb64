#include "model/kernels/attend.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "model/kernels/exponential.h"
#include "model/kernels/multiversion.h"

namespace softalign {
namespace {

constexpr int64_t kLanes = 32;  // sums beside each other, so that loops become vectors

SOFTALIGN_INLINE float dot(const float* __restrict x, const float* __restrict y, int64_t n) {
  float lanes[kLanes] = {};
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int64_t k = 0; k < kLanes; ++k) lanes[k] += x[i + k] * y[i + k];
  float rest = 0.0f;
  for (; i < n; ++i) rest += x[i] * y[i];
  for (int64_t half = kLanes / 2; half > 0; half /= 2)
    for (int64_t k = 0; k < half; ++k) lanes[k] += lanes[k + half];
  return lanes[0] + rest;
}

// y ← y + factor · x
SOFTALIGN_INLINE void add_scaled(float* __restrict y, float factor, const float* __restrict x,
                                 int64_t n) {
  for (int64_t i = 0; i < n; ++i) y[i] += factor * x[i];
}

SOFTALIGN_INLINE void forward_rows(const AttendStep& s, int64_t first, int64_t last) {
  for (int64_t row = first; row < last; ++row) {
    const int64_t b = s.sentence == nullptr ? row : s.sentence[row], n = s.lengths[b];
    const float* const keys = s.keys + b * s.source * s.key;
    const float* const values = s.values + b * s.source * s.value;
    const float* const query = s.queries + row * s.key;
    float* const alpha = s.weights + row * s.source;
    float* const context = s.contexts + row * s.context_stride;
    float largest = 0.0f, sum = 0.0f;
    for (int64_t i = 0; i < n; ++i) {
      alpha[i] = s.scale * dot(query, keys + i * s.key, s.key);
      largest = i == 0 ? alpha[i] : std::max(largest, alpha[i]);
    }
    for (int64_t i = 0; i < n; ++i) alpha[i] = exponential(alpha[i] - largest);
    for (int64_t i = 0; i < n; ++i) sum += alpha[i];
    for (int64_t i = 0; i < n; ++i) alpha[i] /= sum;
    std::fill(alpha + n, alpha + s.source, 0.0f);
    std::fill(context, context + s.value, 0.0f);
    for (int64_t i = 0; i < n; ++i) add_scaled(context, alpha[i], values + i * s.value, s.value);
  }
}

// With dα_i = da · v_i (+ what comes from elsewhere), de_i = α_i (dα_i − Σ_j α_j dα_j).
SOFTALIGN_INLINE void backward_rows(const AttendStepGradient& s, int64_t first, int64_t last,
                                    float* __restrict d_alpha) {
  for (int64_t b = first; b < last; ++b) {
    const int64_t n = s.lengths[b];
    const float* const keys = s.keys + b * s.source * s.key;
    const float* const values = s.values + b * s.source * s.value;
    const float* const alpha = s.weights + b * s.source;
    const float* const d_context = s.d_contexts + b * s.context_stride;
    float* const d_keys = s.d_keys + b * s.source * s.key;
    float* const d_values = s.d_values + b * s.source * s.value;
    float mean = 0.0f;
    for (int64_t i = 0; i < n; ++i) {
      d_alpha[i] = dot(d_context, values + i * s.value, s.value);
      if (s.d_weights != nullptr) d_alpha[i] += s.d_weights[b * s.source + i];
      mean += alpha[i] * d_alpha[i];
      add_scaled(d_values + i * s.value, alpha[i], d_context, s.value);
    }
    for (int64_t i = 0; i < n; ++i) {
      const float d_score = s.scale * alpha[i] * (d_alpha[i] - mean);
      add_scaled(s.d_queries + b * s.key, d_score, keys + i * s.key, s.key);
      add_scaled(d_keys + i * s.key, d_score, s.queries + b * s.key, s.key);
    }
  }
}

#ifdef SOFTALIGN_AVX2
SOFTALIGN_AVX2 void forward_rows_avx2(const AttendStep& s, int64_t first, int64_t last) {
  forward_rows(s, first, last);
}
SOFTALIGN_AVX2 void backward_rows_avx2(const AttendStepGradient& s, int64_t first, int64_t last,
                                       float* d_alpha) {
  backward_rows(s, first, last, d_alpha);
}
#endif

}  // namespace

void attend_forward(const AttendStep& step, int64_t first, int64_t last) {
#ifdef SOFTALIGN_AVX2
  if (has_avx2()) return forward_rows_avx2(step, first, last);
#endif
  forward_rows(step, first, last);
}

void attend_backward(const AttendStepGradient& step, int64_t first, int64_t last) {
  std::vector<float> d_alpha(static_cast<size_t>(step.source));
#ifdef SOFTALIGN_AVX2
  if (has_avx2()) return backward_rows_avx2(step, first, last, d_alpha.data());
#endif
  backward_rows(step, first, last, d_alpha.data());
}

}  // namespace softalign
