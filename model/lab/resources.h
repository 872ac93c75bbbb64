#pragma once

#include <cstdint>
#include <functional>

namespace softalign {

/// What a piece of work takes.
struct Resources {
  double seconds = 0;      // the shortest of several runs
  int64_t peak_bytes = 0;  // most memory of tensors that it held at a time, beyond what was there
};

/// Runs `work` for about so long, three times at least.
Resources measure_resources(const std::function<void()>& work, double seconds);

/// Peak memory alone, from one run. Counts what LibTorch's allocator gives to this thread.
int64_t peak_memory(const std::function<void()>& work);

}  // namespace softalign
