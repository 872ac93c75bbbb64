#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "model/search/translator.h"

namespace softalign {

/// What many clients ask for at once, computed together: a fixed pool of workers, each of which
/// takes its share of what waits and translates it as one batch. Nothing waits for a batch to fill:
/// batches grow by themselves while the workers are busy.
class BatchQueue {
 public:
  struct Full {};  // thrown where `waiting` requests wait already

  /// `workers` threads of one core each; at most `waiting` requests in the queue.
  BatchQueue(int64_t workers, size_t waiting);
  /// Computes what still waits, then ends.
  ~BatchQueue();
  BatchQueue(const BatchQueue&) = delete;
  BatchQueue& operator=(const BatchQueue&) = delete;

  /// Waits for the translations. Requests of equal translator and `options_key` share batches, so
  /// equal keys must mean equal options. `prefixes`: as many as lines. Thread-safe, as all here.
  std::vector<Translation> translate(Translator& translator, std::vector<std::string> lines,
                                     std::vector<std::string> prefixes,
                                     const TranslateOptions& options,
                                     const std::string& options_key);
  std::vector<Scored> score(Translator& translator, std::vector<std::string> sources,
                            std::vector<std::string> targets, const TranslateOptions& options);

  /// Runs `work` on a worker, and waits for it.
  void run(std::function<void()> work);

 private:
  struct Job {
    Translator* translator = nullptr;  // null: `work`
    bool scores = false;
    std::string key;
    TranslateOptions options;
    std::vector<std::string> lines, companions;  // companions: prefixes, or targets
    std::function<void()> work;
    std::vector<Translation> translations;
    std::vector<Scored> scored;
    std::promise<void> done;
  };

  using Jobs = std::vector<std::shared_ptr<Job>>;  // held by the thread that waits, and a worker

  void wait_for(const std::shared_ptr<Job>& job);
  void serve();
  Jobs take();
  static void compute(const Jobs& jobs);
  static void compute_batch(const Jobs& jobs);

  const size_t workers_count_, waiting_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<std::shared_ptr<Job>> jobs_;
  bool ending_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace softalign
