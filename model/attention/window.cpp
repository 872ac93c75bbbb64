#include "model/attention/window.h"

#include <ATen/ATen.h>

namespace softalign {

WindowImpl::WindowImpl(WindowKind kind, int64_t window_size, int64_t query_size)
    : kind_(kind), window_size_(window_size) {
  if (kind != WindowKind::predictive) return;
  W_p_ = register_module(
      "W_p", torch::nn::Linear(torch::nn::LinearOptions(query_size, query_size).bias(false)));
  v_p_ = register_module("v_p",
                         torch::nn::Linear(torch::nn::LinearOptions(query_size, 1).bias(false)));
}

WindowImpl::Bounds WindowImpl::forward(const Tensor& query, const Tensor& mask,
                                       const Tensor& lengths, int64_t first_step) {
  const Tensor is_token = mask.unsqueeze(1);  // [batch, 1, source]
  if (kind_ == WindowKind::global) return {is_token, {}};

  const Tensor last =
      (lengths - 1).to(query.scalar_type()).view({-1, 1, 1});  // S − 1  [batch, 1, 1]
  const Tensor i = at::arange(mask.size(1), query.options());  // [source]
  if (kind_ == WindowKind::monotonic) {
    const Tensor t =
        at::arange(first_step, first_step + query.size(1), query.options());  // [target]
    const Tensor p = at::minimum(t.view({1, -1, 1}), last);  // p_t = t  [batch, target, 1]
    return {((i - p).abs() <= window_size_).logical_and(is_token), {}};
  }
  const Tensor p =
      last * v_p_->forward(W_p_->forward(query).tanh()).sigmoid();  // [batch, target, 1]
  const Tensor distance = i - p;                                    // [batch, target, source]
  const double sigma = static_cast<double>(window_size_) / 2.0;
  // The nearest position always counts, so that a window narrower than 1 is never empty.
  const Tensor inside = (i - p.detach().round()).abs() <= window_size_;
  return {inside.logical_and(is_token), -distance.square() / (2.0 * sigma * sigma)};
}

}  // namespace softalign
