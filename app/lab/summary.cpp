#include "app/lab/summary.h"

#include <nlohmann/json.hpp>

#include "data/file.h"

namespace softalign {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Text& text) { return {{"en", text.en}, {"zh", text.zh}}; }

Text to_text(const Json& json) {
  return {json.at("en").get<std::string>(), json.at("zh").get<std::string>()};
}

Report to_report(const Json& json) {
  Report report;
  report.name = json.at("name").get<std::string>();
  report.number = json.at("number").get<size_t>();
  report.title = to_text(json.at("title"));
  report.claim = to_text(json.at("claim"));
  for (const Json& verdict : json.at("verdicts"))
    report.verdicts.push_back({verdict.at("name").get<std::string>(),
                               to_text(verdict.at("statement")),
                               verdict.at("confirmed").get<bool>(), to_text(verdict.at("words"))});
  report.seconds = json.at("seconds_measured").get<double>();
  return report;
}

}  // namespace

std::string summary_json(const Report& report) {
  Json json{{"name", report.name},
            {"number", report.number},
            {"title", to_json(report.title)},
            {"claim", to_json(report.claim)},
            {"command", report.command},
            {"seconds_measured", report.seconds},
            {"verdicts", Json::array()}};
  for (const Verdict& verdict : report.verdicts)
    json["verdicts"].push_back({{"name", verdict.name},
                                {"confirmed", verdict.confirmed},
                                {"statement", to_json(verdict.statement)},
                                {"words", to_json(verdict.words)}});
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<Report> read_summaries(const std::filesystem::path& folder,
                                   const std::vector<std::string>& names) {
  std::vector<Report> reports;
  for (const std::string& name : names) {
    const auto file = folder / (name + ".json");
    if (!std::filesystem::exists(file)) continue;
    try {
      reports.push_back(to_report(Json::parse(read_bytes(file))));
    } catch (const Json::exception&) {
      continue;  // another program's file, or cut off
    }
  }
  return reports;
}

}  // namespace softalign
