#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lab/report.h"

namespace softalign {

/// The page of one experiment: complete in itself, in both languages (a switch shows one of them),
/// light and dark by the reader's preference. `others` are the experiments that it links to.
std::string render_page(const Report& report, const std::vector<Report>& others);
/// The page that links to all of them, with their verdicts.
std::string render_index(const std::vector<Report>& reports);

/// What a terminal shows of it: claim, tables and verdicts.
std::string render_terminal(const Report& report, Language language);

/// Writes NAME.html, and every table, plot and picture as a file of its own, into `folder`.
void write_report(const Report& report, const std::vector<Report>& others,
                  const std::filesystem::path& folder);

}  // namespace softalign
