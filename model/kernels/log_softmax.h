#pragma once

#include <cstdint>

namespace softalign {

/// z ← log softmax(z) for one row of n ≥ 1 logits, none of them NaN.
void log_softmax(float* z, int64_t n);

}  // namespace softalign
