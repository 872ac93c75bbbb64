#pragma once

#include <string>
#include <vector>

#include "app/config/experiment.h"
#include "app/model_directory.h"

namespace softalign {

/// What the report says beside the log.
struct ReportFacts {
  ExperimentConfig config;
  int64_t parameters = 0;
  int64_t threads = 0;
  std::vector<std::string> commands;  // to go on with
};

/// report.html: curves, sample translations with their attention at every validation, the corpus,
/// the config, the environment. One self-contained page that needs no server and fetches nothing.
std::string render_report(const ModelDirectory& directory, const ReportFacts& facts);

/// Writes it into the model directory, whole or not at all.
void write_report(const ModelDirectory& directory, const ReportFacts& facts);

}  // namespace softalign
