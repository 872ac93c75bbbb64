#include "app/web/http_server.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace softalign {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{100};  // between two looks at the end of the server

/// True if the socket is ready for `events` before `deadline`.
bool wait_for(int socket, short events, Clock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd entry{socket, events, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0;
  }
}

/// A socket that is read and written until a deadline each. The functions without `override` are
/// virtual in some versions of httplib only.
class DeadlineStream : public httplib::Stream {
 public:
  DeadlineStream(int socket, const HttpServer::Patience& patience, const std::atomic<bool>& ending)
      : socket_(socket),
        patience_(patience),
        ending_(ending),
        read_until_(Clock::now() + patience.read) {}

  bool is_readable() const override {
    return begin_ < end_ || wait_for(socket_, POLLIN, Clock::now());
  }
  bool is_writable() const override {
    return wait_for(socket_, POLLOUT, Clock::now() + patience_.write);
  }
  bool wait_readable() const { return begin_ < end_ || wait_for(socket_, POLLIN, read_until_); }
  bool wait_writable() const { return is_writable(); }
  time_t duration() const { return 0; }

  ssize_t read(char* bytes, size_t size) override {
    if (begin_ == end_) {
      if (!wait_for_bytes()) return -1;
      const ssize_t received = recv(socket_, buffer_.data(), buffer_.size(), 0);
      if (received <= 0) return received;
      begin_ = 0;
      end_ = static_cast<size_t>(received);
    }
    const size_t taken = std::min(size, end_ - begin_);
    std::copy_n(buffer_.data() + begin_, taken, bytes);
    begin_ += taken;
    return static_cast<ssize_t>(taken);
  }

  ssize_t write(const char* bytes, size_t size) override {
    if (write_until_ == Clock::time_point{}) write_until_ = Clock::now() + patience_.write;
    if (!wait_for(socket_, POLLOUT, write_until_)) return -1;
    // Without MSG_DONTWAIT a client that reads slowly would hold us beyond the deadline.
    return send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  using httplib::Stream::write;

  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();
    port = 0;
  }
  socket_t socket() const override { return socket_; }

 private:
  /// Until the deadline, or until nothing has come for a moment while the server ends.
  bool wait_for_bytes() const {
    while (Clock::now() < read_until_) {
      if (wait_for(socket_, POLLIN, std::min(read_until_, Clock::now() + kSlice))) return true;
      if (ending_) return false;
    }
    return false;
  }

  int socket_;
  const HttpServer::Patience& patience_;
  const std::atomic<bool>& ending_;
  Clock::time_point read_until_, write_until_{};
  std::array<char, 16384> buffer_{};
  size_t begin_ = 0, end_ = 0;
};

using Setup = std::function<void(httplib::Request&)>;

// httplib up to 0.15, and from 0.16 on.
template <typename Server>
bool process(Server& server, DeadlineStream& stream, bool& closed,
             bool (Server::*function)(httplib::Stream&, bool, bool&, const Setup&)) {
  return (server.*function)(stream, /*close_connection=*/true, closed, nullptr);
}
template <typename Server>
bool process(Server& server, DeadlineStream& stream, bool& closed,
             bool (Server::*function)(httplib::Stream&, const std::string&, int, const std::string&,
                                      int, bool, bool&, const Setup&)) {
  return (server.*function)(stream, "", 0, "", 0, /*close_connection=*/true, closed, nullptr);
}

/// Closing a socket with unread bytes resets the connection, and the client may never see the
/// answer. So what it still sends is read and forgotten, for a while.
void close_gently(int socket, std::chrono::seconds linger, const std::atomic<bool>& ending) {
  shutdown(socket, SHUT_WR);
  const auto deadline = Clock::now() + linger;
  std::array<char, 65536> rest;
  while (Clock::now() < deadline) {
    if (!wait_for(socket, POLLIN, std::min(deadline, Clock::now() + kSlice))) {
      if (ending) break;
      continue;
    }
    if (recv(socket, rest.data(), rest.size(), 0) <= 0) break;
  }
  close(socket);
}

}  // namespace

void HttpServer::set_backlog(int clients) { ::listen(svr_sock_, clients); }

void HttpServer::end() {
  ending_ = true;
  stop();
}

bool HttpServer::process_and_close_socket(socket_t socket) {
  bool good = false, closed = false;
  try {
    DeadlineStream stream(socket, patience_, ending_);
    good = process<httplib::Server>(*this, stream, closed, &HttpServer::process_request);
  } catch (...) {  // one connection's end must not be the server's
  }
  close_gently(socket, patience_.linger, ending_);
  return good;
}

}  // namespace softalign
