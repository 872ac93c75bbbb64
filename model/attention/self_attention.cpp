#include "model/attention/self_attention.h"

#include <ATen/ATen.h>

#include <cmath>

#include "model/attention/attention.h"

namespace softalign {
namespace {

torch::nn::Linear square(int64_t size) {
  return torch::nn::Linear(torch::nn::LinearOptions(size, size).bias(false));
}

}  // namespace

SelfAttentionImpl::SelfAttentionImpl(int64_t hidden, int64_t heads)
    : heads_(heads),
      W_Q_(register_module("W_Q", square(hidden))),
      W_K_(register_module("W_K", square(hidden))),
      W_V_(register_module("W_V", square(hidden))),
      W_O_(register_module("W_O", square(hidden))) {}

SelfAttentionImpl::Output SelfAttentionImpl::forward(const Tensor& states, const Tensor& mask) {
  const int64_t batch = states.size(0), source = states.size(1), hidden = states.size(2);
  const auto split = [&](const Tensor& x) {
    return x.view({batch, source, heads_, hidden / heads_})
        .transpose(1, 2);  // [batch, heads, source, d_k]
  };
  const Tensor Q = split(W_Q_->forward(states));
  const Tensor K = split(W_K_->forward(states));
  const Tensor V = split(W_V_->forward(states));
  const double d_k = static_cast<double>(hidden / heads_);
  const Tensor scores =
      (Q / std::sqrt(d_k)).matmul(K.transpose(-2, -1));  // [batch, heads, source, source]
  const Tensor weights = masked_softmax(scores, mask.view({batch, 1, 1, source}));
  const Tensor heads = weights.matmul(V).transpose(1, 2).reshape({batch, source, hidden});
  return {(states + W_O_->forward(heads)) * mask.unsqueeze(-1), weights};
}

}  // namespace softalign
