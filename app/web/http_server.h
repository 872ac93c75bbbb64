#pragma once

#include <httplib.h>

#include <atomic>
#include <chrono>

namespace softalign {

/// httplib's server with connections that can't be held for ever: a client has `read_seconds` for
/// its whole request, however slowly it sends, and `write_seconds` to take the answer. One request
/// per connection, so that no idle one holds a thread.
class HttpServer : public httplib::Server {
 public:
  struct Patience {
    std::chrono::seconds read{10}, write{30};
    std::chrono::seconds linger{2};  // for the rest of a request that was refused unread
  };
  explicit HttpServer(const Patience& patience) : patience_(patience) {}

  /// After binding: lets so many clients wait to be accepted, where httplib lets five.
  void set_backlog(int clients);
  /// Stops listening; what was asked wholly is still answered, other requests are no longer waited
  /// for. From any thread.
  void end();

 private:
  bool process_and_close_socket(socket_t socket) override;

  Patience patience_;
  std::atomic<bool> ending_{false};
};

}  // namespace softalign
