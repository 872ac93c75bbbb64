#include "app/training_record.h"

#include "data/file.h"

namespace softalign {
namespace {

using nlohmann::ordered_json;

constexpr size_t kMostReports = 1000;

ordered_json thinned_out(const ordered_json& reports) {
  if (reports.size() <= kMostReports) return reports;
  ordered_json kept = ordered_json::array();
  for (size_t k = 1; k <= kMostReports; ++k)
    kept.push_back(reports[k * reports.size() / kMostReports - 1]);  // the last one always
  return kept;
}

}  // namespace

ordered_json training_record(const std::filesystem::path& log) {
  if (!std::filesystem::exists(log)) return nullptr;
  ordered_json record{{"start", nullptr},
                      {"corpus", ordered_json::array()},
                      {"reports", ordered_json::array()},
                      {"validations", ordered_json::array()}};
  for (const std::string& line : read_lines(log)) {
    ordered_json entry = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!entry.is_object()) continue;
    const std::string type = entry.value("type", std::string());
    entry.erase("type");
    if (type == "start")
      record["start"] = std::move(entry);
    else if (type == "corpus")
      record["corpus"] = entry.value("summary", ordered_json::array());
    else if (type == "report")
      record["reports"].push_back(std::move(entry));
    else if (type == "validation")
      record["validations"].push_back(std::move(entry));
  }
  record["reports"] = thinned_out(record["reports"]);
  return record;
}

}  // namespace softalign
