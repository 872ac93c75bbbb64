#include "model/kernels/decoder.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "model/kernels/attend.h"
#include "model/kernels/gates.h"
#include "model/kernels/product.h"

namespace softalign {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

float* data(const Tensor& x) { return x.data_ptr<float>(); }

// All tensors are time-major here. Where there is a state before the first step, [time + 1, batch,
// …]: step t reads t and writes t + 1.
struct Sizes {
  int64_t time, batch, embedding, hidden, state, source, value, gates;
};

class FeedingFunction : public torch::autograd::Function<FeedingFunction> {
 public:
  static variable_list forward(AutogradContext* ctx, const Tensor& embedded, const Tensor& h0,
                               const Tensor& c0, const Tensor& fed0, const Tensor& keys,
                               const Tensor& values, const Tensor& weight_ih,
                               const Tensor& weight_hh, const Tensor& bias_ih,
                               const Tensor& bias_hh, const Tensor& W_c, const Tensor& lengths,
                               bool is_lstm, double scale) {
    const Sizes n{embedded.size(0), embedded.size(1), embedded.size(2), h0.size(1),
                  fed0.size(1),     keys.size(1),     values.size(2),   weight_hh.size(0)};
    const auto options = embedded.options();
    const auto make = [&](int64_t time, int64_t width) {
      return at::empty({time, n.batch, width}, options);
    };
    const Tensor W_y = weight_ih.narrow(1, 0, n.embedding);
    const Tensor W_s = weight_ih.narrow(1, n.embedding, n.state);
    const Tensor bias = is_lstm ? bias_ih + bias_hh : bias_ih;
    const Tensor gates = rows_of(bias, n.time * n.batch);
    multiply(gates, embedded.view({n.time * n.batch, n.embedding}), W_y.t(), 1.0f);
    const Tensor h = make(n.time + 1, n.hidden), fed = make(n.time + 1, n.state);
    const Tensor c = is_lstm ? at::empty_like(h) : h;
    // What the cell keeps for its gradient: tanh(c_t), or U h + b of a GRU.
    const Tensor kept = make(n.time, is_lstm ? n.hidden : n.gates);
    const Tensor joined = make(n.time, n.value + n.hidden);  // [a_t ; s_t]
    const Tensor alpha = make(n.time, n.source);
    h.select(0, 0).copy_(h0);
    if (is_lstm) c.select(0, 0).copy_(c0);
    fed.select(0, 0).copy_(fed0);

    for (int64_t t = 0; t < n.time; ++t) {
      const Tensor gates_t = gates.narrow(0, t * n.batch, n.batch);
      float* const h_before = data(h) + t * n.batch * n.hidden;
      float* const h_t = h_before + n.batch * n.hidden;
      float* const s_t = data(joined) + t * n.batch * (n.value + n.hidden) + n.value;
      multiply(gates_t, fed.select(0, t), W_s.t(), 1.0f);
      if (is_lstm) {
        multiply(gates_t, h.select(0, t), weight_hh.t(), 1.0f);
        float* const c_before = data(c) + t * n.batch * n.hidden;
        lstm_forward({n.hidden, data(gates_t), c_before, c_before + n.batch * n.hidden,
                      data(kept) + t * n.batch * n.hidden, h_before, h_t, h_t, nullptr},
                     0, n.batch);
      } else {
        const Tensor recurrent = kept.select(0, t);
        multiply(recurrent.copy_(bias_hh), h.select(0, t), weight_hh.t(), 1.0f);
        gru_forward({n.hidden, data(gates_t), data(recurrent), h_before, h_t, h_t, nullptr}, 0,
                    n.batch);
      }
      joined.select(0, t).narrow(1, n.value, n.hidden).copy_(h.select(0, t + 1));
      attend_forward(
          {n.source, n.hidden, n.value, static_cast<float>(scale), lengths.data_ptr<int64_t>(),
           nullptr, data(keys), data(values), h_t, data(alpha) + t * n.batch * n.source,
           s_t - n.value, n.value + n.hidden},
          0, n.batch);
      Tensor fed_t = fed.select(0, t + 1);
      multiply(fed_t, joined.select(0, t), W_c.t());
      fed_t.tanh_();
    }
    ctx->save_for_backward({embedded, keys, values, weight_ih, weight_hh, W_c, lengths, gates, h, c,
                            fed, kept, joined, alpha});
    ctx->saved_data["is_lstm"] = is_lstm;
    ctx->saved_data["scale"] = scale;
    const Tensor states = h.narrow(0, 1, n.time).clone();
    ctx->mark_non_differentiable({states});
    return {fed.narrow(0, 1, n.time), joined.narrow(2, 0, n.value).contiguous(), alpha, states};
  }

  static variable_list backward(AutogradContext* ctx, variable_list gradients) {
    const auto saved = ctx->get_saved_variables();
    const Tensor &embedded = saved[0], &keys = saved[1], &values = saved[2], &weight_ih = saved[3],
                 &weight_hh = saved[4], &W_c = saved[5], &lengths = saved[6], &gates = saved[7],
                 &h = saved[8], &c = saved[9], &fed = saved[10], &kept = saved[11],
                 &joined = saved[12], &alpha = saved[13];
    const bool is_lstm = ctx->saved_data["is_lstm"].toBool();
    const auto scale = static_cast<float>(ctx->saved_data["scale"].toDouble());
    const Sizes n{embedded.size(0), embedded.size(1), embedded.size(2), h.size(2),
                  fed.size(2),      keys.size(1),     values.size(2),   weight_hh.size(0)};
    const auto options = embedded.options();
    const auto given = [](const Tensor& gradient) {
      return gradient.defined() ? gradient.contiguous() : gradient;
    };
    const Tensor from_output = given(gradients[0]), from_contexts = given(gradients[1]),
                 from_weights = given(gradients[2]);

    const Tensor W_s = weight_ih.narrow(1, embedded.size(2), n.state);
    const Tensor d_pre = at::empty({n.time, n.batch, n.state}, options);  // by W_c [a ; s]
    const Tensor d_gates = at::empty({n.time, n.batch, n.gates}, options);
    const Tensor d_recurrent = is_lstm ? d_gates : at::empty_like(d_gates);
    const Tensor d_fed = at::zeros({n.batch, n.state}, options);  // by s̃_t, from step t + 1
    const Tensor d_h = at::zeros({n.batch, n.hidden}, options), d_c = at::zeros_like(d_h);
    const Tensor d_s = at::empty_like(d_h);  // by s_t, of this step's own use
    const Tensor d_joined = at::empty({n.batch, n.value + n.hidden}, options);
    const Tensor d_keys = at::zeros_like(keys), d_values = at::zeros_like(values);
    for (int64_t t = n.time - 1; t >= 0; --t) {
      const Tensor d_pre_t = d_pre.select(0, t), fed_t = fed.select(0, t + 1);
      if (from_output.defined()) d_fed.add_(from_output.select(0, t));
      at::tanh_backward_out(const_cast<Tensor&>(d_pre_t), d_fed, fed_t);
      multiply(d_joined, d_pre_t, W_c);
      if (from_contexts.defined())
        d_joined.narrow(1, 0, n.value).add_(from_contexts.select(0, t));
      d_s.copy_(d_joined.narrow(1, n.value, n.hidden));
      float* const h_before = data(h) + t * n.batch * n.hidden;
      attend_backward(
          {n.source, n.hidden, n.value, scale, lengths.data_ptr<int64_t>(), data(keys),
           data(values), h_before + n.batch * n.hidden, data(alpha) + t * n.batch * n.source,
           data(d_joined), n.value + n.hidden,
           from_weights.defined() ? data(from_weights) + t * n.batch * n.source : nullptr,
           data(d_s), data(d_keys), data(d_values)},
          0, n.batch);
      const int64_t row = t * n.batch;
      if (is_lstm)
        lstm_backward({n.hidden, data(gates) + row * n.gates, data(c) + row * n.hidden,
                       data(kept) + row * n.hidden, data(d_s), data(d_h), data(d_c),
                       data(d_gates) + row * n.gates, nullptr},
                      0, n.batch);
      else
        gru_backward({n.hidden, data(gates) + row * n.gates, data(kept) + row * n.gates, h_before,
                      data(d_s), data(d_h), data(d_gates) + row * n.gates,
                      data(d_recurrent) + row * n.gates, nullptr},
                     0, n.batch);
      multiply(d_h, d_recurrent.select(0, t), weight_hh, 1.0f);
      multiply(d_fed, d_gates.select(0, t), W_s);
    }

    const int64_t rows = n.time * n.batch;
    const auto flat = [&](const Tensor& x) {
      return x.narrow(0, 0, n.time).view({rows, x.size(2)});
    };
    const Tensor d_gate_rows = flat(d_gates), d_recurrent_rows = flat(d_recurrent);
    const Tensor d_embedded = at::empty_like(embedded);
    multiply(flat(d_embedded), d_gate_rows, weight_ih.narrow(1, 0, n.embedding));
    const Tensor d_weight_ih = at::empty_like(weight_ih), d_weight_hh = at::empty_like(weight_hh),
                 d_W_c = at::empty_like(W_c);
    multiply(d_weight_ih.narrow(1, 0, n.embedding), d_gate_rows.t(), flat(embedded));
    multiply(d_weight_ih.narrow(1, n.embedding, n.state), d_gate_rows.t(), flat(fed));
    multiply(d_weight_hh, d_recurrent_rows.t(), flat(h));
    multiply(d_W_c, flat(d_pre).t(), flat(joined));
    const Tensor d_bias = d_gate_rows.sum(0);
    return {d_embedded,  d_h,         is_lstm ? d_c : Tensor(), d_fed,
            d_keys,      d_values,    d_weight_ih,              d_weight_hh,
            d_bias,      is_lstm ? d_bias : d_recurrent_rows.sum(0),
            d_W_c,       {},          {},                       {}};
  }
};

}  // namespace

bool can_run_feeding(const FeedingDecoder& decoder, const FeedingInputs& inputs) {
  return inputs.embedded.device().is_cpu() && inputs.embedded.scalar_type() == at::kFloat &&
         decoder.weights.weight_hh.scalar_type() == at::kFloat && inputs.embedded.numel() > 0 &&
         !decoder.weights.norm_hh.defined() && inputs.keys.numel() > 0;
}

FeedingOutput run_feeding_decoder(const FeedingDecoder& decoder, const FeedingInputs& inputs) {
  const bool is_lstm = decoder.cell == CellKind::lstm;
  const CellWeights& weights = decoder.weights;
  const Tensor &h = inputs.initial.h, &c = is_lstm ? inputs.initial.c : inputs.initial.h;
  const auto output = FeedingFunction::apply(
      inputs.embedded.transpose(0, 1).contiguous(), h.contiguous(), c.contiguous(),
      inputs.attentional_state, inputs.keys.contiguous(), inputs.values.contiguous(),
      weights.weight_ih, weights.weight_hh, weights.bias_ih, weights.bias_hh, decoder.W_c,
      inputs.lengths, is_lstm, decoder.scale);
  return {output[0].transpose(0, 1), output[1].transpose(0, 1), output[2].transpose(0, 1),
          output[3].transpose(0, 1)};
}

}  // namespace softalign
