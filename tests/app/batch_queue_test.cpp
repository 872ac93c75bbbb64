#include "app/web/batch_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

namespace softalign {
namespace {

TEST(BatchQueue, RefusesWhatItCantHold) {
  BatchQueue queue(1, 1);
  std::promise<void> release, started;
  std::thread working([&] {
    queue.run([&] {
      started.set_value();
      release.get_future().wait();
    });
  });
  started.get_future().wait();  // the worker is busy, the queue empty
  std::atomic<int> refused{0}, done{0};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i)
    others.emplace_back([&] {
      try {
        queue.run([&] { ++done; });
      } catch (const BatchQueue::Full&) {
        ++refused;
      }
    });
  while (refused < 2) std::this_thread::yield();  // the third stands in the queue
  release.set_value();
  working.join();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(refused, 2);
  EXPECT_EQ(done, 1);
  queue.run([&] { ++done; });  // and it takes work again
  EXPECT_EQ(done, 2);
}

TEST(BatchQueue, GivesErrorsToTheirOwner) {
  BatchQueue queue(2, 10);
  EXPECT_THROW(queue.run([] { throw std::runtime_error("mine"); }), std::runtime_error);
  bool ran = false;
  queue.run([&] { ran = true; });
  EXPECT_TRUE(ran);
}

}  // namespace
}  // namespace softalign
