#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace softalign {

struct TrainOptions {
  std::filesystem::path config;
  std::filesystem::path output;        // empty: models/<config name> beside the config's folder
  std::vector<std::string> overrides;  // "key.sub=value"
  bool resume = false;
  bool force = false;
  bool list_keys = false;
  std::optional<int64_t> threads;
  std::optional<uint64_t> seed;
};

void add_train(CLI::App& app);

/// Trains the config's experiment into a model directory. `out` gets what --list-keys prints.
/// Throws Interrupted after a first SIGINT or SIGTERM, when the state for --resume is saved.
void run_train(const TrainOptions& options, std::ostream& out);

}  // namespace softalign
