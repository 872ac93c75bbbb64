#include "model/workers.h"

#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

namespace softalign {
namespace {

TEST(Workers, EachRunsItsPartOnceInEveryRound) {
  Workers workers(3);
  EXPECT_EQ(workers.count(), 3);
  std::vector<int64_t> seen(3, 0);
  for (int64_t round = 1; round <= 200; ++round) {
    workers.run([&](int64_t worker) { ++seen[static_cast<size_t>(worker)]; });
    ASSERT_EQ(seen, std::vector<int64_t>(3, round));
  }
}

TEST(Workers, OperationsInsideHaveOneThreadAndTheCallerItsOwnNumberAfterwards) {
  const int threads = at::get_num_threads();
  at::set_num_threads(2);
  {
    Workers workers(2);
    std::vector<int> inside(2);
    workers.run(
        [&](int64_t worker) { inside[static_cast<size_t>(worker)] = at::get_num_threads(); });
    EXPECT_EQ(inside, (std::vector<int>{1, 1}));
    EXPECT_EQ(at::get_num_threads(), 2);
  }
  at::set_num_threads(threads);
}

TEST(Workers, AnErrorOfAnyWorkerIsThrownAfterAllAreDone) {
  Workers workers(2);
  for (const int64_t failing : {0, 1}) {
    std::atomic<int> done{0};
    EXPECT_THROW(workers.run([&](int64_t worker) {
      ++done;
      if (worker == failing) throw std::runtime_error("no");
    }),
                 std::runtime_error);
    EXPECT_EQ(done, 2);
  }
  workers.run([](int64_t) {});  // and is forgotten
}

}  // namespace
}  // namespace softalign
