#include "model/lab/resources.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <memory>

namespace softalign {
namespace {

#if TORCH_VERSION_MAJOR >= 2
using Size = size_t;
#else
using Size = int64_t;
#endif

/// Hears of every allocation (alloc_size > 0) and release (< 0) of its thread.
class MemoryMeter : public c10::MemoryReportingInfoBase {
 public:
  int64_t peak() const { return peak_; }
  void reportMemoryUsage(void* /*pointer*/, int64_t alloc_size, Size /*allocated*/,
                         Size /*reserved*/, c10::Device /*device*/) override {
    held_ += alloc_size;
    peak_ = std::max(peak_, held_);
  }
  bool memoryProfilingEnabled() const override { return true; }

 private:
  int64_t held_ = 0, peak_ = 0;
};

}  // namespace

int64_t peak_memory(const std::function<void()>& work) {
  const auto meter = std::make_shared<MemoryMeter>();
  const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, meter);
  work();
  return meter->peak();
}

Resources measure_resources(const std::function<void()>& work, double seconds) {
  using Clock = std::chrono::steady_clock;
  constexpr int kLeastRuns = 3;
  Resources resources;
  resources.peak_bytes = peak_memory(work);  // the first run, which also warms up
  double spent = 0;
  for (int run = 0; run < kLeastRuns || spent < seconds; ++run) {
    const Clock::time_point start = Clock::now();
    work();
    const double took = std::chrono::duration<double>(Clock::now() - start).count();
    resources.seconds = run == 0 ? took : std::min(resources.seconds, took);
    spent += took;
  }
  return resources;
}

}  // namespace softalign
