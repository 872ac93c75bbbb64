#include "model/lab/products.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>

#include <algorithm>
#include <cmath>

#include "data/error.h"
#include "model/attention/diagnostics.h"

namespace softalign {
namespace {

constexpr int64_t kNumbersAtOnce = 1 << 22;  // of one side, in memory

struct Pair {
  Tensor s, h;  // [samples, d]
};

Pair draw(Components components, int64_t samples, int64_t d, double correlation,
          const at::Generator& random) {
  const auto normal = [&](int64_t width) {
    return at::randn({samples, width}, random, at::kFloat);
  };
  const auto uniform = [&] { return at::rand({samples, d}, random, at::kFloat); };
  switch (components) {
    case Components::normal:
      return {normal(d), normal(d)};
    case Components::uniform: {
      const double width = 2 * std::sqrt(3.0);  // a uniform number's variance is width²/12
      return {(uniform() - 0.5) * width, (uniform() - 0.5) * width};
    }
    case Components::signs:
      return {(uniform() < 0.5) * 2.0 - 1.0, (uniform() < 0.5) * 2.0 - 1.0};
    case Components::within: {  // √ρ z + √(1 − ρ) ε_j with one z for the whole vector
      const auto vector = [&] {
        return normal(1) * std::sqrt(correlation) + normal(d) * std::sqrt(1 - correlation);
      };
      const Tensor s = vector();
      return {s, vector()};
    }
    case Components::between: {
      const Tensor h = normal(d);
      return {h * correlation + normal(d) * std::sqrt(1 - correlation * correlation), h};
    }
  }
  throw Error("unknown kind of components");
}

double square(double x) { return x * x; }

struct Sample {
  Moments moments;
  double error = 0;  // of the variance
};

Sample moments_of(const Tensor& values) {
  const Tensor x = values.to(at::kDouble);
  const auto n = static_cast<double>(x.numel());
  Sample sample;
  sample.moments.mean = x.mean().item<double>();
  const Tensor squares = (x - sample.moments.mean).square();
  const double second = squares.mean().item<double>();
  sample.moments.variance = second * n / (n - 1);
  sample.error =
      std::sqrt(std::max(0.0, squares.square().mean().item<double>() - square(second)) / n);
  return sample;
}

}  // namespace

at::Generator make_random(uint64_t seed) { return at::make_generator<at::CPUGeneratorImpl>(seed); }

std::shared_ptr<ScoreImpl> score_of_width(ScoreKind kind, int64_t d) {
  AttentionConfig config;
  config.score = kind;
  return make_score(config, d, d);
}

Moments expected_product(Components components, int64_t d, double correlation) {
  const auto width = static_cast<double>(d);
  const double squared = square(correlation);
  if (components == Components::within) return {0, width + width * (width - 1) * squared};
  if (components == Components::between) return {correlation * width, width * (1 + squared)};
  return {0, width};
}

ProductMoments measure_products(Components components, int64_t d, int64_t samples,
                                double correlation, at::Generator random) {
  const std::shared_ptr<ScoreImpl> dot = score_of_width(ScoreKind::dot, d);
  const std::shared_ptr<ScoreImpl> scaled_dot = score_of_width(ScoreKind::scaled_dot, d);
  std::vector<Tensor> plain, scaled;
  const int64_t most = std::max<int64_t>(1, kNumbersAtOnce / d);
  for (int64_t drawn = 0; drawn < samples;) {
    const int64_t rows = std::min(most, samples - drawn);
    const Pair pair = draw(components, rows, d, correlation, random);
    const Tensor query = pair.s.unsqueeze(1), keys = pair.h.unsqueeze(1);  // [rows, 1, d]
    plain.push_back(dot->forward(query, keys).view({-1}));
    scaled.push_back(scaled_dot->forward(query, keys).view({-1}));
    drawn += rows;
  }
  const Sample of_plain = moments_of(at::cat(plain)), of_scaled = moments_of(at::cat(scaled));
  return {d, samples, of_plain.moments, of_scaled.moments, of_plain.error, of_scaled.error};
}

StateMoments measure_states(Seq2Seq& model, const Batch& batch) {
  const ModelConfig& config = model->config();
  if (config.attention.score == ScoreKind::none)
    throw Error("this model has no attention (score: none): it has no scores to look at");
  if (config.encoder.hidden != config.decoder.hidden)
    throw Error("the widths of the model's encoder and decoder differ (" +
                std::to_string(config.encoder.hidden) + " and " +
                std::to_string(config.decoder.hidden) + "): s·h isn't defined");
  const c10::InferenceMode inference;
  model->eval();
  Memory memory = model->encode(batch.source, batch.source_lengths);
  const Attended all = model->decode(batch.target_in, memory, /*keep_scores=*/true);
  const AttentionSums sums = attention_sums(all, batch.source_lengths, batch.target_lengths);

  const Tensor query = all.query.to(at::kDouble);              // [batch, target, hidden]
  const Tensor states = memory.states.to(at::kDouble);         // [batch, source, hidden]
  const Tensor is_target = at::arange(query.size(1)).unsqueeze(0) <
                           batch.target_lengths.unsqueeze(1);  // [batch, target]
  const auto chosen = [](const Tensor& x, const Tensor& mask) {
    return x.reshape({-1, x.size(-1)}).index({mask.reshape({-1})});  // [tokens, hidden]
  };
  const Tensor s = chosen(query, is_target), h = chosen(states, memory.mask);
  const Tensor both = is_target.unsqueeze(2) * memory.mask.unsqueeze(1);
  const Tensor products = query.matmul(states.transpose(1, 2)).index({both});

  StateMoments moments;
  moments.d = s.size(1);
  moments.queries = s.size(0);
  moments.states = h.size(0);
  const Tensor s_mean = s.mean(0), h_mean = h.mean(0), s_variance = s.var(0), h_variance = h.var(0);
  moments.query_variance = s_variance.mean().item<double>();
  moments.state_variance = h_variance.mean().item<double>();
  moments.query_mean = s_mean.square().mean().sqrt().item<double>();
  moments.state_mean = h_mean.square().mean().sqrt().item<double>();
  moments.product_variance = products.var().item<double>();
  moments.if_uncorrelated =
      (s_variance * h_variance + s_variance * h_mean.square() + s_mean.square() * h_variance)
          .sum()
          .item<double>();
  const Tensor centred = h - h_mean;
  const Tensor covariance = centred.t().matmul(centred) / static_cast<double>(h.size(0) - 1);
  moments.effective_dimensions =
      square(covariance.trace().item<double>()) / covariance.square().sum().item<double>();
  moments.score_variance = sums.score_variance();
  moments.saturated = sums.saturated / static_cast<double>(sums.rows);
  moments.entropy = sums.entropy / static_cast<double>(sums.rows);
  return moments;
}

}  // namespace softalign
