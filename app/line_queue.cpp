#include "app/line_queue.h"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>

#include "data/file.h"

namespace softalign {
namespace {

bool reads_regular_file(const std::filesystem::path& input) {
  struct stat status {};
  const int result = input == "-" ? fstat(STDIN_FILENO, &status) : stat(input.c_str(), &status);
  return result == 0 && S_ISREG(status.st_mode);
}

}  // namespace

class LineQueue::Lines {
 public:
  virtual ~Lines() = default;
  virtual std::vector<std::string> take(size_t most) = 0;
};

class LineQueue::FileLines : public LineQueue::Lines {
 public:
  explicit FileLines(const std::filesystem::path& input) : reader_(input) {}

  std::vector<std::string> take(size_t most) override {
    std::vector<std::string> lines;
    while (lines.size() < most) {
      std::optional<std::string> line = reader_.next();
      if (!line) break;
      lines.push_back(std::move(*line));
    }
    return lines;
  }

 private:
  LineReader reader_;
};

/// Read by a thread of its own, because only a blocking read can tell whether a line is complete.
class LineQueue::ArrivingLines : public LineQueue::Lines {
 public:
  explicit ArrivingLines(const std::filesystem::path& input) : shared_(std::make_shared<Shared>()) {
    // Nobody can call a thread back from read(), so it isn't joined: it owns all that it touches.
    std::thread(&ArrivingLines::read, shared_, LineReader(input)).detach();
  }
  ~ArrivingLines() override {
    const std::lock_guard lock(shared_->mutex);
    shared_->abandoned = true;
    shared_->changed.notify_all();
  }

  std::vector<std::string> take(size_t most) override {
    std::unique_lock lock(shared_->mutex);
    Shared& shared = *shared_;
    shared.changed.wait(lock, [&] { return !shared.lines.empty() || shared.ended; });
    // A fast writer's next lines are a moment away; a waiting one won't notice the moment.
    constexpr auto kMoment = std::chrono::milliseconds(2);
    shared.changed.wait_for(lock, kMoment,
                            [&] { return shared.lines.size() >= most || shared.ended; });
    std::vector<std::string> lines;
    while (!shared.lines.empty() && lines.size() < most) {
      lines.push_back(std::move(shared.lines.front()));
      shared.lines.pop_front();
      shared.bytes -= lines.back().size();
    }
    if (lines.empty() && shared.failure) std::rethrow_exception(shared.failure);
    shared.changed.notify_all();
    return lines;
  }

 private:
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> lines;
    size_t bytes = 0;
    bool ended = false, abandoned = false;
    std::exception_ptr failure;
  };

  static void read(const std::shared_ptr<Shared>& shared, LineReader reader) {
    constexpr size_t kMostLines = 10'000, kMostBytes = size_t{1} << 24;
    try {
      while (std::optional<std::string> line = reader.next()) {
        std::unique_lock lock(shared->mutex);
        shared->changed.wait(lock, [&] {
          return shared->abandoned || shared->lines.empty() ||
                 (shared->lines.size() < kMostLines && shared->bytes < kMostBytes);
        });
        if (shared->abandoned) return;
        shared->bytes += line->size();
        shared->lines.push_back(std::move(*line));
        shared->changed.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(shared->mutex);
      shared->failure = std::current_exception();
    }
    const std::lock_guard lock(shared->mutex);
    shared->ended = true;
    shared->changed.notify_all();
  }

  std::shared_ptr<Shared> shared_;
};

LineQueue::LineQueue(const std::filesystem::path& input) {
  if (reads_regular_file(input))
    lines_ = std::make_unique<FileLines>(input);
  else
    lines_ = std::make_unique<ArrivingLines>(input);
}
LineQueue::~LineQueue() = default;

std::vector<std::string> LineQueue::take(size_t most) { return lines_->take(most); }

}  // namespace softalign
