#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "app/lab/options.h"

namespace CLI {
class App;
}

namespace softalign {

void add_lab(CLI::App& app);

/// Runs these experiments, in the order of the pages, and writes pages, tables and pictures into
/// options.output; a table and the verdicts of each go to `out`. Throws Error where options don't
/// go together.
void run_lab(const LabOptions& options, const std::vector<std::string>& experiments,
             std::ostream& out);

}  // namespace softalign
