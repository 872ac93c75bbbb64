#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <vector>

namespace CLI {
class App;
}

namespace softalign {

struct ScoreCommand {
  std::vector<std::filesystem::path> models;  // several: an ensemble
  std::filesystem::path source, target;
  bool json = false;
  std::optional<int64_t> threads;
};

void add_score(CLI::App& app);

/// One line per pair: the log-probability of the target, EOS included, natural logarithm; with
/// `json` {"log_prob", "tokens"}. Throws Error with both counts if they differ.
void run_score(const ScoreCommand& command, std::ostream& out);

}  // namespace softalign
