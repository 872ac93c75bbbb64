#pragma once

#include <cstdint>

namespace softalign {

/// Cores that this process may use (its affinity mask, not the machine's count).
int64_t available_cores();

/// Threads of all tensor operations; 0: all available cores. Call it before the first one.
void set_threads(int64_t count);

}  // namespace softalign
