#pragma once

#include <cstdint>

namespace softalign {

/// mask[i] = 0 with probability `rate`, else 1 / (1 − rate), from a hash of (seed, i): the same on
/// every processor and for every number of threads.
void fill_dropout_mask(float* mask, int64_t count, double rate, uint64_t seed);

}  // namespace softalign
