#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

/// The JSON island of a report.
Json data_of(const std::string& report) {
  const std::string begin = "id=\"data\">";
  const size_t from = report.find(begin) + begin.size();
  return Json::parse(report.substr(from, report.find("</script>", from) - from));
}

TEST(Report, HoldsCurvesSamplesCorpusConfigAndCommands) {
  const std::string report = read_text(tiny_model() / "report.html");
  const Json data = data_of(report);
  const Json& training = data["training"];
  EXPECT_GT(training["reports"].size(), 1U);
  EXPECT_GT(training["validations"].size(), 1U);
  EXPECT_FALSE(training["corpus"].empty());
  for (const Json& validation : training["validations"]) {
    ASSERT_FALSE(validation["samples"].empty());
    for (const Json& sample : validation["samples"]) {
      ASSERT_EQ(sample["attention"].size(), sample["target_labels"].size());
      for (const Json& row : sample["attention"])
        EXPECT_EQ(row.size(), sample["source_labels"].size());
    }
  }
  EXPECT_EQ(data["settings"]["model.attention.score"], "general");
  EXPECT_NE(data["commands"][0].get<std::string>().find("softalign translate"), std::string::npos);
  EXPECT_EQ(report.find("http://"), report.find("http://www.w3.org/2000/svg"));  // a name, no link
  EXPECT_EQ(report.find("https://"), std::string::npos);
  EXPECT_EQ(report.find("\nimport "), std::string::npos);
}

TEST(Report, S39_TextOfTheCorpusStaysText) {
  const TempDir folder;
  const fs::path config = write_toy_experiment(
      folder.path(), 20, "  max_steps: 2\n  validate_every: 1\n  neighbours: 50\n");
  write_text(folder / "valid.src", "</script><script>alert(1)</script>\n");
  write_text(folder / "valid.tgt", "<b>\n");
  const fs::path model = folder / "model";
  const ProcessResult result =
      run_softalign({"train", config.string(), "--output", model.string(), "--threads", "1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string report = read_text(model / "report.html");
  EXPECT_EQ(report.find("<script>alert"), std::string::npos);
  EXPECT_EQ(data_of(report)["training"]["validations"][0]["samples"][0]["reference"], "<b>");
}

TEST(NeighboursKey, SaysHowManyStatesAreKept) {
  const TempDir folder;
  const fs::path config = write_toy_experiment(folder.path(), 40, "  max_steps: 2\n");
  const auto train = [&](const std::string& count) {
    const fs::path model = folder / ("model" + count);
    const ProcessResult result =
        run_softalign({"train", config.string(), "--output", model.string(), "--threads", "1",
                       "--set", "training.neighbours=" + count});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return model / "neighbours";
  };
  EXPECT_FALSE(fs::exists(train("0")));
  const fs::path few = train("30");
  EXPECT_TRUE(fs::exists(few / "states.safetensors"));
  const std::string sentences = read_text(few / "sentences.tsv");
  const auto count = std::count(sentences.begin(), sentences.end(), '\n');
  EXPECT_GT(count, 2);
  EXPECT_LT(count, 15);
}

}  // namespace
}  // namespace softalign
