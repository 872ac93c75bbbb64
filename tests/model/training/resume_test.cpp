#include <gtest/gtest.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "data/error.h"
#include "data/file.h"
#include "tests/model/training/toy.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

/// 27 pairs in batches of 4: seven batches an epoch, three updates of which the last is a rest.
Toy small_task() {
  Toy toy = copy_task(27, 5);
  toy.model.dropout = {0.2, 0.0, 0.2, 0.1, 0.1, false};
  toy.training.sampler.batch_sentences = 4;
  toy.training.accumulate = 3;
  toy.training.max_epochs = 4;
  toy.training.validate_every = 2;
  toy.training.patience = 0;
  toy.validation.max_sentences = 2;
  return toy;
}

std::vector<double> losses(const Recorder& recorder) {
  std::vector<double> result;
  for (const StepReport& report : recorder.reports) result.push_back(report.loss);
  return result;
}

/// All files of a model directory are equal, but for the seconds in the state.
void expect_equal_directories(const fs::path& a, const fs::path& b) {
  for (const char* file : {"best.safetensors", "last/weights.safetensors",
                           "last/optimizer.safetensors", "last/averages.safetensors"})
    EXPECT_EQ(sha256(read_bytes(a / file)), sha256(read_bytes(b / file))) << file;
  const auto state = [](const fs::path& directory) {
    auto json = nlohmann::json::parse(read_bytes(directory / "last" / "state.json"))["state"];
    json["position"].erase("seconds");
    json["sums"].erase("seconds");
    return json;
  };
  EXPECT_EQ(state(a), state(b));
}

void expect_resumed_is_uninterrupted(const Toy& toy, int64_t stop_at_step,
                                     int64_t stop_at_validation = -1) {
  const TempDir whole, parts;
  Recorder uninterrupted;
  Seq2Seq one = new_model(toy.model);
  const TrainingSummary expected = train(one, toy, whole.path(), uninterrupted);

  Recorder first, second;
  first.stop_at_step = stop_at_step;
  first.stop_at_validation = stop_at_validation;
  Seq2Seq two = new_model(toy.model);
  ASSERT_EQ(train(two, toy, parts.path(), first).reason, StopReason::interrupted);
  EXPECT_TRUE(fs::exists(parts / "best.safetensors"));
  Seq2Seq three = new_model(toy.model, /*seed=*/99);
  const TrainingSummary resumed = train(three, toy, parts.path(), second, /*resume=*/true);

  std::vector<double> both = losses(first);
  for (const double loss : losses(second)) both.push_back(loss);
  EXPECT_EQ(both, losses(uninterrupted));
  EXPECT_EQ(resumed.reason, expected.reason);
  EXPECT_EQ(resumed.steps, expected.steps);
  EXPECT_EQ(resumed.best, expected.best);
  EXPECT_EQ(resumed.best_step, expected.best_step);
  expect_equal_directories(whole.path(), parts.path());
}

TEST(Resume, S19_EveryOptimizerAndScheduleGoesOnBitForBit) {
  for (const auto& [optimizer, optimizer_name] : kOptimizerNames)
    for (const auto& [schedule, schedule_name] : kScheduleNames) {
      SCOPED_TRACE(std::string(optimizer_name) + " " + std::string(schedule_name));
      Toy toy = small_task();
      toy.training.optimizer.kind = optimizer;
      toy.training.optimizer.momentum = 0.5;
      toy.training.optimizer.weight_decay = 0.01;
      toy.training.schedule.kind = schedule;
      toy.training.schedule.warmup_steps = 2;
      toy.training.schedule.plateau_patience = 1;
      toy.training.average_best = 2;
      toy.training.ema_decay = 0.9;
      expect_resumed_is_uninterrupted(toy, /*stop_at_step=*/5);
    }
}

TEST(Resume, S19_FromEveryStepWithSubwordSampling) {
  Toy toy = small_task();
  toy.training.subword_sampling = 0.3;
  toy.training.max_epochs = 2;
  for (int64_t step = 1; step <= 6; ++step) {
    SCOPED_TRACE(step);
    expect_resumed_is_uninterrupted(toy, step);
  }
}

TEST(Resume, S19_WithinAnEpochEndsValidation) {
  Toy toy = small_task();
  toy.training.validate_every = 0;
  toy.training.schedule.kind = ScheduleKind::plateau;
  toy.training.schedule.plateau_patience = 1;
  for (int64_t validation = 1; validation <= 3; ++validation) {
    SCOPED_TRACE(validation);
    expect_resumed_is_uninterrupted(toy, -1, validation);
  }
}

TEST(Resume, S19_PartialSumsOfAReportGoOn) {
  Toy toy = small_task();
  toy.training.report_every = 4;
  expect_resumed_is_uninterrupted(toy, 6);
}

TEST(Resume, S19_WithoutValidation) {
  Toy toy = small_task();
  toy.data.valid.pairs.clear();
  expect_resumed_is_uninterrupted(toy, 4);
}

TEST(Resume, S19_ALaterEndIsTheSameAsHavingHadItFromTheStart) {
  Toy toy = small_task();
  toy.training.max_epochs = 0;
  toy.training.max_steps = 11;
  const TempDir whole, parts;
  Recorder recorder;
  Seq2Seq one = new_model(toy.model), two = new_model(toy.model);
  train(one, toy, whole.path(), recorder);
  Toy shorter = toy;
  shorter.training.max_steps = 5;  // its last validation belongs to its end alone
  train(two, shorter, parts.path(), recorder);
  train(two, toy, parts.path(), recorder, /*resume=*/true);
  expect_equal_directories(whole.path(), parts.path());
}

TEST(Resume, AFinishedTrainingHasNothingToDo) {
  const Toy toy = small_task();
  const TempDir folder;
  Recorder first, second;
  Seq2Seq model = new_model(toy.model);
  train(model, toy, folder.path(), first);
  const std::string before = read_bytes(folder / "last/weights.safetensors");
  EXPECT_EQ(train(model, toy, folder.path(), second, true).reason, StopReason::epochs);
  EXPECT_TRUE(second.updates.empty());
  EXPECT_EQ(read_bytes(folder / "last/weights.safetensors"), before);
}

TEST(Resume, S21_AnotherVocabularyCorpusOrOptimizerIsRefused) {
  const Toy toy = small_task();
  const TempDir folder;
  Recorder recorder;
  recorder.stop_at_step = 2;
  Seq2Seq model = new_model(toy.model);
  train(model, toy, folder.path(), recorder);
  recorder.stop = false;
  const auto refused = [&](const Toy& other, const Metadata& metadata) {
    EXPECT_THROW(train(model, other.data, other.training, other.validation, folder.path(), metadata,
                       true, recorder.stop, recorder),
                 Error);
  };
  refused(toy, {{"source_vocabulary", "another"}});
  Toy other = toy;
  other.training.optimizer.kind = OptimizerKind::sgd;
  refused(other, {});
  other = toy;
  other.data.train.pairs.pop_back();
  refused(other, {});
  other = toy;
  other.training.ema_decay = 0.9;
  refused(other, {});
}

}  // namespace
}  // namespace softalign
