#include "app/signals.h"

#include <unistd.h>

#include <csignal>

namespace softalign {
namespace {

// A signal handler reaches only what is global and lock-free.
std::atomic<bool> graceful{false};
std::atomic<bool> stop_requested{false};
std::atomic<int> signal_number{0};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void handle(int signal) {
  if (!graceful || stop_requested) _exit(128 + signal);
  signal_number = signal;
  stop_requested = true;
}

}  // namespace

void watch_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  struct sigaction action = {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

GracefulStop::GracefulStop() { graceful = true; }
GracefulStop::~GracefulStop() {
  graceful = false;
  stop_requested = false;
}

const std::atomic<bool>& GracefulStop::stop() const { return stop_requested; }

void GracefulStop::throw_if_stopped() const {
  if (stop_requested) throw Interrupted{signal_number};
}

}  // namespace softalign
