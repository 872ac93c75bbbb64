#include "model/kernels/recurrent.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/kernels/gates.h"
#include "model/kernels/product.h"

namespace softalign {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// LibTorch 1.13 can't take undefined tensors as inputs of a function, so the mask comes by pointer.
// All tensors here are time-major: [time, batch, …], and `before` [time + 1, batch, hidden] holds
// the states so that step t reads from `before` and writes beside it: forward t → t + 1, in
// reverse t + 1 → t.
struct Order {
  int64_t time;
  bool reverse;
  int64_t step(int64_t k) const { return reverse ? time - 1 - k : k; }
  int64_t read(int64_t t) const { return reverse ? t + 1 : t; }
  int64_t write(int64_t t) const { return reverse ? t : t + 1; }
};

float* data(const Tensor& x) { return x.data_ptr<float>(); }

const bool* tokens_at(const Tensor& mask, int64_t t) {
  return mask.defined() ? mask.data_ptr<bool>() + t * mask.size(1) : nullptr;
}

// Rows that are worth a thread of their own: about 4,096 values.
int64_t grain(int64_t hidden) { return std::max<int64_t>(1, 4096 / hidden); }

Tensor product(const Tensor& a, const Tensor& b) {
  const Tensor c = at::empty({a.size(0), b.size(1)}, a.options());
  multiply(c, a, b);
  return c;
}

// Every step's W x + b at once: inputs [time, batch, input] → [time, batch, gates].
Tensor input_gates(const Tensor& inputs, const Tensor& weight, const Tensor& bias) {
  const int64_t time = inputs.size(0), batch = inputs.size(1), gates = weight.size(0);
  const Tensor rows = rows_of(bias, time * batch);
  multiply(rows, inputs.view({time * batch, -1}), weight.t(), 1.0f);
  return rows.view({time, batch, gates});
}

// The same matrix, stored column by column: few rows times such a matrix is the faster product,
// worth the copy where it is taken at every step.
Tensor by_columns(const Tensor& matrix) { return matrix.t().contiguous().t(); }

class LstmLayer : public torch::autograd::Function<LstmLayer> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& inputs, const Tensor& h0,
                               const Tensor& c0, const Tensor& weight_ih, const Tensor& weight_hh,
                               const Tensor& bias_ih, const Tensor& bias_hh, const Tensor* tokens,
                               bool reverse) {
    const int64_t time = inputs.size(0), batch = inputs.size(1), hidden = weight_hh.size(1);
    const Order order{time, reverse};
    const Tensor mask = *tokens;
    const Tensor gates = input_gates(inputs, weight_ih, bias_ih + bias_hh);
    const Tensor h = at::empty({time + 1, batch, hidden}, inputs.options());
    const Tensor c = at::empty_like(h);
    const Tensor tanh_c = at::empty({time, batch, hidden}, inputs.options());
    const Tensor output = at::empty_like(tanh_c);
    h.select(0, reverse ? time : 0).copy_(h0);
    c.select(0, reverse ? time : 0).copy_(c0);
    const Tensor recurrent = weight_hh.t();
    for (int64_t k = 0; k < time; ++k) {
      const int64_t t = order.step(k), from = order.read(t), to = order.write(t);
      multiply(gates.select(0, t), h.select(0, from), recurrent, 1.0f);
      const LstmStep step{hidden,
                          data(gates) + t * batch * 4 * hidden,
                          data(c) + from * batch * hidden,
                          data(c) + to * batch * hidden,
                          data(tanh_c) + t * batch * hidden,
                          data(h) + from * batch * hidden,
                          data(h) + to * batch * hidden,
                          data(output) + t * batch * hidden,
                          tokens_at(mask, t)};
      at::parallel_for(0, batch, grain(hidden),
                       [&](int64_t first, int64_t last) { lstm_forward(step, first, last); });
    }
    ctx->save_for_backward({inputs, weight_ih, weight_hh, gates, h, c, tanh_c, mask});
    ctx->saved_data["reverse"] = reverse;
    const int64_t end = reverse ? 0 : time;
    return {output, h.select(0, end).clone(), c.select(0, end).clone()};
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &inputs = saved[0], &weight_ih = saved[1], &weight_hh = saved[2],
                 &gates = saved[3], &h = saved[4], &c = saved[5], &tanh_c = saved[6],
                 &mask = saved[7];
    const bool reverse = ctx->saved_data["reverse"].toBool();
    const int64_t time = inputs.size(0), batch = inputs.size(1), hidden = weight_hh.size(1);
    const Order order{time, reverse};
    const Tensor d_output =
        gradients[0].defined() ? gradients[0].contiguous() : at::zeros_like(tanh_c);
    const Tensor d_h = gradients[1].defined() ? gradients[1].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros({batch, hidden}, h.options());
    const Tensor d_c = gradients[2].defined() ? gradients[2].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros_like(d_h);
    const Tensor d_gates = at::empty_like(gates);
    const Tensor weight = by_columns(weight_hh);
    for (int64_t k = time - 1; k >= 0; --k) {
      const int64_t t = order.step(k);
      const LstmStepGradient step{hidden,
                                  data(gates) + t * batch * 4 * hidden,
                                  data(c) + order.read(t) * batch * hidden,
                                  data(tanh_c) + t * batch * hidden,
                                  data(d_output) + t * batch * hidden,
                                  data(d_h),
                                  data(d_c),
                                  data(d_gates) + t * batch * 4 * hidden,
                                  tokens_at(mask, t)};
      at::parallel_for(0, batch, grain(hidden),
                       [&](int64_t first, int64_t last) { lstm_backward(step, first, last); });
      multiply(d_h, d_gates.select(0, t), weight, 1.0f);
    }
    const Tensor rows = d_gates.view({time * batch, 4 * hidden});
    const Tensor before = h.narrow(0, reverse ? 1 : 0, time).view({time * batch, hidden});
    const Tensor d_bias = rows.sum(0);
    const Tensor d_inputs =
        ctx->needs_input_grad(0) ? product(rows, weight_ih).view_as(inputs) : Tensor();
    return {d_inputs,
            d_h,
            d_c,
            product(rows.t(), inputs.view({time * batch, -1})),
            product(rows.t(), before),
            d_bias,
            d_bias,
            {},
            {}};
  }
};

class GruLayer : public torch::autograd::Function<GruLayer> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& inputs, const Tensor& h0,
                               const Tensor& weight_ih, const Tensor& weight_hh,
                               const Tensor& bias_ih, const Tensor& bias_hh, const Tensor* tokens,
                               bool reverse) {
    const int64_t time = inputs.size(0), batch = inputs.size(1), hidden = weight_hh.size(1);
    const Order order{time, reverse};
    const Tensor mask = *tokens;
    const Tensor gates = input_gates(inputs, weight_ih, bias_ih);
    const Tensor recurrent = at::empty_like(gates);
    const Tensor h = at::empty({time + 1, batch, hidden}, inputs.options());
    const Tensor output = at::empty({time, batch, hidden}, inputs.options());
    h.select(0, reverse ? time : 0).copy_(h0);
    const Tensor weight = weight_hh.t();
    for (int64_t k = 0; k < time; ++k) {
      const int64_t t = order.step(k), from = order.read(t), to = order.write(t);
      multiply(recurrent.select(0, t).copy_(bias_hh), h.select(0, from), weight, 1.0f);
      const GruStep step{hidden,
                         data(gates) + t * batch * 3 * hidden,
                         data(recurrent) + t * batch * 3 * hidden,
                         data(h) + from * batch * hidden,
                         data(h) + to * batch * hidden,
                         data(output) + t * batch * hidden,
                         tokens_at(mask, t)};
      at::parallel_for(0, batch, grain(hidden),
                       [&](int64_t first, int64_t last) { gru_forward(step, first, last); });
    }
    ctx->save_for_backward({inputs, weight_ih, weight_hh, gates, recurrent, h, mask});
    ctx->saved_data["reverse"] = reverse;
    return {output, h.select(0, reverse ? 0 : time).clone()};
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &inputs = saved[0], &weight_ih = saved[1], &weight_hh = saved[2],
                 &gates = saved[3], &recurrent = saved[4], &h = saved[5], &mask = saved[6];
    const bool reverse = ctx->saved_data["reverse"].toBool();
    const int64_t time = inputs.size(0), batch = inputs.size(1), hidden = weight_hh.size(1);
    const Order order{time, reverse};
    const Tensor d_output = gradients[0].defined() ? gradients[0].contiguous()
                                                   : at::zeros({time, batch, hidden}, h.options());
    const Tensor d_h = gradients[1].defined() ? gradients[1].clone(at::MemoryFormat::Contiguous)
                                              : at::zeros({batch, hidden}, h.options());
    const Tensor d_gates = at::empty_like(gates), d_recurrent = at::empty_like(gates);
    const Tensor weight = by_columns(weight_hh);
    for (int64_t k = time - 1; k >= 0; --k) {
      const int64_t t = order.step(k);
      const GruStepGradient step{hidden,
                                 data(gates) + t * batch * 3 * hidden,
                                 data(recurrent) + t * batch * 3 * hidden,
                                 data(h) + order.read(t) * batch * hidden,
                                 data(d_output) + t * batch * hidden,
                                 data(d_h),
                                 data(d_gates) + t * batch * 3 * hidden,
                                 data(d_recurrent) + t * batch * 3 * hidden,
                                 tokens_at(mask, t)};
      at::parallel_for(0, batch, grain(hidden),
                       [&](int64_t first, int64_t last) { gru_backward(step, first, last); });
      multiply(d_h, d_recurrent.select(0, t), weight, 1.0f);
    }
    const Tensor rows = d_gates.view({time * batch, 3 * hidden});
    const Tensor recurrent_rows = d_recurrent.view({time * batch, 3 * hidden});
    const Tensor before = h.narrow(0, reverse ? 1 : 0, time).view({time * batch, hidden});
    const Tensor d_inputs =
        ctx->needs_input_grad(0) ? product(rows, weight_ih).view_as(inputs) : Tensor();
    return {d_inputs,
            d_h,
            product(rows.t(), inputs.view({time * batch, -1})),
            product(recurrent_rows.t(), before),
            rows.sum(0),
            recurrent_rows.sum(0),
            {},
            {}};
  }
};

}  // namespace

bool can_run_fused(const Tensor& inputs, const CellWeights& weights) {
  return inputs.device().is_cpu() && inputs.scalar_type() == at::kFloat &&
         weights.weight_hh.scalar_type() == at::kFloat && !weights.norm_hh.defined() &&
         inputs.numel() > 0;
}

LayerOutput run_layer_fused(CellKind kind, const Tensor& inputs, const Tensor& mask,
                            const CellState& initial, const CellWeights& weights, bool reverse) {
  const Tensor time_major = inputs.transpose(0, 1).contiguous();  // [time, batch, input]
  const Tensor tokens = mask.defined() ? mask.t().contiguous() : mask;
  const auto output =
      kind == CellKind::lstm
          ? LstmLayer::apply(time_major, initial.h, initial.c, weights.weight_ih, weights.weight_hh,
                             weights.bias_ih, weights.bias_hh, &tokens, reverse)
          : GruLayer::apply(time_major, initial.h, weights.weight_ih, weights.weight_hh,
                            weights.bias_ih, weights.bias_hh, &tokens, reverse);
  const Tensor states = output[0].transpose(0, 1);  // [batch, time, hidden]
  return {states, {output[1], kind == CellKind::lstm ? output[2] : Tensor()}};
}

}  // namespace softalign
