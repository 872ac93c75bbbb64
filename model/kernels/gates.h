#pragma once

#include <cstdint>

namespace softalign {

/// The pointwise part of a recurrent step for rows [first, last) of a batch. All arrays are
/// row-major float32; a row of `gates` holds the gates side by side, other rows hold `hidden`
/// values. `is_token[b]` (nullptr: all true): rows without a token keep their state and give a zero
/// output and zero gradients. Uses AVX2 where the processor has it.
struct LstmStep {
  int64_t hidden;
  float* gates;  // in: pre-activations of i, f, g, o; out: activations
  const float* c_before;
  float* c;
  float* tanh_c;
  const float* h_before;
  float* h;
  float* output;
  const bool* is_token;
};
void lstm_forward(const LstmStep& step, int64_t first, int64_t last);

struct LstmStepGradient {
  int64_t hidden;
  const float* gates;
  const float* c_before;
  const float* tanh_c;
  const float* d_output;  // of this step's output
  float* d_h;             // in: from the step after; out: what passes by the recurrent product
  float* d_c;             // in: from the step after; out: for the step before
  float* d_gates;         // by the pre-activations
  const bool* is_token;
};
void lstm_backward(const LstmStepGradient& step, int64_t first, int64_t last);

struct GruStep {
  int64_t hidden;
  float* gates;      // in: W x + b of r, z, n; out: activations
  float* recurrent;  // in: U h + b' of r, z, n; its third part is kept for the gradient
  const float* h_before;
  float* h;
  float* output;
  const bool* is_token;
};
void gru_forward(const GruStep& step, int64_t first, int64_t last);

struct GruStepGradient {
  int64_t hidden;
  const float* gates;
  const float* recurrent;
  const float* h_before;
  const float* d_output;
  float* d_h;          // in: from the step after; out: what passes by the recurrent product
  float* d_gates;      // by W x + b
  float* d_recurrent;  // by U h + b'
  const bool* is_token;
};
void gru_backward(const GruStepGradient& step, int64_t first, int64_t last);

}  // namespace softalign
