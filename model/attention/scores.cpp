#include "model/attention/scores.h"

#include <ATen/ATen.h>

#include <cmath>

namespace softalign {
namespace {

torch::nn::LinearOptions without_bias(int64_t in, int64_t out) {
  return torch::nn::LinearOptions(in, out).bias(false);
}

// query · keyᵀ for every step and position: [batch, target, key], [batch, source, key].
Tensor products(const Tensor& query, const Tensor& keys) {
  return query.matmul(keys.transpose(-2, -1));  // [batch, target, source]
}

}  // namespace

Tensor DotScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  return products(query, keys);  // s_t · h_i
}

Tensor ScaledDotScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  return products(query * *product_scale(), keys);  // s_t · h_i / √d
}

std::optional<double> ScaledDotScoreImpl::product_scale() const {
  return 1.0 / std::sqrt(static_cast<double>(query_size_));
}

GeneralScoreImpl::GeneralScoreImpl(int64_t query_size, int64_t states_size)
    : W_(register_module("W", torch::nn::Linear(without_bias(states_size, query_size)))) {}

Tensor GeneralScoreImpl::keys(const Tensor& states) {
  const double d = static_cast<double>(W_->weight.size(0));
  return W_->forward(states) / std::sqrt(d);  // W h_i / √d
}

Tensor GeneralScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  return products(query, keys);  // s_t · W h_i / √d
}

AdditiveScoreImpl::AdditiveScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size)
    : W_(register_module("W", torch::nn::Linear(without_bias(query_size, key_size)))),
      U_(register_module("U", torch::nn::Linear(without_bias(states_size, key_size)))),
      v_(register_module("v", torch::nn::Linear(without_bias(key_size, 1)))) {}

Tensor AdditiveScoreImpl::keys(const Tensor& states) { return U_->forward(states); }  // U h_i

Tensor AdditiveScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  const Tensor sums =
      W_->forward(query).unsqueeze(2) + keys.unsqueeze(1);  // [batch, target, source, key]
  return v_->forward(sums.tanh()).squeeze(-1);  // vᵀ tanh(W s_t + U h_i)  [batch, target, source]
}

ConcatScoreImpl::ConcatScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size)
    : query_size_(query_size),
      W_(register_module("W", torch::nn::Linear(query_size + states_size, key_size))),
      v_(register_module("v", torch::nn::Linear(without_bias(key_size, 1)))) {}

// W [s ; h] = W_s s + W_h h + b: the second half is the same at every step.
Tensor ConcatScoreImpl::keys(const Tensor& states) {
  const int64_t states_size = W_->weight.size(1) - query_size_;
  return at::linear(states, W_->weight.narrow(1, query_size_, states_size), W_->bias);
}

Tensor ConcatScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  const Tensor projected = at::linear(query, W_->weight.narrow(1, 0, query_size_));
  const Tensor sums = projected.unsqueeze(2) + keys.unsqueeze(1);  // [batch, target, source, key]
  return v_->forward(sums.tanh()).squeeze(-1);  // vᵀ tanh(W [s_t ; h_i])  [batch, target, source]
}

LocationScoreImpl::LocationScoreImpl(int64_t query_size, int64_t positions)
    : W_(register_module("W", torch::nn::Linear(without_bias(query_size, positions)))) {}

Tensor LocationScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  const int64_t source = std::min(keys.size(-2), W_->weight.size(0));
  return at::linear(query, W_->weight.narrow(0, 0, source));  // (W s_t)_i
}

ProjectedScoreImpl::ProjectedScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size,
                                       int64_t heads)
    : heads_(heads),
      W_Q_(register_module("W_Q", torch::nn::Linear(without_bias(query_size, key_size)))),
      W_K_(register_module("W_K", torch::nn::Linear(without_bias(states_size, key_size)))),
      W_V_(register_module("W_V", torch::nn::Linear(without_bias(states_size, key_size)))) {}

Tensor ProjectedScoreImpl::split_heads(const Tensor& x) const {
  return x.view({x.size(0), x.size(1), heads_, -1}).transpose(1, 2);  // [batch, heads, n, d_k]
}

Tensor ProjectedScoreImpl::keys(const Tensor& states) { return split_heads(W_K_->forward(states)); }

Tensor ProjectedScoreImpl::values(const Tensor& states) {
  return split_heads(W_V_->forward(states));
}

Tensor ProjectedScoreImpl::forward(const Tensor& query, const Tensor& keys) {
  const double d_k = static_cast<double>(keys.size(-1));
  const Tensor Q =
      split_heads(W_Q_->forward(query)) / std::sqrt(d_k);  // [batch, heads, target, d_k]
  return products(Q, keys);  // Q Kᵀ / √d_k  [batch, heads, target, source]
}

std::shared_ptr<ScoreImpl> make_score(const AttentionConfig& config, int64_t query_size,
                                      int64_t states_size) {
  const int64_t key_size = config.key_size > 0 ? config.key_size : query_size;
  switch (config.score) {
    case ScoreKind::none:
      return nullptr;
    case ScoreKind::dot:
      return std::make_shared<DotScoreImpl>();
    case ScoreKind::scaled_dot:
      return std::make_shared<ScaledDotScoreImpl>(query_size);
    case ScoreKind::general:
      return std::make_shared<GeneralScoreImpl>(query_size, states_size);
    case ScoreKind::additive:
      return std::make_shared<AdditiveScoreImpl>(query_size, states_size, key_size);
    case ScoreKind::concat:
      return std::make_shared<ConcatScoreImpl>(query_size, states_size, key_size);
    case ScoreKind::location:
      return std::make_shared<LocationScoreImpl>(query_size, config.location_size);
    case ScoreKind::projected:
      return std::make_shared<ProjectedScoreImpl>(query_size, states_size, key_size, config.heads);
  }
  return nullptr;
}

}  // namespace softalign
