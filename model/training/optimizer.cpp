#include "model/training/optimizer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "data/error.h"

namespace softalign {
namespace {

constexpr int64_t kAlignment = 16;   // floats: every parameter starts on a cache line
constexpr int64_t kBlock = 1 << 15;  // floats that one task of parallel_for handles at least

int64_t aligned(int64_t count) { return (count + kAlignment - 1) / kAlignment * kAlignment; }

/// Everything about one update that is the same for all elements.
struct Update {
  float clip = 1, decay = 0, shrink = 1;  // g ← clip·g + decay·w; w ← shrink·w
  float beta1 = 0, beta2 = 0;
  float rate = 0;        // Adam: learning rate / (1 − β₁ᵗ)
  float root_scale = 1;  // Adam: 1 / √(1 − β₂ᵗ)
  float epsilon = 0;
};

void adam(const Update& u, int64_t count, float* __restrict w, const float* __restrict g,
          float* __restrict m, float* __restrict v) {
  for (int64_t i = 0; i < count; ++i) {
    const float gradient = u.clip * g[i] + u.decay * w[i];
    m[i] = u.beta1 * m[i] + (1 - u.beta1) * gradient;
    v[i] = u.beta2 * v[i] + (1 - u.beta2) * gradient * gradient;
    w[i] = u.shrink * w[i] - u.rate * m[i] / (std::sqrt(v[i]) * u.root_scale + u.epsilon);
  }
}

void sgd(const Update& u, int64_t count, float* __restrict w, const float* __restrict g) {
  for (int64_t i = 0; i < count; ++i) w[i] -= u.rate * (u.clip * g[i] + u.decay * w[i]);
}

void sgd_with_momentum(const Update& u, int64_t count, float* __restrict w,
                       const float* __restrict g, float* __restrict m) {
  for (int64_t i = 0; i < count; ++i) {
    m[i] = u.beta1 * m[i] + (u.clip * g[i] + u.decay * w[i]);
    w[i] -= u.rate * m[i];
  }
}

void add(int64_t count, float* __restrict sum, const float* __restrict g) {
  for (int64_t i = 0; i < count; ++i) sum[i] += g[i];
}

/// Multiplies and returns the sum of squares. Eight sums in double: exact enough for any size, and
/// independent, so that the compiler can vectorise them.
double scale_and_square(int64_t count, float* g, float factor) {
  std::array<double, 8> sums{};
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    for (int64_t k = 0; k < 8; ++k) {
      g[i + k] *= factor;
      const double value = g[i + k];
      sums[static_cast<size_t>(k)] += value * value;
    }
  for (; i < count; ++i) {
    g[i] *= factor;
    sums[0] += static_cast<double>(g[i]) * g[i];
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

}  // namespace

Optimizer::Optimizer(std::vector<Tensor> parameters, const OptimizerConfig& config)
    : config_(config) {
  int64_t total = 0;
  for (const Tensor& parameter : parameters) {
    TORCH_CHECK(parameter.is_cpu() && parameter.scalar_type() == at::kFloat,
                "Optimizer: parameters must be float32 on the CPU");
    total += aligned(parameter.numel());
  }
  parameters_ = at::zeros({total}, at::kFloat);
  int64_t offset = 0;
  const at::NoGradGuard no_grad;
  for (const Tensor& parameter : parameters) {
    parameters_.narrow(0, offset, parameter.numel()).view(parameter.sizes()).copy_(parameter);
    offset += aligned(parameter.numel());
  }
  bound_.push_back(bind(std::move(parameters)));
  gradients_ = bound_.front().gradients;
  if (config_.kind != OptimizerKind::sgd || config_.momentum != 0)
    first_ = at::zeros({total}, at::kFloat);
  if (config_.kind != OptimizerKind::sgd) second_ = at::zeros({total}, at::kFloat);
}

Optimizer::Bound Optimizer::bind(std::vector<Tensor> parameters) const {
  const at::NoGradGuard no_grad;
  Bound bound{std::move(parameters), {}, at::zeros_like(parameters_)};
  int64_t offset = 0;
  for (Tensor& parameter : bound.parameters) {
    const auto place = [&](const Tensor& flat) {
      return flat.narrow(0, offset, parameter.numel()).view(parameter.sizes());
    };
    bound.gradient_views.push_back(place(bound.gradients));
    parameter.set_data(place(parameters_));
    parameter.mutable_grad() = bound.gradient_views.back();
    offset += aligned(parameter.numel());
  }
  TORCH_CHECK(offset == parameters_.numel(), "Optimizer: a replica of another model");
  return bound;
}

void Optimizer::add_replica(std::vector<Tensor> parameters) {
  bound_.push_back(bind(std::move(parameters)));
}

void Optimizer::bind_gradients() {
  const at::NoGradGuard no_grad;
  for (Bound& bound : bound_)
    for (size_t i = 0; i < bound.parameters.size(); ++i) {
      Tensor& gradient = bound.parameters[i].mutable_grad();
      const Tensor& view = bound.gradient_views[i];
      if (gradient.defined() && gradient.data_ptr() == view.data_ptr()) continue;
      // Somebody replaced the gradient (zero_grad of LibTorch 2 undefines it): take it over.
      if (gradient.defined())
        view.copy_(gradient);
      else
        view.zero_();
      gradient = view;
    }
}

void Optimizer::zero_gradients() {
  for (Bound& bound : bound_) {
    bound.gradients.zero_();
    for (size_t i = 0; i < bound.parameters.size(); ++i)
      bound.parameters[i].mutable_grad() = bound.gradient_views[i];
  }
}

void Optimizer::add_replicas() {
  bind_gradients();
  for (size_t i = 1; i < bound_.size(); ++i) {
    gradients_.add_(bound_[i].gradients);
    bound_[i].gradients.zero_();
  }
}

double Optimizer::scale_gradients(double factor) {
  bind_gradients();
  const int64_t count = gradients_.numel(), blocks = (count + kBlock - 1) / kBlock;
  std::vector<double> sums(static_cast<size_t>(blocks));
  std::vector<float*> copies;
  for (const Bound& bound : bound_) copies.push_back(bound.gradients.data_ptr<float>());
  at::parallel_for(0, blocks, 1, [&](int64_t first, int64_t last) {
    for (int64_t block = first; block < last; ++block) {
      const int64_t start = block * kBlock, size = std::min(kBlock, count - start);
      for (size_t copy = 1; copy < copies.size(); ++copy)
        add(size, copies[0] + start, copies[copy] + start);
      sums[static_cast<size_t>(block)] =
          scale_and_square(size, copies[0] + start, static_cast<float>(factor));
    }
  });
  return std::sqrt(std::accumulate(sums.begin(), sums.end(), 0.0));
}

void Optimizer::step(double learning_rate, double gradient_norm) {
  ++steps_;
  const bool decoupled = config_.kind == OptimizerKind::adamw;
  Update u;
  // The 1e-6 is that of torch::nn::utils::clip_grad_norm_.
  if (config_.clip_norm > 0)
    u.clip = static_cast<float>(std::min(1.0, config_.clip_norm / (gradient_norm + 1e-6)));
  u.decay = decoupled ? 0.0f : static_cast<float>(config_.weight_decay);
  if (config_.kind == OptimizerKind::sgd) {
    u.beta1 = static_cast<float>(config_.momentum);
    u.rate = static_cast<float>(learning_rate);
  } else {
    const auto t = static_cast<double>(steps_);
    u.shrink = decoupled ? static_cast<float>(1 - learning_rate * config_.weight_decay) : 1.0f;
    u.beta1 = static_cast<float>(config_.beta1);
    u.beta2 = static_cast<float>(config_.beta2);
    u.rate = static_cast<float>(learning_rate / (1 - std::pow(config_.beta1, t)));
    u.root_scale = static_cast<float>(1 / std::sqrt(1 - std::pow(config_.beta2, t)));
    u.epsilon = static_cast<float>(config_.epsilon);
  }
  float* const w = parameters_.data_ptr<float>();
  const float* const g = gradients_.data_ptr<float>();
  float* const m = first_.defined() ? first_.data_ptr<float>() : nullptr;
  float* const v = second_.defined() ? second_.data_ptr<float>() : nullptr;
  at::parallel_for(0, parameters_.numel(), kBlock, [&](int64_t first, int64_t last) {
    const int64_t count = last - first;
    if (v)
      adam(u, count, w + first, g + first, m + first, v + first);
    else if (m)
      sgd_with_momentum(u, count, w + first, g + first, m + first);
    else
      sgd(u, count, w + first, g + first);
  });
  mark_changed();
}

void Optimizer::set_parameters(const Tensor& flat) {
  TORCH_CHECK(flat.sizes() == parameters_.sizes(), "Optimizer: ", flat.numel(), " weights for ",
              parameters_.numel());
  const at::NoGradGuard no_grad;
  parameters_.copy_(flat);
  mark_changed();
}

// Raw writes leave the parameters' version counters alone, by which a kernel may know that its
// packed copy of a weight is old.
void Optimizer::mark_changed() {
  for (const Bound& bound : bound_)
    for (const Tensor& parameter : bound.parameters)
      parameter.unsafeGetTensorImpl()->bump_version();
}

NamedTensors Optimizer::state() const {
  NamedTensors state{{"steps", at::full({1}, steps_, at::kLong)}};
  if (first_.defined()) state.emplace_back("first_moment", first_);
  if (second_.defined()) state.emplace_back("second_moment", second_);
  return state;
}

void Optimizer::restore(const NamedTensors& state) {
  const auto fits = [&](const char* name, const Tensor& own) {
    const Tensor saved = find_tensor(state, name);
    return own.defined() == saved.defined() &&
           (!own.defined() || (saved.sizes() == own.sizes() && saved.dtype() == own.dtype()));
  };
  const Tensor steps = find_tensor(state, "steps");
  if (!steps.defined() || steps.scalar_type() != at::kLong || steps.numel() != 1 ||
      !fits("first_moment", first_) || !fits("second_moment", second_))
    throw Error("the saved state is of another optimizer than " +
                std::string(name_of(kOptimizerNames, config_.kind)) +
                " with this model: resume with the config that it was saved with");
  steps_ = *steps.data_ptr<int64_t>();
  if (first_.defined()) first_.copy_(find_tensor(state, "first_moment"));
  if (second_.defined()) second_.copy_(find_tensor(state, "second_moment"));
}

}  // namespace softalign
