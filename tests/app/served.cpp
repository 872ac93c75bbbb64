#include "tests/app/served.h"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <stdexcept>

namespace softalign {
namespace {

std::vector<std::string> with_defaults(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "serve");
  arguments.insert(arguments.end(), {"--port", "0", "--threads", "2"});
  return arguments;
}

nlohmann::json body_of(const httplib::Result& answer, const std::string& path) {
  if (!answer) throw std::runtime_error(path + ": no answer");
  if (answer->status != 200)
    throw std::runtime_error(path + ": " + std::to_string(answer->status) + " " + answer->body);
  return nlohmann::json::parse(answer->body);
}

}  // namespace

Served::Served(std::vector<std::string> arguments)
    : process_(softalign_binary(), with_defaults(std::move(arguments))) {
  const std::string address = process_.read_line(60);
  const size_t colon = address.rfind(':');
  if (colon == std::string::npos) throw std::runtime_error(process_.finish().err);
  port_ = std::stoi(address.substr(colon + 1));
}

httplib::Client Served::client() const {
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(60, 0);
  return client;
}

int Served::connect() const {
  const int connected = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_port = htons(static_cast<uint16_t>(port_));
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(connected, reinterpret_cast<const sockaddr*>(&place), sizeof place) != 0)
    throw std::runtime_error("no connection");
  return connected;
}

httplib::Result Served::post(const std::string& path, const std::string& body) const {
  return client().Post(path, body, "application/json");
}

nlohmann::json Served::ask(const std::string& path, const nlohmann::json& request) const {
  return body_of(post(path, request.dump()), path);
}

nlohmann::json Served::get(const std::string& path) const {
  return body_of(client().Get(path), path);
}

}  // namespace softalign
