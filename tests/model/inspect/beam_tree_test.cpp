#include "model/search/beam_tree.h"

#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/search/beam.h"
#include "model/search/search.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

constexpr int64_t kVocabulary = 12;

struct Recorded {
  std::vector<Hypothesis> nbest;
  BeamTree tree;
};

Recorded record(std::vector<Seq2Seq>& models, const std::vector<int64_t>& source,
                const SearchOptions& options) {
  const c10::InferenceMode inference;
  const SourceBatch batch = make_source_batch({source});
  const std::vector<Constraints> constraints{{options, batch.ids.size(1), {}}};
  Ensemble ensemble(models, batch);
  Recorded recorded;
  recorded.nbest = beam_search(ensemble, constraints, options, &recorded.tree).front();
  return recorded;
}

std::vector<int64_t> tokens_to(const BeamTree& tree, int64_t node) {
  std::vector<int64_t> tokens;
  for (; node >= 0; node = tree.nodes[static_cast<size_t>(node)].parent)
    tokens.push_back(tree.nodes[static_cast<size_t>(node)].token);
  std::reverse(tokens.begin(), tokens.end());
  return tokens;
}

TEST(BeamTree, HoldsTheWayToEveryHypothesis) {
  std::vector<Seq2Seq> models{random_model(small_config(kVocabulary), 21)};
  SearchOptions options;
  options.beam = options.nbest = 4;
  const Recorded recorded = record(models, {4, 9, 5, 11}, options);
  const BeamTree& tree = recorded.tree;
  for (const Hypothesis& hypothesis : recorded.nbest) {
    bool found = false;
    for (size_t k = 0; k < tree.nodes.size(); ++k) {
      if (tree.nodes[k].fate != BeamTree::Fate::ended ||
          tokens_to(tree, static_cast<int64_t>(k)) != hypothesis.tokens)
        continue;
      found = true;
      EXPECT_DOUBLE_EQ(tree.nodes[k].log_prob, hypothesis.log_prob);
      EXPECT_DOUBLE_EQ(tree.nodes[k].score, hypothesis.score);
    }
    EXPECT_TRUE(found);
  }
}

TEST(BeamTree, KeepsAtMostTheBeamAndDropsNothingBetter) {
  std::vector<Seq2Seq> models{random_model(small_config(kVocabulary), 22)};
  SearchOptions options;
  options.beam = options.nbest = 3;
  const BeamTree tree = record(models, {4, 9, 5, 11, 6}, options).tree;
  std::map<int64_t, double> worst_kept;
  std::map<int64_t, int64_t> kept;
  for (const BeamTree::Node& node : tree.nodes) {
    if (node.fate == BeamTree::Fate::dropped) continue;
    ++kept[node.step];
    const auto [place, is_new] = worst_kept.emplace(node.step, node.log_prob);
    if (!is_new) place->second = std::min(place->second, node.log_prob);
  }
  int64_t dropped = 0;
  for (const BeamTree::Node& node : tree.nodes) {
    EXPECT_LE(kept[node.step], options.beam);
    if (node.parent >= 0) {
      const BeamTree::Node& parent = tree.nodes[static_cast<size_t>(node.parent)];
      EXPECT_EQ(parent.step + 1, node.step);
      EXPECT_EQ(parent.fate, BeamTree::Fate::kept);
      EXPECT_GE(parent.log_prob, node.log_prob);
    } else {
      EXPECT_EQ(node.step, 0);
    }
    if (node.fate != BeamTree::Fate::dropped) continue;
    ++dropped;
    EXPECT_LE(node.log_prob, worst_kept[node.step]);
  }
  EXPECT_GT(dropped, 0);
}

TEST(BeamTree, RecordingDoesNotChangeTheSearch) {
  std::vector<Seq2Seq> models{random_model(small_config(kVocabulary), 23)};
  SearchOptions options;
  options.beam = options.nbest = 5;
  const std::vector<Hypothesis> plain =
      search(models, make_source_batch({{4, 9, 5}}), options).front();
  const std::vector<Hypothesis> recorded = record(models, {4, 9, 5}, options).nbest;
  ASSERT_EQ(plain.size(), recorded.size());
  for (size_t k = 0; k < plain.size(); ++k) EXPECT_EQ(plain[k].tokens, recorded[k].tokens);
}

}  // namespace
}  // namespace softalign
