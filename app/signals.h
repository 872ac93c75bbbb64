#pragma once

#include <atomic>

namespace softalign {

/// SIGINT and SIGTERM end the process at once with 130 or 143, and a closed pipe becomes an error
/// of the write (SIGPIPE is ignored). Called once, first in main.
void watch_signals();

/// While one lives, the first SIGINT or SIGTERM sets `stop`, so that work can be finished and
/// saved; the second one ends the process at once. For one command at a time.
class GracefulStop {
 public:
  GracefulStop();
  ~GracefulStop();
  GracefulStop(const GracefulStop&) = delete;
  GracefulStop& operator=(const GracefulStop&) = delete;

  const std::atomic<bool>& stop() const;
  /// Throws Interrupted if a signal came; call it when everything is saved.
  void throw_if_stopped() const;
};

/// Not an error: main exits with 128 + signal, and says nothing.
struct Interrupted {
  int signal;
};

}  // namespace softalign
