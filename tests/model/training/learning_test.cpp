#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "tests/model/training/toy.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

TEST(Learning, ACopyTaskIsLearntInSeconds) {
  Toy toy = copy_task(600, 40);
  toy.training.max_epochs = 45;
  toy.training.validate_every = 10'000;  // that is, at the end alone
  toy.training.report_every = 38;
  const TempDir folder;
  Recorder recorder;
  Seq2Seq model = new_model(toy.model);
  const TrainingSummary summary = train(model, toy, folder.path(), recorder);
  EXPECT_EQ(summary.reason, StopReason::epochs);
  const ValidationReport& last = recorder.validations.back();
  EXPECT_LT(last.perplexity, 1.1);
  EXPECT_GT(last.accuracy, 0.97);
  EXPECT_GT(last.chrf.value(), 90.0);
  EXPECT_LT(recorder.reports.back().loss, recorder.reports.front().loss / 4);
}

TEST(Learning, S10_ThreePairsAndOnePairWithABatchOf64AreLearnt) {
  for (const int64_t pairs : {3, 1}) {
    SCOPED_TRACE(pairs);
    Toy toy = copy_task(pairs, 0);
    toy.data.valid = toy.data.train;
    toy.training.sampler.batch_sentences = 64;
    toy.training.max_epochs = 120;
    toy.training.validate_every = 120;
    const TempDir folder;
    Recorder recorder;
    Seq2Seq model = new_model(toy.model);
    EXPECT_EQ(train(model, toy, folder.path(), recorder).steps, 120);
    EXPECT_EQ(recorder.batches_per_epoch, 1);
    EXPECT_EQ(recorder.validations.back().accuracy, 1.0);
    EXPECT_LT(recorder.reports.back().loss, 0.1);
  }
}

/// Share of the attention that lies on the gold links.
double mass_on_links(Seq2Seq& model, const Toy& toy) {
  const EncodedCorpus corpus = encode_corpus(toy.data.valid, toy.data.source, toy.data.target, 0);
  std::vector<const EncodedPair*> pairs;
  std::vector<int64_t> sentences;
  for (size_t i = 0; i < corpus.pairs.size(); ++i) {
    pairs.push_back(&corpus.pairs[i]);
    sentences.push_back(static_cast<int64_t>(i));
  }
  const Batch batch = make_batch(pairs, sentences);
  const at::NoGradGuard no_grad;
  model->eval();
  const Tensor weights = model->token_log_probs(batch).second;
  model->train();
  const Tensor on_links = (weights * batch.alignment.gt(0)).sum();
  return on_links.item<double>() / batch.alignment.sum().item<double>();
}

TEST(Learning, GuidedAlignmentTeachesWhereToLook) {
  double without = 0, with = 0;
  for (double* mass : {&without, &with}) {
    Toy toy = copy_task(200, 20);
    toy.training.max_epochs = 16;
    toy.training.loss.guided_alignment = mass == &with ? 1.0 : 0.0;
    const TempDir folder;
    Recorder recorder;
    Seq2Seq model = new_model(toy.model);
    train(model, toy, folder.path(), recorder);
    *mass = mass_on_links(model, toy);
  }
  EXPECT_GT(with, without + 0.2) << without << " without, " << with << " with";
}

}  // namespace
}  // namespace softalign
