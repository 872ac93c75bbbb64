#include "app/training_report.h"

#include <sys/utsname.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "app/blas.h"
#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "app/training_record.h"
#include "app/version.h"
#include "app/web/pages.h"
#include "data/file.h"

namespace softalign {
namespace {

using nlohmann::ordered_json;

ordered_json environment(const ReportFacts& facts) {
  utsname system{};
  uname(&system);
  return {{"softalign", kVersion},
          {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
          {"blas", loaded_blas().name},
          {"threads", facts.threads}};
}

std::string data_of(const ModelDirectory& directory, const ReportFacts& facts) {
  ordered_json settings = ordered_json::object();
  for (const auto& [key, value] : flat_values(facts.config)) {
    const bool is_file = key.rfind("corpus.train", 0) == 0 || key.rfind("corpus.valid", 0) == 0;
    if (!is_file) settings[key] = value;  // where they lay on this machine is nobody's business
  }
  const ordered_json data{{"name", facts.config.name},
                          {"parameters", facts.parameters},
                          {"settings", settings},
                          {"training", training_record(directory.log())},
                          {"environment", environment(facts)},
                          {"commands", facts.commands}};
  return json_for_script(data.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

/// A script whose imports stand before it in the same module.
std::string without_imports(std::string_view script) {
  std::string kept;
  while (!script.empty()) {
    const size_t end = std::min(script.find('\n'), script.size() - 1) + 1;
    if (script.rfind("import ", 0) != 0) kept += script.substr(0, end);
    script.remove_prefix(end);
  }
  return kept;
}

}  // namespace

std::string render_report(const ModelDirectory& directory, const ReportFacts& facts) {
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n<title>";
  page += escape_markup(facts.config.name) + ": training report</title>\n<style>\n";
  page += page_file("theme.css");
  page += page_file("report.css");
  page += "</style>\n</head>\n<body>\n<main id=\"report\"></main>\n";
  page += "<script type=\"application/json\" id=\"data\">";
  page += data_of(directory, facts);
  page += "</script>\n<script type=\"module\">\n";
  for (const char* script : {"chart.js", "curves.js", "grid.js", "report.js"})
    page += without_imports(page_file(script));
  page += "</script>\n</body>\n</html>\n";
  return page;
}

void write_report(const ModelDirectory& directory, const ReportFacts& facts) {
  write_atomically(directory.report(), render_report(directory, facts));
}

}  // namespace softalign
