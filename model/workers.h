#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace softalign {

/// Threads that work side by side, each with one thread inside LibTorch's operations. For products
/// as small as those of a recurrent step that is quicker than threads inside the operations, which
/// wait for each other thousands of times in one update, and it suffers less from other programs.
class Workers {
 public:
  explicit Workers(int64_t count);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  int64_t count() const { return static_cast<int64_t>(threads_.size()) + 1; }
  /// job(0) … job(count − 1), each on its own thread; job(0) on the calling one. Returns when all
  /// are done; then throws what the first of them threw.
  void run(const std::function<void(int64_t)>& job);

 private:
  void serve(int64_t worker);
  void attempt(int64_t worker);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int64_t)>* job_ = nullptr;
  int64_t round_ = 0, busy_ = 0;
  bool ends_ = false;
  std::vector<std::exception_ptr> errors_;
  std::vector<std::thread> threads_;
};

}  // namespace softalign
