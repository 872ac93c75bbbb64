#include <gtest/gtest.h>

#include <csignal>
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

ProcessResult run_train(const fs::path& config, const fs::path& output,
                        std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"train",         config.string(), "--output",
                                     output.string(), "--threads",     "1"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_softalign(arguments);
}

/// {step, loss} of every report.
std::vector<std::pair<int64_t, double>> losses(const fs::path& model) {
  std::vector<std::pair<int64_t, double>> values;
  std::istringstream lines(read_text(model / "log.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record["type"] == "report") values.emplace_back(record["step"], record["loss"]);
  }
  return values;
}

class Train : public testing::Test {
 protected:
  TempDir folder_;
  const fs::path model_ = folder_ / "model";

  fs::path experiment(const std::string& training, size_t pairs = 100) {
    return write_toy_experiment(folder_.path(), pairs, training);
  }
};

TEST_F(Train, LeavesAModelDirectory) {
  for (const std::string file :
       {"config.yaml", "source.spm", "target.spm", "best.safetensors", "log.jsonl"})
    EXPECT_TRUE(fs::is_regular_file(tiny_model() / file)) << file;
  EXPECT_TRUE(fs::is_directory(tiny_model() / "last"));
}

TEST_F(Train, DefaultOutputIsBesideTheConfigsFolder) {
  fs::create_directories(folder_ / "configs");
  const auto config = write_toy_experiment(folder_ / "configs", 30, "  max_steps: 1\n");
  const auto result = run_softalign({"train", config.string(), "--threads", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(fs::exists(folder_ / "models" / "toy" / "best.safetensors"));
}

TEST_F(Train, ReportsTheCorpusFirst) {
  const auto result = run_train(experiment("  max_steps: 25\n"), model_);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  for (const std::string part : {"100 pairs of 100 lines", "unknown tokens", "parameters",
                                 "one epoch takes about", "softalign translate"})
    EXPECT_TRUE(contains(result.err, part)) << part << "\n" << result.err;
}

TEST_F(Train, ListKeysNeedsNoConfig) {
  const auto result = run_softalign({"train", "--list-keys"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_TRUE(contains(result.out, "model.attention.score"));
}

TEST_F(Train, NeverOverwritesSilently) {
  const auto config = experiment("  max_steps: 2\n");
  ASSERT_EQ(run_train(config, model_).exit_code, 0);
  const std::string before = read_text(model_ / "best.safetensors");
  const auto again = run_train(config, model_);
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(contains(again.err, "--resume") && contains(again.err, "--output")) << again.err;
  EXPECT_EQ(read_text(model_ / "best.safetensors"), before);
  EXPECT_EQ(run_train(config, model_, {"--force", "--seed", "7"}).exit_code, 0);
  EXPECT_NE(read_text(model_ / "best.safetensors"), before);
}

TEST_F(Train, ResumeNeedsSomethingToResumeAndTheSameModel) {
  const auto config = experiment("  max_steps: 2\n");
  const auto nothing = run_train(config, model_, {"--resume"});
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_TRUE(contains(nothing.err, "nothing to resume")) << nothing.err;
  EXPECT_FALSE(fs::exists(model_));
  ASSERT_EQ(run_train(config, model_).exit_code, 0);
  const auto other = run_train(config, model_, {"--resume", "--set", "model.decoder.layers=2"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_TRUE(contains(other.err, "model.decoder.layers")) << other.err;
}

TEST_F(Train, S09_LineCountsDiffer) {
  const auto config = experiment("  max_steps: 2\n");
  write_lines(folder_ / "train.tgt", {"le", "chat"});
  const auto result = run_train(config, model_);
  EXPECT_EQ(result.exit_code, 2);
  for (const std::string part : {"train.src", "train.tgt", "100", "2"})
    EXPECT_TRUE(contains(result.err, part)) << result.err;
  EXPECT_FALSE(fs::exists(model_));
}

TEST_F(Train, S10_SmallerThanABatch) {
  for (const size_t pairs : {size_t{1}, size_t{3}}) {
    const auto config =
        experiment("  max_epochs: 30\n  batch_sentences: 64\n  report_every: 1\n", pairs);
    const auto result = run_train(config, model_, {"--force"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto values = losses(model_);
    ASSERT_EQ(values.size(), 30u);
    EXPECT_LT(values.back().second, values.front().second / 2);
  }
}

TEST_F(Train, S11_VocabularyTooLargeIsANote) {
  const auto config = experiment("  max_steps: 1\n", 20);
  const auto result = run_train(config, model_, {"--set", "subword.vocabulary_size=5000"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(result.err, "5000") || contains(result.err, "5,000")) << result.err;
}

TEST_F(Train, S11_VocabularyTooSmallLeavesNoModelDirectory) {
  const auto config = experiment("  max_steps: 1\n");
  const auto result = run_train(config, model_, {"--set", "subword.vocabulary_size=6"});
  EXPECT_EQ(result.exit_code, 2) << result.err;
  EXPECT_FALSE(fs::exists(model_));
}

TEST_F(Train, S12_BlankValidationSetIsSaid) {
  const auto config = experiment("  max_steps: 2\n");
  for (const std::string text : {"", "\n \n"}) {
    write_text(folder_ / "valid.src", text);
    write_text(folder_ / "valid.tgt", text);
    const auto result = run_train(config, model_);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_TRUE(contains(result.err, "valid.src")) << result.err;
  }
  const auto without =
      run_train(config, model_, {"--set", "corpus.valid={source: [], target: []}"});
  EXPECT_EQ(without.exit_code, 0) << without.err;
  EXPECT_TRUE(fs::exists(model_ / "best.safetensors"));
  EXPECT_FALSE(contains(without.err, "nan"));
}

TEST_F(Train, S13_NamesWithSpacesCommasAndOtherScripts) {
  const fs::path odd = folder_ / "my dir, ünï/数据 1";
  fs::create_directories(odd);
  const auto config = write_toy_experiment(odd, 30, "  max_steps: 2\n");
  const auto result = run_train(config, odd / "model, 2");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(run_softalign({"inspect", (odd / "model, 2").string()}).exit_code, 0);
}

TEST_F(Train, S14_NothingOfTheTrainingMachineIsNeeded) {
  const auto config = experiment("  max_steps: 2\n");
  ASSERT_EQ(run_train(config, model_).exit_code, 0);
  for (const auto& entry : fs::recursive_directory_iterator(model_)) {
    if (!entry.is_regular_file()) continue;
    EXPECT_FALSE(contains(read_text(entry.path()), folder_.path().string())) << entry.path();
  }
  const TempDir elsewhere;
  fs::rename(model_, elsewhere / "moved");
  for (const std::string file : {"train.src", "train.tgt", "valid.src", "valid.tgt", "toy.yaml"})
    fs::remove(folder_ / file);
  ProcessOptions from_root;
  from_root.folder = "/";
  EXPECT_EQ(run_softalign({"inspect", (elsewhere / "moved").string()}, from_root).exit_code, 0);
}

TEST_F(Train, S15_S16_S17_ConfigMistakesStopAtOnce) {
  const auto config = experiment("  max_steps: 1\n  max_steps: 2\n");
  const auto twice = run_train(config, model_);
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.err, "toy.yaml:14") && contains(twice.err, "toy.yaml:13"))
      << twice.err;
  const auto range =
      run_train(experiment("  max_steps: 1\n"), model_, {"--set", "training.learning_rate=.nan"});
  EXPECT_EQ(range.exit_code, 2);
  EXPECT_TRUE(contains(range.err, "> 0")) << range.err;
  const auto beam = run_train(experiment("  max_steps: 1\n"), model_, {"--set", "training.beam=2"});
  EXPECT_EQ(beam.exit_code, 2);
  EXPECT_TRUE(contains(beam.err, "translation.beam")) << beam.err;
  EXPECT_FALSE(fs::exists(model_));
}

TEST_F(Train, S19_ResumeIsTheSameRun) {
  const std::string training = "  report_every: 1\n  accumulate: 2\n";
  const std::vector<std::string> dropout{"--set", "model.dropout.output=0.3"};
  const auto with = [&](const std::string& steps, bool resume) {
    std::vector<std::string> arguments = dropout;
    arguments.insert(arguments.end(), {"--set", "training.max_steps=" + steps});
    if (resume) arguments.emplace_back("--resume");
    return arguments;
  };
  const auto config = experiment(training);
  const fs::path whole = folder_ / "whole";
  ASSERT_EQ(run_train(config, whole, with("8", false)).exit_code, 0);
  ASSERT_EQ(run_train(config, model_, with("3", false)).exit_code, 0);
  const auto resumed = run_train(config, model_, with("8", true));
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(losses(model_), losses(whole));
  EXPECT_EQ(read_text(model_ / "last/weights.safetensors"),
            read_text(whole / "last/weights.safetensors"));
}

TEST_F(Train, S22_NotFiniteKeepsTheLastGoodState) {
  const auto config = experiment("  max_epochs: 50\n  clip_norm: 0\n  optimizer: sgd\n");
  const auto result = run_train(config, model_, {"--set", "training.learning_rate=1e20"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(contains(result.err, "step")) << result.err;
  EXPECT_TRUE(fs::is_directory(model_ / "last"));
}

TEST_F(Train, S23_OneSignalSavesAndSaysHowToGoOn) {
  for (const auto& [number, code] : {std::pair{SIGINT, 130}, std::pair{SIGTERM, 143}}) {
    const auto config = experiment("  max_epochs: 100000\n  report_every: 1\n");
    const fs::path output = folder_ / ("stopped" + std::to_string(number));
    RunningProcess process(softalign_binary(), {"train", config.string(), "--output",
                                                output.string(), "--threads", "1"});
    ASSERT_TRUE(process.wait_for_error_text("step 3 ", 60));
    process.signal(number);
    const auto result = process.finish();
    EXPECT_EQ(result.exit_code, code) << result.err;
    EXPECT_TRUE(contains(result.err, "--resume")) << result.err;
    EXPECT_TRUE(fs::is_directory(output / "last"));
  }
}

TEST_F(Train, S24_SameSeedSameBits) {
  const auto config = experiment("  max_steps: 4\n  report_every: 1\n");
  const fs::path again = folder_ / "again", other = folder_ / "other";
  const std::vector<std::string> dropout{"--set", "model.dropout.embedding=0.2"};
  auto other_seed = dropout;
  other_seed.insert(other_seed.end(), {"--seed", "2"});
  ASSERT_EQ(run_train(config, model_, dropout).exit_code, 0);
  ASSERT_EQ(run_train(config, again, dropout).exit_code, 0);
  ASSERT_EQ(run_train(config, other, other_seed).exit_code, 0);
  EXPECT_EQ(losses(model_), losses(again));
  EXPECT_EQ(read_text(model_ / "best.safetensors"), read_text(again / "best.safetensors"));
  EXPECT_NE(losses(model_), losses(other));
}

}  // namespace
}  // namespace softalign
