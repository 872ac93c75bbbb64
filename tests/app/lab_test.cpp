#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

ProcessResult run_lab(const fs::path& output, const std::string& experiment,
                      std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"lab", experiment, "--quick",      "--threads",
                                     "1",   "--output", output.string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_softalign(arguments);
}

/// Trainings that take about a second each.
const std::vector<std::string> kTiny{"--sentences", "300", "--epochs", "1", "--width", "16"};

bool is_confirmed(const fs::path& summary, const std::string& verdict) {
  const auto json = nlohmann::json::parse(read_text(summary));
  for (const auto& entry : json["verdicts"])
    if (entry["name"] == verdict) return entry["confirmed"];
  throw std::runtime_error(verdict + " is not in " + summary.string());
}

/// The files of one experiment that no time is measured for.
std::map<std::string, std::string> steady_tables(const fs::path& folder) {
  std::map<std::string, std::string> tables;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".csv") continue;
    const std::string text = read_text(entry.path());
    if (!contains(text.substr(0, text.find('\n')), "_measured"))
      tables[entry.path().filename()] = text;
  }
  return tables;
}

TEST(Lab, ListsItsExperiments) {
  const ProcessResult result = run_softalign({"lab"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  for (const std::string name :
       {"variance", "saturation", "bottleneck", "scores", "self-attention", "alignment", "by-hand"})
    EXPECT_TRUE(contains(result.out, "\n" + name + " ") || result.out.rfind(name + " ", 0) == 0)
        << name;
}

TEST(Lab, VarianceIsWhatTheTheorySays) {
  const TempDir folder;
  const ProcessResult result = run_lab(folder / "lab", "variance", {"--largest-d", "256"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(is_confirmed(folder / "lab/variance.json", "variance_slope"));
  EXPECT_TRUE(is_confirmed(folder / "lab/variance.json", "scaled_variance"));
  for (const std::string file :
       {"index.html", "variance.html", "variance.csv", "variance.svg", "variance.zh.svg"})
    EXPECT_TRUE(fs::is_regular_file(folder / ("lab/" + file))) << file;
  EXPECT_TRUE(contains(result.out, "confirmed: The variance of s·h is d."));
  EXPECT_TRUE(contains(read_text(folder / "lab/index.html"), "variance.html"));
}

TEST(Lab, ATrainedModelsOwnVectorsAreLookedAt) {
  const TempDir folder;
  const ProcessResult result =
      run_lab(folder / "lab", "variance", {"--largest-d", "4", "--model", tiny_model().string()});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(read_text(folder / "lab/variance-trained.csv"), "quantity,value\n"));
}

TEST(Lab, OneSeedOneResult) {
  const TempDir folder;
  const std::vector<std::string> small{"--largest-d", "64", "--samples", "200"};
  const auto with_seed = [&](const std::string& name, const std::string& seed) {
    std::vector<std::string> arguments = small;
    arguments.insert(arguments.end(), {"--seed", seed});
    EXPECT_EQ(run_lab(folder / name, "variance", arguments).exit_code, 0);
    return steady_tables(folder / name);
  };
  const auto first = with_seed("first", "1");
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(with_seed("again", "1"), first);
  EXPECT_NE(with_seed("other", "2"), first);
}

TEST(Lab, ByHandTakesOnesOwnNumbers) {
  const TempDir folder;
  const ProcessResult result =
      run_lab(folder / "lab", "by-hand", {"--query", "1,2,0", "--keys", "1,0,0;0,1,1"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(is_confirmed(folder / "lab/by-hand.json", "by_hand"));
  const std::string page = read_text(folder / "lab/by-hand.html");
  // The command that makes the page again.
  EXPECT_TRUE(contains(page, "--query 1,2,0 --keys &#39;1,0,0;0,1,1&#39;"));
  EXPECT_TRUE(contains(page, "<a href=\"#scores.cpp-L"));  // every line has its code
  EXPECT_FALSE(contains(page, "-L0\""));
}

// bottleneck, scores, self-attention and alignment share their models; the second run of one takes
// those of the first and comes to the same.
TEST(Lab, TrainsOnceAndComesToTheSameAgain) {
  const TempDir folder;
  const fs::path lab = folder / "lab";
  const ProcessResult first = run_lab(lab, "alignment", kTiny);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(contains(first.err, "training general"));
  const auto tables = steady_tables(lab);
  EXPECT_TRUE(contains(tables.at("alignment.csv"), "additive,"));
  for (const std::string file : {"best.safetensors", "config.yaml", "source.spm", "lab.json"})
    EXPECT_TRUE(fs::is_regular_file(lab / "models/general" / file)) << file;

  const ProcessResult again = run_lab(lab, "alignment", kTiny);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_FALSE(contains(again.err, "training general"));
  EXPECT_EQ(steady_tables(lab), tables);
  std::vector<std::string> anew = kTiny;
  anew.emplace_back("--retrain");
  const ProcessResult retrained = run_lab(lab, "alignment", anew);
  EXPECT_TRUE(contains(retrained.err, "training general"));
  EXPECT_EQ(steady_tables(lab), tables);
}

TEST(Lab, ThoseThatTrainRunToTheirEnd) {
  const TempDir folder;
  std::vector<std::string> bottleneck = kTiny;
  bottleneck.insert(bottleneck.end(), {"--steps", "30"});
  std::vector<std::string> saturation = bottleneck;
  saturation.insert(saturation.end(),
                    {"--largest-d", "64", "--largest-width", "32", "--samples", "50"});
  std::vector<std::string> small = kTiny;
  small.insert(small.end(), {"--largest-d", "32"});
  std::vector<std::string> self_attention = small;
  self_attention.insert(self_attention.end(), {"--largest-n", "128", "--samples", "50"});
  for (const auto& [name, arguments] :
       std::map<std::string, std::vector<std::string>>{{"bottleneck", bottleneck},
                                                       {"saturation", saturation},
                                                       {"scores", small},
                                                       {"self-attention", self_attention}}) {
    const ProcessResult result = run_lab(folder / "lab", name, arguments);
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.err;
    EXPECT_TRUE(fs::is_regular_file(folder / ("lab/" + name + ".html"))) << name;
    EXPECT_TRUE(contains(result.out, "onfirmed: ") || contains(result.out, "CONFIRMED: ")) << name;
  }
  const std::string index = read_text(folder / "lab/index.html");
  for (const std::string name : {"bottleneck", "saturation", "scores", "self-attention"})
    EXPECT_TRUE(contains(index, "href=\"" + name + ".html\"")) << name;
}

TEST(Lab, SaysWhatIsWrong) {
  const TempDir folder;
  const std::string output = (folder / "lab").string();
  const auto fails = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const ProcessResult result = run_softalign(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_TRUE(contains(result.err, message)) << result.err;
  };
  fails({"lab", "varianse"}, "varianse");
  fails({"lab", "by-hand", "--query", "1,x", "--output", output}, "\"x\" is not a number");
  fails({"lab", "by-hand", "--query", "1,2", "--keys", "1,2,3", "--output", output}, "a key 3");
  fails({"lab", "variance", "--samples", "-1"}, "--samples");
  fails({"lab", "bottleneck", "--test-source", tiny_experiment() / "valid.src", "--output", output},
        "belong together");
  fails({"lab", "variance", "--model", output + "/nowhere", "--quick", "--largest-d", "4",
         "--output", output},
        "no such model directory");
  write_text(folder / "file", "");
  fails({"lab", "variance", "--output", (folder / "file").string()}, "is a file");
  EXPECT_FALSE(fs::exists(folder / "lab/variance.html"));
}

TEST(Diagnostics, AreInTheLogWhereTheyAreAskedFor) {
  const TempDir folder;
  const auto config =
      write_toy_experiment(folder.path(), 60, "  max_steps: 4\n  report_every: 2\n");
  const auto attention = [&](const std::string& diagnostics, const std::string& feeding) {
    const fs::path model = folder / (diagnostics + feeding);
    const ProcessResult result =
        run_softalign({"train", config.string(), "--output", model.string(), "--threads", "1",
                       "--set", "training.diagnostics=" + diagnostics, "--set",
                       "model.attention.input_feeding=" + feeding});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<nlohmann::json> found;
    std::vector<double> losses;
    std::istringstream lines(read_text(model / "log.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const auto record = nlohmann::json::parse(line);
      if (record["type"] != "report") continue;
      losses.push_back(record["loss"]);
      if (record.contains("attention")) found.push_back(record["attention"]);
    }
    return std::make_pair(found, losses);
  };
  const auto [without, losses] = attention("false", "false");
  EXPECT_TRUE(without.empty());
  for (const std::string feeding : {"false", "true"}) {
    const auto [with, seen_losses] = attention("true", feeding);
    if (feeding == "false") {
      EXPECT_EQ(seen_losses, losses);  // looking changes nothing
    }
    ASSERT_EQ(with.size(), 2u) << "input_feeding: " << feeding;
    for (const auto& record : with) {
      EXPECT_GT(record["score_variance"], 0);
      EXPECT_GT(record["row_variance"], 0);
      EXPECT_GT(record["entropy"], 0);
      EXPECT_GT(record["gradient_norm"], 0);
      EXPECT_GE(record["saturated"], 0);
      EXPECT_LE(record["saturated"], 1);
    }
  }
}

}  // namespace
}  // namespace softalign
