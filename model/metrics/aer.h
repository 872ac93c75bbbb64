#pragma once

#include <cstdint>
#include <vector>

#include "data/alignment.h"

namespace softalign {

/// Alignment error rate of predicted links A against sure links S and possible links P ⊇ S (Och &
/// Ney 2003), with links counted over the whole corpus:
///   precision = |A ∩ P| / |A|,  recall = |A ∩ S| / |S|,  AER = 1 − (|A ∩ S| + |A ∩ P|) / (|A| +
///   |S|).
/// Without predicted links the precision is 1, without sure links the recall is 1. `possible`
/// counts the sure links too. All are in [0, 1].
struct AlignmentScore {
  double aer = 0, precision = 0, recall = 0;
  int64_t predicted = 0, sure = 0, possible = 0;
};
/// One list of links per sentence; both lists have the same size, or Error.
AlignmentScore alignment_error_rate(const std::vector<std::vector<Link>>& predicted,
                                    const std::vector<std::vector<Link>>& gold);

}  // namespace softalign
