#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

namespace softalign {

/// What log.jsonl tells of a training: {"start", "corpus": [lines], "reports": […], "validations":
/// […]}, each as it was logged and in order; reports are thinned out to about a thousand. Null
/// without a log. A line that a kill has cut off is left out.
nlohmann::ordered_json training_record(const std::filesystem::path& log);

}  // namespace softalign
