#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include <cstdint>

#include "model/config.h"
#include "model/seq2seq.h"

namespace softalign {

/// A generator of its own, independent of LibTorch's default one.
at::Generator make_random(uint64_t seed);

/// The program's score for queries and states of width d; nullptr for `none`.
std::shared_ptr<ScoreImpl> score_of_width(ScoreKind kind, int64_t d);

/// How the components of s and h are drawn; each has mean 0 and variance 1 in every case.
enum class Components {
  normal,   // independent, N(0, 1)
  uniform,  // independent, uniform in [−√3, √3]
  signs,    // independent, −1 or 1
  within,   // normal; any two components of one vector have correlation ρ, s and h are independent
  between,  // normal; s_j and h_j have correlation ρ, all else is independent
};
constexpr Names<Components, 5> kComponentNames{{{Components::normal, "normal"},
                                                {Components::uniform, "uniform"},
                                                {Components::signs, "signs"},
                                                {Components::within, "within"},
                                                {Components::between, "between"}}};

/// The moments of s·h that follow from that:
///   independent  mean 0,   variance Σ_j Var(s_j) Var(h_j) = d
///   within       mean 0,   variance Σ_jk ρ_jk² = d + d(d − 1)ρ²
///   between      mean ρd,  variance d(1 + ρ²)
struct Moments {
  double mean = 0, variance = 0;
};
Moments expected_product(Components components, int64_t d, double correlation);

/// Moments of s·h over random pairs, as the scores `dot` and `scaled_dot` compute it.
struct ProductMoments {
  int64_t d = 0, samples = 0;
  Moments plain, scaled;      // s·h and s·h/√d
  double variance_error = 0;  // standard error of plain.variance, √((m₄ − σ⁴)/samples)
  double scaled_variance_error = 0;  // of scaled.variance
};
ProductMoments measure_products(Components components, int64_t d, int64_t samples,
                                double correlation, at::Generator random);

/// What a trained model's own vectors are like: queries s_t and states h_i of teacher forcing.
struct StateMoments {
  int64_t d = 0, queries = 0, states = 0;
  double query_variance = 0, state_variance = 0;  // of a component, mean over components
  double query_mean = 0, state_mean = 0;          // root mean square of the components' means
  double product_variance = 0;                    // of s_t · h_i within sentences
  double if_uncorrelated = 0;  // Σ_j (σ²μ'² + μ²σ'² + σ²σ'²): the variance of s_j h_j, summed
  double effective_dimensions = 0;    // of the states: (tr Σ)²/tr Σ², at most d
  double score_variance = 0;          // of the model's own scores e_ti
  double saturated = 0, entropy = 0;  // of its weights
};
/// Greedy steps over the batch's own targets. The decoder's and encoder's widths must be equal and
/// the model must have attention, or Error.
StateMoments measure_states(Seq2Seq& model, const Batch& batch);

}  // namespace softalign
