#include "app/web/batch_queue.h"

#include <algorithm>

#include "app/threads.h"

namespace softalign {
namespace {

constexpr size_t kLeastShare = 8;      // requests; smaller batches aren't worth another worker
constexpr size_t kMostSentences = 64;  // of one batch

}  // namespace

BatchQueue::BatchQueue(int64_t workers, size_t waiting)
    : workers_count_(static_cast<size_t>(workers)), waiting_(waiting) {
  for (int64_t i = 0; i < workers; ++i) workers_.emplace_back([this] { serve(); });
}

BatchQueue::~BatchQueue() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  arrived_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

std::vector<Translation> BatchQueue::translate(Translator& translator,
                                               std::vector<std::string> lines,
                                               std::vector<std::string> prefixes,
                                               const TranslateOptions& options,
                                               const std::string& options_key) {
  const auto job = std::make_shared<Job>();
  job->translator = &translator;
  job->key = options_key;
  job->options = options;
  job->lines = std::move(lines);
  job->companions = std::move(prefixes);
  wait_for(job);
  return std::move(job->translations);
}

std::vector<Scored> BatchQueue::score(Translator& translator, std::vector<std::string> sources,
                                      std::vector<std::string> targets,
                                      const TranslateOptions& options) {
  const auto job = std::make_shared<Job>();
  job->translator = &translator;
  job->scores = true;
  job->options = options;
  job->lines = std::move(sources);
  job->companions = std::move(targets);
  wait_for(job);
  return std::move(job->scored);
}

void BatchQueue::run(std::function<void()> work) {
  const auto job = std::make_shared<Job>();
  job->work = std::move(work);
  wait_for(job);
}

void BatchQueue::wait_for(const std::shared_ptr<Job>& job) {
  std::future<void> done = job->done.get_future();
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= waiting_) throw Full{};
    jobs_.push_back(job);
  }
  arrived_.notify_one();
  done.get();
}

void BatchQueue::serve() {
  set_threads(1);  // a setting of each thread
  for (;;) {
    const Jobs jobs = take();
    if (jobs.empty()) return;
    compute(jobs);
  }
}

/// The oldest job and those behind it that can share its batch, as many as this worker's share.
BatchQueue::Jobs BatchQueue::take() {
  std::unique_lock lock(mutex_);
  arrived_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
  if (jobs_.empty()) return {};
  const size_t share = std::max(kLeastShare, (jobs_.size() + workers_count_ - 1) / workers_count_);
  Jobs taken{jobs_.front()};
  jobs_.pop_front();
  const Job& first = *taken.front();
  if (first.translator == nullptr) return taken;
  size_t sentences = first.lines.size();
  for (auto job = jobs_.begin(); job != jobs_.end() && taken.size() < share;) {
    const Job& next = **job;
    const bool fits = next.translator == first.translator && next.scores == first.scores &&
                      next.key == first.key && sentences + next.lines.size() <= kMostSentences;
    if (!fits) {
      ++job;
      continue;
    }
    sentences += next.lines.size();
    taken.push_back(*job);
    job = jobs_.erase(job);
  }
  return taken;
}

/// A request that makes its batch fail must not fail its batch mates.
void BatchQueue::compute(const Jobs& jobs) {
  try {
    compute_batch(jobs);
  } catch (...) {
    if (jobs.size() == 1) {
      jobs.front()->done.set_exception(std::current_exception());
    } else {
      for (const auto& job : jobs) compute({job});
    }
    return;
  }
  for (const auto& job : jobs) job->done.set_value();
}

void BatchQueue::compute_batch(const Jobs& jobs) {
  Job& first = *jobs.front();
  if (first.translator == nullptr) {
    first.work();
    return;
  }
  std::vector<std::string> lines, companions;
  for (const auto& job : jobs) {
    lines.insert(lines.end(), job->lines.begin(), job->lines.end());
    companions.insert(companions.end(), job->companions.begin(), job->companions.end());
  }
  const auto deal_out = [&](auto results, auto Job::*place) {
    auto next = std::make_move_iterator(results.begin());
    for (const auto& job : jobs) {
      const auto count = static_cast<std::ptrdiff_t>(job->lines.size());
      ((*job).*place).assign(next, next + count);
      next += count;
    }
  };
  if (first.scores)
    deal_out(first.translator->score(lines, companions, first.options), &Job::scored);
  else
    deal_out(first.translator->translate(lines, first.options, companions), &Job::translations);
}

}  // namespace softalign
