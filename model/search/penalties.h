#pragma once

#include <cstdint>
#include <vector>

#include "model/search/hypothesis.h"
#include "model/search/options.h"

namespace softalign {

/// What a log-probability is divided by at this length (EOS counted): 1, length, or
/// lp(Y) = ((5 + |Y|) / 6)^α. Never falls with the length, as α ≥ 0.
double length_normaliser(const SearchOptions& options, int64_t length);

/// cp(X; Y) = β Σ_i log(min(Σ_t α_ti, 1)) (Wu et al. 2016, eq. 14), ≤ 0. Positions that no step
/// could look at (a window) count as if they had had kLeastCoverage instead of −∞.
/// `coverage` is Σ_t α_t, one number per source token.
double coverage_penalty(const SearchOptions& options, const std::vector<float>& coverage);
constexpr float kLeastCoverage = 1e-6F;

/// The score that ranks: log_prob / normaliser(length) + cp.
double penalised_score(const SearchOptions& options, const Hypothesis& hypothesis);

/// An upper bound of the score of all completions of a hypothesis with this log_prob, if an output
/// has at most `maximum_length` tokens. Proof: every further log p is ≤ 0, so the final log_prob is
/// at most this one, which is ≤ 0 itself; a number ≤ 0 is largest when divided by the largest
/// normaliser, which is that of the maximum length; and cp ≤ 0.
double score_bound(const SearchOptions& options, double log_prob, int64_t maximum_length);

}  // namespace softalign
