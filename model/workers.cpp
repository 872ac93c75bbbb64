#include "model/workers.h"

#include <ATen/Parallel.h>

#include <algorithm>

namespace softalign {

Workers::Workers(int64_t count) : errors_(static_cast<size_t>(std::max<int64_t>(count, 1))) {
  for (int64_t worker = 1; worker < count; ++worker)
    threads_.emplace_back([this, worker] { serve(worker); });
}

Workers::~Workers() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ends_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Workers::run(const std::function<void(int64_t)>& job) {
  if (threads_.empty()) return job(0);
  const int threads = at::get_num_threads();
  at::set_num_threads(1);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::fill(errors_.begin(), errors_.end(), nullptr);
    job_ = &job;
    busy_ = static_cast<int64_t>(threads_.size());
    ++round_;
  }
  wake_.notify_all();
  attempt(0);
  {
    std::unique_lock<std::mutex> lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }
  at::set_num_threads(threads);
  for (const std::exception_ptr& error : errors_)
    if (error) std::rethrow_exception(error);
}

void Workers::attempt(int64_t worker) {
  try {
    (*job_)(worker);
  } catch (...) {
    errors_[static_cast<size_t>(worker)] = std::current_exception();
  }
}

void Workers::serve(int64_t worker) {
  at::set_num_threads(1);
  for (int64_t seen = 0;;) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      wake_.wait(lock, [&] { return ends_ || round_ != seen; });
      if (ends_) return;
      seen = round_;
    }
    attempt(worker);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace softalign
