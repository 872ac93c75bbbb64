#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>

#include "data/sampler.h"
#include "model/training/checkpoint.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

Progress progress_at(int64_t step) {
  const auto value = static_cast<double>(step);
  Progress progress;
  progress.weights = {{"W", at::full({500}, value)}};
  progress.optimizer = {{"first_moment", at::full({500}, value)}};
  progress.averages = {{"moving_average", at::full({500}, value)}};
  progress.state = nlohmann::json{{"step", step}}.dump();
  return progress;
}

/// Memory that a killed child has shared with us.
class Shared {
 public:
  Shared()
      : step_(static_cast<std::atomic<int64_t>*>(::mmap(
            nullptr, sizeof(*step_), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}
  ~Shared() { ::munmap(step_, sizeof(*step_)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  std::atomic<int64_t>& step() { return *step_; }

 private:
  std::atomic<int64_t>* step_;
};

/// Saves for ever; `saved` is the last step that was completely saved. An exception ends the
/// process, which the parent would notice by the step that stands still.
[[noreturn]] void save_in_a_loop(const std::filesystem::path& directory,
                                 std::atomic<int64_t>& saved) noexcept {
  for (int64_t step = saved + 1;; ++step) {
    const Progress progress = progress_at(step);
    save_progress(progress, directory / "last");
    saved = step;
  }
}

TEST(Killed, S20_AtAnyInstantTheCheckpointLoadsAndLosesNothingThatWasSaved) {
  const TempDir folder;
  Shared shared;
  save_progress(progress_at(0), folder / "last");
  const auto start = std::chrono::steady_clock::now();
  save_progress(progress_at(0), folder / "last");
  const auto one_save = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  // From before the first save to after the second, however fast the disk is.
  const uint64_t longest =
      std::min<uint64_t>(1000 + 3 * static_cast<uint64_t>(one_save.count()), 400'000);
  const uint64_t seed = std::random_device()();
  std::cout << "seed " << seed << "\n";
  std::mt19937_64 random(seed);
  int64_t distinct = 0, before = 0;
  for (int kill = 0; kill < 200; ++kill) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) save_in_a_loop(folder.path(), shared.step());
    ::usleep(static_cast<useconds_t>(uniform(longest, random)));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);

    const Progress loaded = load_progress(folder / "last");
    const auto step = nlohmann::json::parse(loaded.state)["step"].get<int64_t>();
    ASSERT_GE(step, shared.step().load()) << "kill " << kill;
    ASSERT_LE(step, shared.step().load() + 1) << "kill " << kill;
    for (const NamedTensors* tensors : {&loaded.weights, &loaded.optimizer, &loaded.averages})
      ASSERT_TRUE((*tensors)[0].second.eq(static_cast<double>(step)).all().item<bool>());
    shared.step() = step;
    distinct += step != before;
    before = step;
    int64_t entries = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      entries += entry.exists();
    ASSERT_EQ(entries, 1) << "something lies beside the checkpoint";
  }
  EXPECT_GT(distinct, 10);
}

}  // namespace
}  // namespace softalign
