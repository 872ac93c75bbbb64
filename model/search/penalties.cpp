#include "model/search/penalties.h"

#include <algorithm>
#include <cmath>

namespace softalign {

double length_normaliser(const SearchOptions& options, int64_t length) {
  // A hypothesis without any token can only be one that was stopped before its first.
  const auto tokens = static_cast<double>(std::max<int64_t>(length, 1));
  switch (options.length_penalty) {
    case LengthPenalty::none:
      return 1.0;
    case LengthPenalty::average:
      return tokens;
    case LengthPenalty::wu:
      return std::pow((5.0 + tokens) / 6.0, options.length_penalty_alpha);
  }
  return 1.0;
}

double coverage_penalty(const SearchOptions& options, const std::vector<float>& coverage) {
  double sum = 0;
  for (const float covered : coverage)
    sum += std::log(std::clamp<double>(covered, kLeastCoverage, 1.0));
  return options.coverage_penalty * sum;
}

double penalised_score(const SearchOptions& options, const Hypothesis& hypothesis) {
  const auto length = static_cast<int64_t>(hypothesis.tokens.size());
  const double score = hypothesis.log_prob / length_normaliser(options, length);
  if (options.coverage_penalty == 0 || hypothesis.attention.empty()) return score;
  std::vector<float> coverage(hypothesis.attention.front().size());
  for (const std::vector<float>& weights : hypothesis.attention)
    for (size_t i = 0; i < weights.size(); ++i) coverage[i] += weights[i];
  return score + coverage_penalty(options, coverage);
}

double score_bound(const SearchOptions& options, double log_prob, int64_t maximum_length) {
  return log_prob / length_normaliser(options, maximum_length);
}

}  // namespace softalign
