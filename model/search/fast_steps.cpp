#include "model/search/fast_steps.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "model/kernels/attend.h"
#include "model/kernels/gates.h"
#include "model/kernels/log_softmax.h"
#include "model/kernels/product.h"

namespace softalign {
namespace {

float* data(const Tensor& x) { return x.data_ptr<float>(); }

// x Wᵀ
Tensor product(const Tensor& x, const Tensor& W) {
  const Tensor y = at::empty({x.size(0), W.size(0)}, x.options());
  multiply(y, x, W.t());
  return y;
}

// Rows that are worth a thread of their own: about 4,096 values.
int64_t grain(int64_t width) { return std::max<int64_t>(1, 4096 / width); }

}  // namespace

std::optional<FastSteps> FastSteps::make(Seq2Seq& model, const Memory& memory,
                                         const DecoderState& start) {
  const std::optional<StepWeights> weights = model->step_weights();
  if (!weights || !memory.states.device().is_cpu() || memory.states.scalar_type() != at::kFloat)
    return {};
  return FastSteps(*weights, memory, start);
}

FastSteps::FastSteps(const StepWeights& weights, const Memory& memory, const DecoderState& start)
    : weights_(weights),
      bias_(weights.cell == CellKind::lstm ? weights.rnn.bias_ih + weights.rnn.bias_hh
                                           : weights.rnn.bias_ih),
      keys_(memory.keys.contiguous()),
      values_(memory.values.contiguous()),
      lengths_(memory.lengths),
      sentence_(static_cast<size_t>(memory.lengths.size(0))),
      h_(start.rnn.h.select(0, 0).contiguous()),
      c_(start.rnn.c.defined() ? start.rnn.c.select(0, 0).contiguous() : Tensor()),
      fed_(start.attentional_state) {
  std::iota(sentence_.begin(), sentence_.end(), 0);
}

// s_t, and the cells beside it.
Tensor FastSteps::next_state(const std::vector<int64_t>& tokens) {
  const CellWeights& rnn = weights_.rnn;
  const auto rows = static_cast<int64_t>(tokens.size());
  const int64_t width = weights_.embedding.size(1), hidden = h_.size(1);
  const auto scale = static_cast<float>(weights_.embedding_scale);
  const Tensor embedded = at::empty({rows, width}, h_.options());
  for (size_t row = 0; row < tokens.size(); ++row) {
    const float* const from = data(weights_.embedding) + tokens[row] * width;
    float* const to = data(embedded) + static_cast<int64_t>(row) * width;
    std::transform(from, from + width, to, [scale](float x) { return scale * x; });
  }
  const Tensor gates = rows_of(bias_, rows);
  multiply(gates, embedded, rnn.weight_ih.narrow(1, 0, width).t(), 1.0f);
  if (fed_.defined())
    multiply(gates, fed_, rnn.weight_ih.narrow(1, width, fed_.size(1)).t(), 1.0f);
  const Tensor h = at::empty_like(h_);
  if (weights_.cell == CellKind::lstm) {
    multiply(gates, h_, rnn.weight_hh.t(), 1.0f);
    const Tensor c = at::empty_like(c_), tanh_c = at::empty_like(c_);
    const LstmStep step{hidden,       data(gates), data(c_), data(c), data(tanh_c),
                        data(h_), data(h),     data(h),  nullptr};
    at::parallel_for(0, rows, grain(hidden),
                     [&](int64_t first, int64_t last) { lstm_forward(step, first, last); });
    c_ = c;
  } else {
    const Tensor recurrent = rows_of(rnn.bias_hh, rows);
    multiply(recurrent, h_, rnn.weight_hh.t(), 1.0f);
    const GruStep step{hidden,   data(gates), data(recurrent), data(h_),
                       data(h), data(h),     nullptr};
    at::parallel_for(0, rows, grain(hidden),
                     [&](int64_t first, int64_t last) { gru_forward(step, first, last); });
  }
  return h;
}

FastSteps::Output FastSteps::step(const std::vector<int64_t>& tokens) {
  h_ = next_state(tokens);
  const int64_t rows = h_.size(0), hidden = h_.size(1), value = values_.size(2);
  const Tensor joined = at::empty({rows, value + hidden}, h_.options());  // [a_t ; s_t]
  const Tensor weights = at::empty({rows, keys_.size(1)}, h_.options());
  joined.narrow(1, value, hidden).copy_(h_);
  const AttendStep attend{keys_.size(1),
                          hidden,
                          value,
                          static_cast<float>(weights_.score_scale),
                          lengths_.data_ptr<int64_t>(),
                          sentence_.data(),
                          data(keys_),
                          data(values_),
                          data(h_),
                          data(weights),
                          data(joined),
                          value + hidden};
  at::parallel_for(0, rows, 8,
                   [&](int64_t first, int64_t last) { attend_forward(attend, first, last); });
  const Tensor state = product(joined, weights_.W_c).tanh_();  // s̃_t
  if (fed_.defined()) fed_ = state;

  const Tensor logits = rows_of(weights_.output_bias, rows);
  multiply(logits, weights_.projection.defined() ? product(state, weights_.projection) : state,
           weights_.output_weight.t(), 1.0f);
  const int64_t vocabulary = logits.size(1);
  at::parallel_for(0, rows, 8, [&](int64_t first, int64_t last) {
    for (int64_t row = first; row < last; ++row)
      log_softmax(data(logits) + row * vocabulary, vocabulary);
  });
  return {logits, weights};
}

void FastSteps::select(const std::vector<int64_t>& rows) {
  const Tensor index = at::tensor(rows, at::kLong);
  h_ = h_.index_select(0, index);
  if (c_.defined()) c_ = c_.index_select(0, index);
  if (fed_.defined()) fed_ = fed_.index_select(0, index);
  std::vector<int64_t> sentence;
  for (const int64_t row : rows) sentence.push_back(sentence_[static_cast<size_t>(row)]);
  sentence_ = std::move(sentence);
}

}  // namespace softalign
