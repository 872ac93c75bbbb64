#pragma once

#include <cstdint>

namespace softalign {

/// One step of attention by products for rows [first, last) of a batch: for row r of sentence b
///   e_i = scale · q_r · k_i,  α = softmax(e) over the sentence's tokens,  a_r = Σ_i α_i v_i.
/// All arrays are float32; widths in floats.
struct AttendStep {
  int64_t source, key, value;  // positions, and widths of a key and a value
  float scale;
  const int64_t* lengths;   // tokens of each sentence; of none: α and a are zero
  const int64_t* sentence;  // that row r reads; nullptr: sentence r
  const float* keys;        // [sentences, source, key]
  const float* values;      // [sentences, source, value]
  const float* queries;     // [rows, key]
  float* weights;           // [rows, source]: α, zeros on padding
  float* contexts;          // [rows, value], from row to row:
  int64_t context_stride;
};
void attend_forward(const AttendStep& step, int64_t first, int64_t last);

/// Gradients of such a step where row r reads sentence r.
struct AttendStepGradient {
  int64_t source, key, value;
  float scale;
  const int64_t* lengths;
  const float* keys;
  const float* values;
  const float* queries;
  const float* weights;
  const float* d_contexts;  // [rows, value], from row to row:
  int64_t context_stride;
  const float* d_weights;  // from elsewhere, [rows, source]; nullptr: zeros
  float* d_queries;        // [rows, key]: added to
  float* d_keys;           // [sentences, source, key]: added to
  float* d_values;         // [sentences, source, value]: added to
};
void attend_backward(const AttendStepGradient& step, int64_t first, int64_t last);

}  // namespace softalign
