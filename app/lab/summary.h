#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/lab/report.h"

namespace softalign {

/// What the index needs of a report, and what other programs may want: title, claim and verdicts.
std::string summary_json(const Report& report);

/// The summaries NAME.json of earlier runs in `folder`, in the order of `names`; what can't be read
/// is left out. Only what summary_json writes is filled.
std::vector<Report> read_summaries(const std::filesystem::path& folder,
                                   const std::vector<std::string>& names);

}  // namespace softalign
