#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Inspect, CountsThePartsAndChecksTheModel) {
  const auto result = run_softalign({"inspect", tiny_model().string(), "--check", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto facts = nlohmann::json::parse(result.out);
  int64_t sum = 0;
  for (const auto& [part, count] : facts["parameters_by_part"].items()) sum += count.get<int64_t>();
  EXPECT_EQ(sum, facts["parameters"].get<int64_t>());
  EXPECT_EQ(facts["checks"].size(), 4u);
  for (const auto& check : facts["checks"]) EXPECT_TRUE(check["passed"]) << check;
  EXPECT_GT(facts["training"]["best"]["bleu"].get<double>(), 50);
}

TEST(Inspect, TextNamesPartsVocabularyAndBlas) {
  const auto result = run_softalign({"inspect", tiny_model().string(), "--check"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const std::string part :
       {"parameters", "encoder", "decoder", "pieces", "BLAS", "best validation", "passed"})
    EXPECT_TRUE(contains(result.out, part)) << part << "\n" << result.out;
}

/// A copy of the model that a test may spoil; one message and exit 2 are expected.
class BadModel : public testing::Test {
 protected:
  TempDir folder_;
  const fs::path model_ = folder_ / "copy";

  void SetUp() override { fs::copy(tiny_model(), model_, fs::copy_options::recursive); }
  std::string message() {
    const auto result = run_softalign({"inspect", model_.string()});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_FALSE(contains(result.err, "Exception raised from")) << result.err;
    return result.err;
  }
};

TEST_F(BadModel, S21_TruncatedWeights) {
  const fs::path weights = model_ / "best.safetensors";
  const auto size = fs::file_size(tiny_model() / "best.safetensors");
  for (const uintmax_t kept : {uintmax_t{0}, size / 100, size / 2, size * 99 / 100}) {
    fs::copy_file(tiny_model() / "best.safetensors", weights, fs::copy_options::overwrite_existing);
    fs::resize_file(weights, kept);
    EXPECT_TRUE(contains(message(), "best.safetensors")) << kept;
  }
}

TEST_F(BadModel, S21_ForeignWeights) {
  write_text(model_ / "best.safetensors", "this is a text file and no model\n");
  EXPECT_TRUE(contains(message(), "best.safetensors"));
}

TEST_F(BadModel, S21_MissingFiles) {
  for (const std::string file : {"best.safetensors", "source.spm", "target.spm", "config.yaml"}) {
    fs::rename(model_ / file, folder_ / file);
    EXPECT_TRUE(contains(message(), file)) << file;
    fs::rename(folder_ / file, model_ / file);
  }
}

TEST_F(BadModel, S21_OtherVocabulary) {
  fs::copy_file(model_ / "target.spm", model_ / "source.spm", fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(message(), "another source vocabulary"));
}

TEST_F(BadModel, S21_OtherArchitecture) {
  std::string config = read_text(model_ / "config.yaml");
  const size_t place = config.find("hidden: 32");
  ASSERT_NE(place, std::string::npos);
  config.replace(place, 10, "hidden: 64");
  write_text(model_ / "config.yaml", config);
  EXPECT_TRUE(contains(message(), "best.safetensors"));
}

TEST_F(BadModel, S21_NewerFormat) {
  std::string bytes = read_text(model_ / "best.safetensors");
  const std::string key = "\"format_version\":\"";
  const size_t place = bytes.find(key);
  ASSERT_NE(place, std::string::npos);
  bytes[place + key.size()] = '9';
  write_text(model_ / "best.safetensors", bytes);
  EXPECT_TRUE(contains(message(), "best.safetensors"));
}

TEST(Inspect, S21_WhatIsNoModelIsNamed) {
  const auto config = run_softalign({"inspect", (tiny_experiment() / "toy.yaml").string()});
  EXPECT_EQ(config.exit_code, 2);
  EXPECT_TRUE(contains(config.err, "config file")) << config.err;
  const auto corpus = run_softalign({"inspect", (tiny_experiment() / "train.src").string()});
  EXPECT_EQ(corpus.exit_code, 2);
  const auto folder = run_softalign({"inspect", tiny_experiment().string()});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_TRUE(contains(folder.err, "config.yaml")) << folder.err;
  for (const auto& result : {config, corpus, folder})
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

}  // namespace
}  // namespace softalign
