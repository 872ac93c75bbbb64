#pragma once

#include <httplib.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/process.h"

namespace softalign {

/// `softalign serve` on a free port of this machine, as long as it lives.
class Served {
 public:
  explicit Served(std::vector<std::string> arguments);

  int port() const { return port_; }
  std::string address() const { return "http://127.0.0.1:" + std::to_string(port_); }
  RunningProcess& process() { return process_; }
  httplib::Client client() const;
  /// A bare connection, for clients that misbehave.
  int connect() const;

  httplib::Result post(const std::string& path, const std::string& body) const;
  /// The JSON of an answer that must be 200; throws std::runtime_error otherwise.
  nlohmann::json ask(const std::string& path, const nlohmann::json& request) const;
  nlohmann::json get(const std::string& path) const;

 private:
  RunningProcess process_;
  int port_ = 0;
};

}  // namespace softalign
