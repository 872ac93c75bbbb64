#pragma once

#include <cstdint>
#include <vector>

#include "model/metrics/bleu.h"

namespace softalign {

/// Paired bootstrap resampling (Koehn 2004) of corpus BLEU between two outputs A and B.
struct BootstrapResult {
  double a = 0, b = 0;         // BLEU on the whole set
  double mean_difference = 0;  // B − A over the resamples
  double low = 0, high = 0;    // 95 % interval of B − A
  double p_value = 0;          // share of resamples that don't confirm the sign of B − A (a draw
                               // doesn't); 1 if the two are equal
  int64_t resamples = 0;
};
/// One entry per sentence in both lists. The same seed gives the same result everywhere. Throws
/// Error if the sizes differ or resamples < 1. Costs resamples × sentences additions.
BootstrapResult paired_bootstrap(const std::vector<BleuStatistics>& a,
                                 const std::vector<BleuStatistics>& b, const BleuOptions& options,
                                 int64_t resamples, uint64_t seed);

}  // namespace softalign
