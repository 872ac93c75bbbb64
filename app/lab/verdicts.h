#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/lab/report.h"

namespace softalign {

/// Every number that a verdict turns on.
struct Thresholds {
  double variance = 0.03;           // distance from 1 of the slope, and of every scaled variance
  double component_variance = 0.5;  // a trained model's components have the variance 1 ± this
  double lost_gradient = 0.5;       // the share at which "half the gradient is gone"
  double kept_gradient = 0.8;       // share that scaled scores keep at every d, at least
  double half_by = 1024;            // unscaled scores lose half of it at this d at the latest
  double loss_gain = 0.02;          // nats per token by which scaled_dot is better than dot
  double least_exponent = 1.8, largest_exponent = 2.2;  // of n
  double letters_gain = 0.1;      // share of letters by which attention beats `none`
  double faster = 1.1;            // ratio of times from which a difference counts
  double diagonal_margin = 0.05;  // AER below that of the diagonal
  double guided_margin = 0.02;    // AER below that without guidance
  double wrong_alignment = 0.5;   // AER of a sentence whose attention isn't an alignment
  double by_hand = 0.0005;        // rounding to four decimals at every step
};
constexpr Thresholds kThresholds;

/// Difference of BLEU, B − A, with its 95 % interval.
struct Gap {
  double difference = 0, low = 0, high = 0;
};

// Each judges made-up numbers as it judges measured ones.

/// The slope of Var(s·h) against d is 1.
Verdict judge_variance(double slope);
/// Var(s·h/√d) is 1 at every d.
Verdict judge_scaled_variance(const std::vector<double>& d, const std::vector<double>& variances);
/// A trained model's components have variance 1, as the claim assumes.
Verdict judge_components(double query_variance, double state_variance);

/// Unscaled: `half_d` is where half the gradient is gone, 0 if nowhere.
Verdict judge_saturation(double half_d);
/// Scaled: gradient[i] at d[i], relative to a uniform softmax.
Verdict judge_kept_gradient(const std::vector<double>& d, const std::vector<double>& gradient);
/// Training at width d: the last losses.
Verdict judge_training(int64_t d, double dot_loss, double scaled_loss);

/// BLEU of `score` − `none` among sentences of the longest bucket, "41–50".
Verdict judge_bottleneck(const std::string& score, const std::string& bucket, const Gap& gap);
/// Right letters of strings longer than those trained.
Verdict judge_strings(double none, double attention);

/// Is dot faster than additive? ratios[i] = time of additive / time of dot at sizes[i], ascending.
Verdict judge_speed(const std::vector<double>& sizes, const std::vector<double>& ratios);
/// First size from which all ratios are beyond `Thresholds::faster`; 0 if none.
double faster_from(const std::vector<double>& sizes, const std::vector<double>& ratios);

/// Time or memory grow as n² for the large n. `what` names it in both languages.
Verdict judge_exponent(const std::string& name, const Text& what, double exponent);
/// Encoder self-attention helps the translator.
Verdict judge_help(const Gap& gap);

/// Attention is closer to the true alignment than the diagonal is.
Verdict judge_alignment(const std::string& score, double aer, double diagonal);
/// Guided alignment lowers the AER.
Verdict judge_guidance(double aer, double guided);
/// Right translations whose attention is far from the alignment: how many of how many.
Verdict judge_counterexamples(int64_t found, int64_t right);

/// The calculation by hand and the program's differ by no more than rounding.
Verdict judge_by_hand(double difference);

}  // namespace softalign
