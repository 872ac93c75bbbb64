#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

namespace softalign {

struct ServerOptions {
  std::vector<std::filesystem::path> models;  // one, or two to compare
  std::string host = "127.0.0.1";
  int port = 8080;      // 0: any free one
  int64_t threads = 0;  // that compute; 0: all cores
};

/// Serves the page and the JSON API until SIGINT or SIGTERM; then what was asked is still answered,
/// and Interrupted thrown. Throws Error where a model can't be loaded or the port can't be had.
/// Its address is the one line on `out`.
void serve(const ServerOptions& options, std::ostream& out);

}  // namespace softalign
