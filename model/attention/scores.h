#pragma once

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>

#include <memory>
#include <optional>

#include "model/config.h"

namespace softalign {

using at::Tensor;

/// Score of how well the source around position i and the output at step t match: the plug of
/// every attention. A decoder state s_t (query) and an encoder state h_i give the scalar e_ti.
class ScoreImpl : public torch::nn::Module {
 public:
  /// What of the encoder's states a score needs at every step, computed once per sentence:
  /// states [batch, source, hidden] → keys [batch, source, key] (heads: [batch, heads, source,
  /// key]).
  virtual Tensor keys(const Tensor& states) { return states; }
  /// What the weights average: the states themselves, or V.
  virtual Tensor values(const Tensor& states) { return states; }
  /// query [batch, target, hidden], keys → e [batch, target, source] ([batch, heads, target,
  /// source]).
  virtual Tensor forward(const Tensor& query, const Tensor& keys) = 0;
  /// c where the score is a plain product e_ti = c · s_t · k_i, which kernels know how to fuse.
  virtual std::optional<double> product_scale() const { return {}; }
};

/// e_ti = s_t · h_i.  Luong et al. 2015, §3.1, eq. 8 "dot". Needs equal widths.
class DotScoreImpl : public ScoreImpl {
 public:
  Tensor forward(const Tensor& query, const Tensor& keys) override;
  std::optional<double> product_scale() const override { return 1.0; }
};

/// e_ti = s_t · h_i / √d.  Vaswani et al. 2017, eq. 1: components that are independent with mean
/// 0 and variance 1 give a dot product of variance d; divided by √d, of variance 1.
class ScaledDotScoreImpl : public ScoreImpl {
 public:
  explicit ScaledDotScoreImpl(int64_t query_size) : query_size_(query_size) {}
  Tensor forward(const Tensor& query, const Tensor& keys) override;
  std::optional<double> product_scale() const override;

 private:
  int64_t query_size_;
};

/// e_ti = s_t · W h_i / √d.  Luong et al. 2015, §3.1, eq. 8 "general", whose W holds our 1/√d: the
/// same functions, another pace. Adam moves all d² entries of W by about the learning rate, so
/// that unscaled scores move by whole units at a time, and the softmax saturates on one position
/// before it has learned which.
class GeneralScoreImpl : public ScoreImpl {
 public:
  GeneralScoreImpl(int64_t query_size, int64_t states_size);
  Tensor keys(const Tensor& states) override;
  Tensor forward(const Tensor& query, const Tensor& keys) override;
  std::optional<double> product_scale() const override { return 1.0; }

 private:
  torch::nn::Linear W_;
};

/// e_ti = vᵀ tanh(W s_t + U h_i).  Bahdanau et al. 2015, appendix A.1.2.
class AdditiveScoreImpl : public ScoreImpl {
 public:
  AdditiveScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size);
  Tensor keys(const Tensor& states) override;
  Tensor forward(const Tensor& query, const Tensor& keys) override;

 private:
  torch::nn::Linear W_, U_, v_;
};

/// e_ti = vᵀ tanh(W [s_t ; h_i]).  Luong et al. 2015, §3.1, eq. 8 "concat". The same family as
/// `additive`, with one matrix (and its bias) over the concatenation.
class ConcatScoreImpl : public ScoreImpl {
 public:
  ConcatScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size);
  Tensor keys(const Tensor& states) override;
  Tensor forward(const Tensor& query, const Tensor& keys) override;

 private:
  int64_t query_size_;
  torch::nn::Linear W_, v_;
};

/// e_ti = (W s_t)_i: from the target state alone.  Luong et al. 2015, §3.1, eq. 9 "location".
/// Source positions from `positions` on can't be scored and get no weight.
class LocationScoreImpl : public ScoreImpl {
 public:
  LocationScoreImpl(int64_t query_size, int64_t positions);
  Tensor forward(const Tensor& query, const Tensor& keys) override;

 private:
  torch::nn::Linear W_;
};

/// e = Q Kᵀ / √d_k with Q = W_Q s, K = W_K h, V = W_V h, for each of `heads` slices of width
/// d_k = key_size / heads.  Vaswani et al. 2017, §3.2.2.
class ProjectedScoreImpl : public ScoreImpl {
 public:
  ProjectedScoreImpl(int64_t query_size, int64_t states_size, int64_t key_size, int64_t heads);
  Tensor keys(const Tensor& states) override;
  Tensor values(const Tensor& states) override;
  Tensor forward(const Tensor& query, const Tensor& keys) override;

 private:
  Tensor split_heads(const Tensor& x) const;  // [batch, n, key] → [batch, heads, n, d_k]
  int64_t heads_;
  torch::nn::Linear W_Q_, W_K_, W_V_;
};

TORCH_MODULE_IMPL(DotScore, DotScoreImpl);
TORCH_MODULE_IMPL(ScaledDotScore, ScaledDotScoreImpl);
TORCH_MODULE_IMPL(GeneralScore, GeneralScoreImpl);
TORCH_MODULE_IMPL(AdditiveScore, AdditiveScoreImpl);
TORCH_MODULE_IMPL(ConcatScore, ConcatScoreImpl);
TORCH_MODULE_IMPL(LocationScore, LocationScoreImpl);
TORCH_MODULE_IMPL(ProjectedScore, ProjectedScoreImpl);

/// The score that the config names, or nullptr for `none`.
std::shared_ptr<ScoreImpl> make_score(const AttentionConfig& config, int64_t query_size,
                                      int64_t states_size);

}  // namespace softalign
