#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/search/search.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

constexpr int64_t kVocabulary = 6, kLongest = 4;

struct Output {
  std::vector<int64_t> tokens;
  double log_prob, score;
  bool finished;
};

/// Every output of at most kLongest tokens that the search may return, EOS included or cut.
std::vector<std::vector<int64_t>> all_outputs() {
  std::vector<std::vector<int64_t>> open{{}}, outputs;
  for (int64_t length = 1; length <= kLongest; ++length) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t>& prefix : open)
      for (const int64_t token : {kUnk, kEos, int64_t{4}, int64_t{5}}) {
        std::vector<int64_t> extended = prefix;
        extended.push_back(token);
        (token == kEos || length == kLongest ? outputs : longer).push_back(extended);
      }
    open = longer;
  }
  return outputs;
}

Batch one_pair(const std::vector<int64_t>& source, const std::vector<int64_t>& target) {
  Batch batch;
  const SourceBatch sources = make_source_batch({source});
  batch.source = sources.ids;
  batch.source_lengths = sources.lengths;
  std::vector<int64_t> in{kBos};
  in.insert(in.end(), target.begin(), target.end() - 1);
  batch.target_in = at::tensor(in, at::kLong).unsqueeze(0);
  batch.target_out = at::tensor(target, at::kLong).unsqueeze(0);
  batch.target_lengths = at::tensor({static_cast<int64_t>(target.size())}, at::kLong);
  return batch;
}

/// All outputs, each scored alone by teacher forcing and by Wu et al.'s formulas, best first.
std::vector<Output> ranked_outputs(Seq2Seq& model, const std::vector<int64_t>& source,
                                   LengthPenalty penalty, double alpha, double beta) {
  const at::NoGradGuard guard;
  std::vector<Output> outputs;
  for (const std::vector<int64_t>& tokens : all_outputs()) {
    const auto [log_probs, weights] = model->token_log_probs(one_pair(source, tokens));
    const double log_prob = log_probs.to(at::kDouble).sum().item<double>();
    const auto length = static_cast<double>(tokens.size());
    double score = log_prob;
    if (penalty == LengthPenalty::average) score /= length;
    if (penalty == LengthPenalty::wu) score /= std::pow(5 + length, alpha) / std::pow(6, alpha);
    for (int64_t i = 0; i < weights.size(2); ++i) {
      double covered = 0;
      for (int64_t t = 0; t < weights.size(1); ++t) covered += weights[0][t][i].item<double>();
      score += beta * std::log(std::min(covered, 1.0));
    }
    outputs.push_back({tokens, log_prob, score, tokens.back() == kEos});
  }
  std::stable_sort(outputs.begin(), outputs.end(), [](const Output& a, const Output& b) {
    return a.finished != b.finished ? a.finished : a.score > b.score;
  });
  return outputs;
}

class Exhaustive : public testing::TestWithParam<uint64_t> {
 protected:
  void compare(LengthPenalty penalty, double alpha, double beta, int64_t nbest) {
    Seq2Seq model = random_model(small_config(kVocabulary), GetParam());
    std::vector<Seq2Seq> models{model};
    const std::vector<int64_t> source = random_sentences({3}, kVocabulary, GetParam()).front();
    SearchOptions options;
    options.beam = 200;  // more than there are hypotheses
    options.nbest = nbest;
    options.length_penalty = penalty;
    options.length_penalty_alpha = alpha;
    options.coverage_penalty = beta;
    options.max_length = kLongest;
    const std::vector<Hypothesis> found =
        search(models, make_source_batch({source}), options).front();
    const std::vector<Output> expected = ranked_outputs(model, source, penalty, alpha, beta);
    ASSERT_EQ(found.size(), std::min(static_cast<size_t>(nbest), expected.size()));
    for (size_t k = 0; k < found.size(); ++k) {
      EXPECT_EQ(found[k].tokens, expected[k].tokens) << "rank " << k;
      EXPECT_NEAR(found[k].log_prob, expected[k].log_prob, 1e-4);
      EXPECT_NEAR(found[k].score, expected[k].score, 1e-4);
      EXPECT_EQ(found[k].finished, expected[k].finished);
    }
  }
};

TEST_P(Exhaustive, BestByLogProbability) { compare(LengthPenalty::none, 0, 0, 1); }
TEST_P(Exhaustive, BestByAverage) { compare(LengthPenalty::average, 0, 0, 1); }
TEST_P(Exhaustive, BestByLengthPenalty) { compare(LengthPenalty::wu, 1.5, 0, 1); }
TEST_P(Exhaustive, BestByLengthAndCoveragePenalty) { compare(LengthPenalty::wu, 0.7, 0.4, 1); }
TEST_P(Exhaustive, FiveBest) { compare(LengthPenalty::wu, 0.6, 0.2, 5); }
TEST_P(Exhaustive, AllOutputsInOrder) { compare(LengthPenalty::average, 0, 0.1, 121); }

INSTANTIATE_TEST_SUITE_P(Models, Exhaustive, testing::Values(1, 2, 3));

}  // namespace
}  // namespace softalign
