#include "app/web/server.h"

#include <arpa/inet.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <thread>

#include "app/signals.h"
#include "app/standard_output.h"
#include "app/threads.h"
#include "app/web/api.h"
#include "app/web/http_server.h"
#include "app/web/limits.h"
#include "app/web/pages.h"
#include "data/error.h"

namespace softalign {
namespace {

using httplib::Request;
using httplib::Response;

constexpr const char* kJson = "application/json; charset=utf-8";

// Everything comes from this server, and no script or style stands in the page itself.
constexpr const char* kContentSecurityPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

void answer(Response& response, int status, const std::string& bytes) {
  response.status = status;
  response.set_content(bytes, kJson);
}

void answer_error(Response& response, int status, const std::string& message) {
  answer(response, status, to_bytes({{"error", {{"status", status}, {"message", message}}}}));
}

std::string media_type(std::string_view name) {
  const std::string_view ending = name.substr(name.rfind('.') + 1);
  if (ending == "html") return "text/html; charset=utf-8";
  if (ending == "css") return "text/css; charset=utf-8";
  if (ending == "js") return "text/javascript; charset=utf-8";
  if (ending == "svg") return "image/svg+xml";
  return kJson;
}

/// "name" of "name:port" or "[::1]:port".
std::string host_name(const std::string& host) {
  if (!host.empty() && host.front() == '[') return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_address(const std::string& name) {
  in6_addr ignored;
  if (name.size() > 2 && name.front() == '[')
    return inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), &ignored) == 1;
  return inet_pton(AF_INET, name.c_str(), &ignored) == 1;
}

/// A page of another origin reaches us only under a name that its owner can point here (DNS
/// rebinding), or with its own Origin. So names other than localhost and --host are refused, and
/// so are foreign origins. Numeric addresses can't be pointed elsewhere.
bool is_our_host(const std::string& host, const std::string& bound) {
  const std::string name = host_name(host);
  return name == "localhost" || name == bound || is_address(name);
}

struct Refusal {
  int status;
  std::string message;
};

using Handler = std::function<std::string(const std::string& body)>;

/// The routes of the server: path → method → handler.
struct Route {
  std::string method;
  Handler handler;
  std::string type = kJson;
};
using Routes = std::map<std::string, Route>;

Routes make_routes(Api& api) {
  Routes routes;
  routes["/translate"] = {"POST", [&api](const std::string& body) { return api.translate(body); }};
  routes["/attention"] = {"POST", [&api](const std::string& body) { return api.attention(body); }};
  routes["/score"] = {"POST", [&api](const std::string& body) { return api.score(body); }};
  routes["/step"] = {"POST", [&api](const std::string& body) { return api.step(body); }};
  routes["/beam"] = {"POST", [&api](const std::string& body) { return api.beam(body); }};
  routes["/neighbours"] = {"POST",
                           [&api](const std::string& body) { return api.neighbours(body); }};
  routes["/model"] = {"GET", [&api](const std::string&) { return api.model(); }};
  routes["/health"] = {"GET", [&api](const std::string&) { return api.health(); }};
  for (const PageFile& file : page_files()) {
    const std::string path = file.name == "index.html" ? "/" : "/" + std::string(file.name);
    routes[path] = {"GET", [bytes = file.bytes](const std::string&) { return std::string(bytes); },
                    media_type(file.name)};
  }
  return routes;
}

/// What is wrong with a request before its body is read, if anything.
std::optional<Refusal> refusal(const Request& request, const Routes& routes,
                               const std::string& bound, Response& response) {
  const std::string host = request.get_header_value("Host");
  if (!is_our_host(host, bound))
    return Refusal{403, "this server answers only under localhost, its --host or an address"};
  if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host)
    return Refusal{403, "pages of other origins may not use this server"};
  const auto route = routes.find(request.path);
  if (route == routes.end()) return Refusal{404, "there is nothing under this path"};
  const std::string& method = route->second.method;
  const bool head = method == "GET" && request.method == "HEAD";
  if (request.method != method && !head) {
    response.set_header("Allow", method == "GET" ? "GET, HEAD" : method);
    return Refusal{405, "this path understands " + method + " only"};
  }
  if (request.has_header("Transfer-Encoding"))
    return Refusal{411, "a body needs its Content-Length; chunks are not read"};
  if (method == "GET") {
    if (request.has_header("Content-Length") && request.get_header_value("Content-Length") != "0")
      return Refusal{400, "a GET has no body"};
    return std::nullopt;
  }
  if (request.has_header("Content-Encoding")) return Refusal{415, "compressed bodies are not read"};
  const std::string type = request.get_header_value("Content-Type");
  if (!type.empty() && type.substr(0, type.find(';')) != "application/json")
    return Refusal{415, "the body must be application/json"};
  if (type.empty() && request.has_header("Origin"))
    return Refusal{415, "the body must be application/json"};
  const std::string length = request.get_header_value("Content-Length");
  if (length.empty()) return Refusal{411, "a body needs its Content-Length"};
  if (length.find_first_not_of("0123456789") != std::string::npos)
    return Refusal{400, "Content-Length is not a number"};
  if (length.size() > 9 || std::stoul(length) > kMostBodyBytes)
    return Refusal{413, "the body is larger than " + std::to_string(kMostBodyBytes) + " bytes"};
  return std::nullopt;
}

void run(const Route& route, const Request& request, Response& response) {
  try {
    response.status = 200;
    response.set_content(route.handler(request.body), route.type.c_str());
  } catch (const HttpError& error) {
    answer_error(response, error.status, error.message);
  } catch (const BatchQueue::Full&) {
    response.set_header("Retry-After", "1");
    answer_error(response, 503, "too many requests wait already: try again later");
  } catch (const std::exception& error) {
    spdlog::error("{}: {}", request.path, error.what());
    answer_error(response, 500, "this request failed inside; the log says more");
  }
}

/// `--host` as it stands in a URL.
std::string in_url(const std::string& host) {
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

void set_up(HttpServer& server, const Routes& routes, const std::string& bound) {
  server.new_task_queue = [] { return new httplib::ThreadPool(kConnections); };
  // httplib's default lets two servers share a port.
  server.set_socket_options([](socket_t socket) {
    const int on = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  });
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(kMostBodyBytes);
  server.set_default_headers({{"Content-Security-Policy", kContentSecurityPolicy},
                              {"X-Content-Type-Options", "nosniff"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Cross-Origin-Opener-Policy", "same-origin"},
                              {"Referrer-Policy", "no-referrer"},
                              {"Cache-Control", "no-store"}});
  server.set_pre_routing_handler([&routes, bound](const Request& request, Response& response) {
    const auto refused = refusal(request, routes, bound, response);
    if (!refused) return httplib::Server::HandlerResponse::Unhandled;
    answer_error(response, refused->status, refused->message);
    return httplib::Server::HandlerResponse::Handled;
  });
  server.set_expect_100_continue_handler(
      [&routes, bound](const Request& request, Response& response) {
        const auto refused = refusal(request, routes, bound, response);
        if (!refused) return 100;
        answer_error(response, refused->status, refused->message);
        return refused->status;
      });
  server.set_error_handler([](const Request&, Response& response) {
    if (response.body.empty())
      answer_error(response, response.status, "this is not a request that can be understood");
  });
  server.set_logger([](const Request& request, const Response& response) {
    spdlog::debug("{} {} {}", request.method, request.path, response.status);
  });
  for (const auto& [path, route] : routes) {
    const auto handler = [&route = route](const Request& request, Response& response) {
      run(route, request, response);
    };
    // A pattern is a regular expression.
    std::string pattern;
    for (const char c : path) pattern += c == '.' ? "\\." : std::string(1, c);
    if (route.method == "GET")
      server.Get(pattern, handler);
    else
      server.Post(pattern, handler);
  }
}

/// Binds; returns the port.
int bind(HttpServer& server, const ServerOptions& options) {
  errno = 0;
  const int port = options.port == 0 ? server.bind_to_any_port(options.host)
                   : server.bind_to_port(options.host, options.port) ? options.port
                                                                     : -1;
  if (port > 0) return port;
  const std::string where = in_url(options.host) + ":" + std::to_string(options.port);
  if (errno == EADDRINUSE)
    throw Error(where + " is in use by another program: choose another port with --port");
  if (errno == EACCES)
    throw Error(where + ": this port needs more rights: choose one from 1024 on with --port");
  throw Error(where + " can't be listened on (" +
              (errno == EADDRNOTAVAIL ? "not an address of this machine" : "no such host") +
              "): check --host and --port");
}

}  // namespace

void serve(const ServerOptions& options, std::ostream& out) {
  set_threads(1);  // requests are spread over workers, not each over threads
  const GracefulStop signals;
  std::vector<ServedModel> models;
  for (const auto& directory : options.models) models.push_back(load_served_model(directory));
  Api api(std::move(models), options.threads > 0 ? options.threads : available_cores());
  const Routes routes = make_routes(api);
  HttpServer server({});
  set_up(server, routes, options.host);
  const int port = bind(server, options);
  server.set_backlog(kBacklog);
  const std::string address = "http://" + in_url(options.host) + ":" + std::to_string(port);
  out << address << '\n';
  flush_results(out);
  spdlog::info("open {} in a browser; Ctrl-C ends the server", address);
  std::atomic<bool> ended{false};
  std::thread watcher([&] {
    while (!signals.stop() && !ended) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    while (!server.is_running() && !ended)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    server.end();
  });
  server.listen_after_bind();
  ended = true;
  watcher.join();
  signals.throw_if_stopped();
}

}  // namespace softalign
