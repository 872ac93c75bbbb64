#include "app/threads.h"

#include <ATen/Parallel.h>
#include <sched.h>

#include <algorithm>
#include <thread>

namespace softalign {

int64_t available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

void set_threads(int64_t count) {
  at::set_num_threads(static_cast<int>(count > 0 ? count : available_cores()));
}

}  // namespace softalign
