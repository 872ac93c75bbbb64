#pragma once

#include <cstdint>

#include "model/config.h"

namespace softalign {

/// none: raw log-probability; average: divided by length; wu: divided by ((5 + length)/6)^α
/// (Wu et al. 2016, eq. 14). Length counts EOS.
enum class LengthPenalty { none, average, wu };
constexpr Names<LengthPenalty, 3> kLengthPenaltyNames{{{LengthPenalty::none, "none"},
                                                       {LengthPenalty::average, "average"},
                                                       {LengthPenalty::wu, "wu"}}};

struct SearchOptions {
  int64_t beam = 1;   // 1 is greedy search
  int64_t nbest = 1;  // hypotheses returned, at most `beam`
  LengthPenalty length_penalty = LengthPenalty::wu;
  double length_penalty_alpha = 1.0;
  double coverage_penalty = 0.0;  // β of Wu et al. 2016, eq. 14
  // Lengths of the output with EOS, per sentence: factor · source tokens (EOS included) + constant.
  double max_length_factor = 2.0;
  int64_t max_length_constant = 10;
  int64_t max_length = 0;  // 0: none; else a further upper limit
  double min_length_factor = 0.0;
  int64_t min_length = 0;
  int64_t block_ngrams = 0;  // n: no n-gram twice in an output; 0: off
  bool sample = false;       // draw from p instead of searching (beam is ignored, nbest draws)
  double temperature = 1.0;
  int64_t top_k = 0;  // sampling from the k most probable; 0: all
  uint64_t seed = 1;
};

/// Throws Error naming the option that is out of range (nbest > beam, beam < 1, …).
void check(const SearchOptions& options);

}  // namespace softalign
