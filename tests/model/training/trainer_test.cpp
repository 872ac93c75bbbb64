#include "model/training/trainer.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/error.h"
#include "model/training/batches.h"
#include "model/training/checkpoint.h"
#include "tests/model/training/toy.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

Toy short_task(int64_t train_pairs = 20, int64_t valid_pairs = 4) {
  Toy toy = copy_task(train_pairs, valid_pairs);
  toy.training.max_epochs = 2;
  toy.validation.max_sentences = 2;
  return toy;
}

/// The digest of the weights that training ends with.
std::string weights_after(const Toy& toy, uint64_t seed) {
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model, seed);
  train(model, toy, folder.path(), recorder);
  return load_safetensors(folder / "last/weights.safetensors").metadata.at("sha256");
}

bool has_not_finite(const NamedTensors& tensors) {
  return std::any_of(tensors.begin(), tensors.end(), [](const auto& entry) {
    return !entry.second.isfinite().all().template item<bool>();
  });
}

TEST(Trainer, S10_EveryEpochCountsEveryPairOnce) {
  Toy toy = copy_task(65, 0);
  toy.training.sampler.batch_sentences = 64;
  TrainingBatches batches(toy.data, toy.training);
  for (int epoch = 0; epoch < 2; ++epoch) {
    std::set<int64_t> seen;
    int64_t count = 0;
    while (const auto batch = batches.next()) {
      ++count;
      seen.insert(batch->sentences.begin(), batch->sentences.end());
    }
    EXPECT_EQ(count, 2);
    EXPECT_EQ(seen.size(), 65U);
  }
}

TEST(Trainer, RestOfAnEpochIsAnUpdateOfItsOwn) {
  Toy toy = short_task(20);
  toy.training.sampler.batch_sentences = 4;  // five batches
  toy.training.accumulate = 2;
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model);
  EXPECT_EQ(train(model, toy, folder.path(), recorder).steps, 2 * 3);
}

TEST(Trainer, AccumulationIsTheGradientOfTheWholeBatch) {
  Toy toy = short_task(8, 0);
  toy.training.max_epochs = 0;
  toy.training.max_steps = 1;
  toy.training.optimizer.kind = OptimizerKind::sgd;
  toy.training.optimizer.clip_norm = 0;
  toy.training.sampler.batch_sentences = 8;
  Toy in_parts = toy;
  in_parts.training.sampler.batch_sentences = 3;
  in_parts.training.accumulate = 3;
  const TempDir folder;
  Recorder one, three;
  Seq2Seq a = new_model(toy.model), b = new_model(toy.model);
  train(a, toy, folder / "a", one);
  train(b, in_parts, folder / "b", three);
  EXPECT_NEAR(one.updates[0].loss, three.updates[0].loss, 1e-5);
  EXPECT_NEAR(one.updates[0].gradient_norm, three.updates[0].gradient_norm, 1e-5);
  const NamedTensors of_a = named_parameters(a), of_b = named_parameters(b);
  for (size_t i = 0; i < of_a.size(); ++i)
    EXPECT_TRUE(at::allclose(of_a[i].second, of_b[i].second, 1e-5, 1e-6)) << of_a[i].first;
}

TEST(Trainer, S12_AnEmptyOrBlankValidationSetIsNone) {
  for (const bool blank : {false, true}) {
    Toy toy = short_task(20, 0);
    if (blank) toy.data.valid.pairs = {{"", "  ", {}, "", ""}, {" ", "", {}, "", ""}};
    EXPECT_FALSE(has_validation(toy.data));
    const TempDir folder;
    Recorder recorder;
    Seq2Seq model = new_model(toy.model);
    EXPECT_EQ(train(model, toy, folder.path(), recorder).reason, StopReason::epochs);
    EXPECT_TRUE(recorder.validations.empty());
    // `best` is then what training ended with.
    const auto best = load_safetensors(folder / "best.safetensors").tensors,
               last = load_safetensors(folder / "last/weights.safetensors").tensors;
    for (size_t i = 0; i < best.size(); ++i) EXPECT_TRUE(best[i].second.equal(last[i].second));
  }
}

TEST(Trainer, S12_BlankValidationLinesAmongOthersMakeNoNaN) {
  Toy toy = short_task(20, 3);
  toy.data.valid.pairs.insert(toy.data.valid.pairs.begin(), SentencePair{});
  toy.data.valid.pairs.push_back({"a b", "", {}, "", ""});
  toy.validation.max_sentences = 0;
  const std::atomic<bool> stop{false};
  Seq2Seq model = new_model(toy.model);
  const ValidationReport report = validate(model, toy.data, toy.validation, toy.training, stop);
  EXPECT_TRUE(std::isfinite(report.perplexity));
  EXPECT_TRUE(std::isfinite(report.bleu.value()));
  EXPECT_EQ(report.samples.size(), 3U);
}

TEST(Trainer, NoPairToTrainOnIsSaid) {
  Toy toy = short_task(3, 0);
  toy.data.max_length = 1;
  Seq2Seq model = new_model(toy.model);
  const TempDir folder;
  Recorder recorder;
  try {
    train(model, toy, folder.path(), recorder);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("3 of them longer than max_length, 1"),
              std::string::npos)
        << error.what();
  }
}

TEST(Trainer, S22_StopsBeforeTheWeightsAreSpoiltAndNamesThePlace) {
  for (const OptimizerKind kind : {OptimizerKind::sgd, OptimizerKind::adam}) {
    Toy toy = short_task();
    toy.training.optimizer.kind = kind;
    toy.training.optimizer.learning_rate = 1e6;
    toy.training.optimizer.clip_norm = 0;
    toy.training.max_epochs = 50;
    toy.training.checkpoint_every = 1;
    const TempDir folder;
    Recorder recorder;
    Seq2Seq model = new_model(toy.model);
    try {
      train(model, toy, folder.path(), recorder);
      FAIL() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), Error::kMachine);
      const std::string message = error.what();
      for (const char* part : {"at step ", "loss ", "gradient norm ", "learning_rate", "clip_norm"})
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }
    EXPECT_FALSE(has_not_finite(load_progress(folder / "last").weights));
    EXPECT_FALSE(fs::exists(folder / "best.safetensors") &&
                 has_not_finite(load_safetensors(folder / "best.safetensors").tensors));
  }
}

TEST(Trainer, S24_SameSeedSameBitsAndAnotherSeedDiffers) {
  Toy toy = short_task();
  toy.model.dropout.embedding = 0.2;
  const std::string first = weights_after(toy, 5);
  EXPECT_EQ(weights_after(toy, 5), first);
  EXPECT_NE(weights_after(toy, 6), first);
  toy.training.seed = 2;  // of dropout
  EXPECT_NE(weights_after(toy, 5), first);
  toy.training.seed = 1;
  toy.training.sampler.seed = 9;
  EXPECT_NE(weights_after(toy, 5), first);
}

/// Runs with this many threads, then as before.
template <typename Work>
auto with_threads(int threads, const Work& work) {
  const int before = at::get_num_threads();
  at::set_num_threads(threads);
  auto result = work();
  at::set_num_threads(before);
  return result;
}

// Workers share out the sentences of a batch; the sum of their gradients is the batch's.
TEST(Trainer, SeveralThreadsTrainTheSameModelUpToRounding) {
  const Toy toy = short_task();
  const auto weights = [&](int threads) {
    return with_threads(threads, [&] {
      const TempDir folder;
      Recorder recorder;
      Seq2Seq model = new_model(toy.model);
      train(model, toy, folder.path(), recorder);
      EXPECT_EQ(recorder.updates.size(), 4U);
      EXPECT_EQ(recorder.updates.back().target_tokens > 0, true);
      std::vector<Tensor> flat;
      for (const Tensor& parameter : model->parameters())
        flat.push_back(parameter.detach().reshape({-1}));
      return at::cat(flat);
    });
  };
  const Tensor one = weights(1);
  for (const int threads : {2, 3})
    EXPECT_TRUE(weights(threads).allclose(one, 1e-3, 1e-4)) << threads << " threads";
}

TEST(Trainer, S24_SameSeedSameBitsWithTwoThreads) {
  Toy toy = short_task();
  toy.model.dropout = {0.2, 0.0, 0.2, 0.2, 0.1, true};
  with_threads(2, [&] {
    const std::string first = weights_after(toy, 5);
    for (int again = 0; again < 3; ++again) EXPECT_EQ(weights_after(toy, 5), first);
    return 0;
  });
}

TEST(Trainer, S33_ValidationLeavesDropoutOnAndTheRandomNumbersAlone) {
  Toy toy = short_task();
  toy.model.dropout.embedding = 0.5;
  const std::string rarely = weights_after(toy, 1);
  toy.training.validate_every = 1;
  EXPECT_EQ(weights_after(toy, 1), rarely);

  Seq2Seq model = new_model(toy.model);
  const std::atomic<bool> stop{false};
  const auto perplexity = [&] {
    return validate(model, toy.data, toy.validation, toy.training, stop).perplexity;
  };
  const double first = perplexity();
  EXPECT_EQ(perplexity(), first);
  EXPECT_TRUE(model->is_training());
}

TEST(Trainer, S23_AStopFinishesTheStepAndSaves) {
  const Toy toy = short_task();
  const TempDir folder;
  Recorder recorder;
  recorder.stop_at_step = 1;
  Seq2Seq model = new_model(toy.model);
  const TrainingSummary summary = train(model, toy, folder.path(), recorder);
  EXPECT_EQ(summary.reason, StopReason::interrupted);
  EXPECT_EQ(summary.steps, 1);
  EXPECT_NO_THROW(load_progress(folder / "last"));
  Seq2Seq other = new_model(toy.model, 2);
  EXPECT_EQ(load_weights(other, folder / "best.safetensors").at("step"), "1");
}

TEST(Trainer, PatienceEndsTraining) {
  Toy toy = short_task();
  toy.training.optimizer.learning_rate = 0.0;  // nothing ever improves
  toy.training.max_epochs = 50;
  toy.training.patience = 3;
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model);
  const TrainingSummary summary = train(model, toy, folder.path(), recorder);
  EXPECT_EQ(summary.reason, StopReason::patience);
  EXPECT_EQ(recorder.validations.size(), 4U);
  EXPECT_TRUE(recorder.validations[0].best);
  EXPECT_FALSE(recorder.validations[1].best);
}

TEST(Trainer, BestIsTheMeanOfTheBestValidatedWeights) {
  Toy toy = short_task();
  toy.training.max_epochs = 3;
  toy.training.average_best = 3;
  toy.training.validate_every = 1;
  toy.training.sampler.batch_sentences = 20;  // one update an epoch
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model);
  train(model, toy, folder.path(), recorder);
  const Progress progress = load_progress(folder / "last");
  ASSERT_EQ(progress.averages.size(), 3U);
  // All flat buffers hold the parameters in order of registration, each padded to 16 floats.
  const auto best = load_safetensors(folder / "best.safetensors").tensors;
  int64_t offset = 0;
  for (const auto& [name, weights] : best) {
    Tensor sum = at::zeros({weights.numel()}, at::kDouble);
    for (const auto& average : progress.averages)
      sum.add_(average.second.narrow(0, offset, weights.numel()));
    EXPECT_TRUE(at::allclose(weights.view({-1}).to(at::kDouble), sum / 3, 1e-6, 1e-8)) << name;
    offset += (weights.numel() + 15) / 16 * 16;
  }
}

TEST(Trainer, WeightsCarryTheVocabularyAndTheMetric) {
  const Toy toy = short_task();
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model);
  train(model, toy, folder.path(), recorder);
  const Metadata metadata = load_safetensors(folder / "best.safetensors").metadata;
  EXPECT_EQ(metadata.at("source_vocabulary"), toy.data.source.digest());
  EXPECT_EQ(metadata.count("perplexity"), 1U);
  EXPECT_EQ(metadata.count("step"), 1U);
}

}  // namespace
}  // namespace softalign
