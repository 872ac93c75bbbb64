#include "app/config/experiment.h"

#include <gtest/gtest.h>

#include <clocale>
#include <fstream>
#include <set>
#include <sstream>

#include "data/error.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

ExperimentConfig read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TempDir folder;
  std::ofstream(folder / "my.yaml") << text;
  return read_experiment(folder / "my.yaml", overrides);
}

/// The message without the folder's name.
std::string message(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TempDir folder;
  std::ofstream(folder / "my.yaml") << text;
  try {
    read_experiment(folder / "my.yaml", overrides);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    const std::string whole = error.what(), prefix = folder.path().string() + "/";
    return whole.rfind(prefix, 0) == 0 ? whole.substr(prefix.size()) : whole;
  }
  return "no error";
}

TEST(Experiment, ShortFormsSetBothSidesAndSidesOverride) {
  const auto config = read(
      "subword: {kind: bpe, vocabulary_size: 500, target: {vocabulary_size: 600}}\n"
      "model: {embedding: 96, target_embedding: 64}\n");
  EXPECT_EQ(config.name, "my");
  EXPECT_EQ(config.subword.source.kind, SubwordKind::bpe);
  EXPECT_EQ(config.subword.source.vocabulary_size, 500);
  EXPECT_EQ(config.subword.target.vocabulary_size, 600);
  EXPECT_EQ(config.model.source_embedding, 96);
  EXPECT_EQ(config.model.target_embedding, 64);
}

TEST(Experiment, NormalizationIsPerSideAndTheTargetsIfJoint) {
  const auto apart = read("model:\n");
  EXPECT_EQ(apart.subword.source.normalization, "nmt_nfkc");
  EXPECT_EQ(apart.subword.target.normalization, "identity");
  EXPECT_EQ(read("subword: {joint: true}").subword.source.normalization, "identity");
}

TEST(Experiment, PathsCountFromTheConfigsFolder) {
  const TempDir folder;
  std::ofstream(folder / "my.yaml")
      << "corpus: {train: {source: [data/a b.zh, /x/c.zh], target: ../t.en}}";
  const auto files = read_experiment(folder / "my.yaml").corpus.train;
  EXPECT_EQ(files.source[0], folder.path() / "data/a b.zh");
  EXPECT_EQ(files.source[1], "/x/c.zh");
  EXPECT_EQ(files.target[0], folder.path().parent_path() / "t.en");
}

TEST(Experiment, WhatIsWrittenReadsBackTheSame) {
  const auto config = read(
      "corpus: {max_length: 50, train: {source: a, target: [b, c]}}\n"
      "subword: {joint: true, kind: char, character_coverage: 0.9995}\n"
      "model: {tie: all, embedding: 8, encoder: {layers: 2, self_attention: scaled_dot,\n"
      "  self_attention_heads: 4}, attention: {score: additive, window: predictive},\n"
      "  dropout: {word: 0.1, variational: true}}\n"
      "training: {optimizer: sgd, learning_rate: 0.1, schedule: luong, max_steps: 10,\n"
      "  label_smoothing: 0.05, ema_decay: 0.999, seed: 18446744073709551615, threads: 3}\n"
      "validation: {beam: 3}\ntranslation: {beam: 5, length_penalty: average, batch: 7}\n");
  const std::string written = to_yaml(config, /*with_corpus=*/true);
  EXPECT_EQ(to_yaml(read(written), true), written);
  EXPECT_EQ(flat_values(read(written)), flat_values(config));
  EXPECT_EQ(config.training.seed, config.training.sampler.seed);
}

TEST(Experiment, S14_AModelsCopyHoldsNoPaths) {
  const auto config = read("corpus: {train: {source: /home/a, target: /home/b}}");
  EXPECT_EQ(to_yaml(config, /*with_corpus=*/false).find("home"), std::string::npos);
  EXPECT_NO_THROW(read(to_yaml(config, false)));
}

TEST(Experiment, EveryKeyIsListedWithAnExplanation) {
  std::istringstream lines(list_keys());
  std::set<std::string> listed;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    EXPECT_TRUE(listed.insert(name).second) << name;
    const size_t range = line.rfind(" (");
    EXPECT_NE(range, std::string::npos) << line;
    EXPECT_GT(range, name.size() + 6) << line;
  }
  for (const auto& [key, value] : flat_values(ExperimentConfig{}))
    EXPECT_EQ(listed.count(key), 1u) << key;
  EXPECT_EQ(listed.count("model.embedding"), 1u);
  EXPECT_EQ(listed.count("training.learning_rate"), 1u);
}

TEST(Experiment, S16_KeysInTheWrongSectionAreNamed) {
  EXPECT_EQ(message("training:\n  beam: 5\n"),
            "my.yaml:2: training.beam is not a known key; a key of that name is validation.beam, "
            "translation.beam");
  EXPECT_EQ(message("model:\n  encoder:\n    hiden: 5\n"),
            "my.yaml:3: model.encoder.hiden is not a known key; did you mean "
            "model.encoder.hidden?");
  EXPECT_EQ(message("model:\n  droput: 0.1\n"),
            "my.yaml:2: model.droput is not a known key; did you mean model.dropout?");
}

TEST(Experiment, S17_RangesAreCheckedAtOnce) {
  EXPECT_EQ(message("model:\n  encoder: {layers: 0}\n"),
            "my.yaml:2: model.encoder.layers: 0 is not in [1, 64]");
  EXPECT_NE(message("model: {encoder: {hidden: -8}}"), "no error");
  EXPECT_NE(message("model: {dropout: {output: 1.0}}").find("[0, 1)"), std::string::npos);
  EXPECT_NE(message("model: {dropout: {output: -0.1}}").find("[0, 1)"), std::string::npos);
  EXPECT_NE(message("training: {learning_rate: .nan}").find("> 0"), std::string::npos);
  EXPECT_NE(message("training: {learning_rate: .inf}").find("> 0"), std::string::npos);
  EXPECT_NE(message("training: {batch_tokens: 1e99}"), "no error");
  EXPECT_NE(message("translation: {beam: 2.5}"), "no error");
  EXPECT_NE(message("training: {seed: 99999999999999999999}"), "no error");
}

TEST(Experiment, S17_SizesThatDontFitAreNamedWithTheirPlace) {
  const std::string odd = message("model:\n  encoder:\n    hidden: 7\n  decoder: {hidden: 7}\n");
  EXPECT_EQ(odd.rfind("my.yaml:3: model.encoder.hidden", 0), 0u) << odd;
  const std::string heads =
      message("model:\n  attention: {score: projected, key_size: 10, heads: 3}\n");
  EXPECT_EQ(heads.rfind("my.yaml:2: model.attention.", 0), 0u) << heads;
  const std::string dot = message("model:\n  encoder: {hidden: 64}\n  attention: {score: dot}\n");
  EXPECT_NE(dot.find("general"), std::string::npos) << dot;
  const std::string tied = message("model: {tie: all}");
  EXPECT_NE(tied.find("subword.joint"), std::string::npos) << tied;
  EXPECT_NE(message("training: {schedule: luong, max_epochs: 0, patience: 3}").find("max_steps"),
            std::string::npos);
  EXPECT_NE(message("training: {max_epochs: 0}").find("never end"), std::string::npos);
  EXPECT_NE(message("corpus: {train: {source: a}}").find("corpus.train.target"), std::string::npos);
}

TEST(Experiment, S17_OverridesAreCheckedAlike) {
  EXPECT_EQ(read("model:\n", {"training.max_steps=5"}).training.max_steps, 5);
  EXPECT_EQ(message("model:\n", {"training.max_step=5"}),
            "--set training.max_step=5: training.max_step is not a known key; did you mean "
            "training.max_steps?");
  const std::string odd = message("model: {decoder: {hidden: 7}}", {"model.encoder.hidden=7"});
  EXPECT_EQ(odd.rfind("--set model.encoder.hidden=7: model.encoder.hidden", 0), 0u) << odd;
}

TEST(Experiment, S18_NumbersDontFollowTheLocale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  if (!std::setlocale(LC_ALL, "de_DE.UTF-8") && !std::setlocale(LC_ALL, "de_DE"))
    GTEST_SKIP() << "no locale with a decimal comma is installed";
  const auto config = read("training: {learning_rate: 0.25}");
  EXPECT_EQ(config.training.optimizer.learning_rate, 0.25);
  EXPECT_NE(to_yaml(config, true).find("learning_rate: 0.25\n"), std::string::npos);
  std::setlocale(LC_ALL, before.c_str());
}

TEST(Experiment, AFolderIsNotAConfig) {
  const TempDir folder;
  EXPECT_THROW(read_experiment(folder.path()), Error);
  EXPECT_THROW(read_experiment(folder / "missing.yaml"), Error);
}

}  // namespace
}  // namespace softalign
