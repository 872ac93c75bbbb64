#pragma once

#include <filesystem>
#include <ostream>

namespace CLI {
class App;
}

namespace softalign {

struct InspectOptions {
  std::filesystem::path model;
  bool check = false;
  bool json = false;
};

void add_inspect(CLI::App& app);

/// Prints what a model directory holds; with `check`, proves on this very model that its files are
/// intact, that results don't depend on batch mates, that `score` equals the search's log_prob,
/// and that rows of weights sum to 1. Throws Error if a proof fails.
void run_inspect(const InspectOptions& options, std::ostream& out);

}  // namespace softalign
