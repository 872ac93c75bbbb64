#include "model/inspect/neighbours.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/error.h"
#include "data/file.h"
#include "model/inspect/walk.h"
#include "tests/model/search/small_models.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

Corpus small_corpus() {
  Corpus corpus;
  for (int i = 0; i < 60; ++i) {
    const std::string a(1, static_cast<char>('a' + i % 7)), b(1, static_cast<char>('a' + i % 5)),
        c(1, static_cast<char>('a' + i % 3));
    corpus.pairs.push_back({a + b + " " + c, b + " " + a + c, {}, {}, {}});
  }
  return corpus;
}

Subword characters() {
  SubwordConfig config;
  config.kind = SubwordKind::character;
  config.vocabulary_size = 30;
  const Corpus corpus = small_corpus();
  size_t next = 0;
  return Subword::train(
      config,
      [&]() -> std::optional<std::string> {
        if (next == corpus.pairs.size()) return std::nullopt;
        return corpus.pairs[next++].source;
      },
      1, [](const std::string&) {});
}

struct Fixture {
  Subword subword = characters();
  Seq2Seq model = random_model(small_config(subword.size()), 31, 2.0);
  StateSample sample = sample_states(model, small_corpus(), subword, subword, 100, 50, /*seed=*/7);
};

TEST(StateSample, HoldsTheStatesOfItsSentences) {
  Fixture fixture;
  const StateSample& sample = fixture.sample;
  EXPECT_GE(sample.of(StateKind::encoder).vectors.size(0), 90);
  EXPECT_LE(sample.of(StateKind::encoder).vectors.size(0), 110);
  EXPECT_LT(sample.sentences.size(), small_corpus().pairs.size());
  for (const size_t sentence : {size_t{0}, sample.sentences.size() - 1}) {
    const SentencePair& pair = sample.sentences[sentence];
    std::vector<int64_t> target = fixture.subword.encode(pair.target);
    target.push_back(kEos);
    const Walk expected = walk(fixture.model, fixture.subword.encode(pair.source), target, {});
    for (const auto kind : {StateKind::encoder, StateKind::decoder, StateKind::context}) {
      const StateSample::States& states = sample.of(kind);
      int64_t found = 0;
      for (int64_t row = 0; row < states.places.size(0); ++row) {
        if (states.places[row][0].item<int64_t>() != static_cast<int64_t>(sentence)) continue;
        const auto position = static_cast<size_t>(states.places[row][1].item<int64_t>());
        const std::vector<float>& state = kind == StateKind::encoder ? expected.states[position]
                                          : kind == StateKind::decoder
                                              ? expected.steps[position].query
                                              : expected.steps[position].context;
        EXPECT_LT((states.vectors[row] - at::tensor(state)).abs().max().item<float>(), 1e-5F);
        ++found;
      }
      EXPECT_EQ(found, static_cast<int64_t>(kind == StateKind::encoder ? expected.states.size()
                                                                       : expected.steps.size()));
    }
  }
}

TEST(StateSample, IsTheSameForTheSameSeed) {
  Fixture one, other;
  EXPECT_TRUE(
      one.sample.of(StateKind::encoder).places.equal(other.sample.of(StateKind::encoder).places));
  EXPECT_EQ(one.sample.sentences.front().source, other.sample.sentences.front().source);
}

TEST(Neighbours, AreTheNearestByCosine) {
  Fixture fixture;
  const at::Tensor vectors = fixture.sample.of(StateKind::decoder).vectors;
  const at::Tensor places = fixture.sample.of(StateKind::decoder).places;
  const Neighbours neighbours(fixture.sample);
  at::manual_seed(2);
  const at::Tensor query = at::randn({vectors.size(1)});
  const std::vector<float> state(query.data_ptr<float>(), query.data_ptr<float>() + query.numel());
  const std::vector<Neighbour> found = neighbours.nearest(StateKind::decoder, state, 5);

  std::vector<std::pair<double, int64_t>> all;  // (−cosine, sentence)
  for (int64_t row = 0; row < vectors.size(0); ++row) {
    double dot = 0, a = 0, b = 0;
    for (size_t k = 0; k < state.size(); ++k) {
      const double x = state[k], y = vectors[row][static_cast<int64_t>(k)].item<double>();
      dot += x * y;
      a += x * x;
      b += y * y;
    }
    all.emplace_back(-dot / std::sqrt(a * b), places[row][0].item<int64_t>());
  }
  std::sort(all.begin(), all.end());
  std::set<int64_t> seen;
  std::vector<std::pair<double, int64_t>> expected;
  for (const auto& one : all)
    if (expected.size() < 5 && seen.insert(one.second).second) expected.push_back(one);
  ASSERT_EQ(found.size(), 5U);
  for (size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k].similarity, -expected[k].first, 1e-5);
    EXPECT_EQ(found[k].sentence, expected[k].second);
  }
}

TEST(Neighbours, OfAStateOfTheSampleBeginWithItself) {
  Fixture fixture;
  const at::Tensor row = fixture.sample.of(StateKind::encoder).vectors[3].contiguous();
  const std::vector<float> state(row.data_ptr<float>(), row.data_ptr<float>() + row.numel());
  const Neighbours neighbours(fixture.sample);
  const Neighbour first = neighbours.nearest(StateKind::encoder, state, 3).front();
  EXPECT_NEAR(first.similarity, 1.0F, 1e-5F);
  const auto projected = neighbours.project(StateKind::encoder, {state}).front();
  EXPECT_NEAR(projected[0], first.at[0], 1e-4F);
  EXPECT_NEAR(projected[1], first.at[1], 1e-4F);
}

TEST(StateSampleFile, ComesBack) {
  Fixture fixture;
  const TempDir folder;
  EXPECT_FALSE(load_sample(folder / "neighbours", "abc").has_value());
  save_sample(fixture.sample, "abc", folder / "neighbours");
  const StateSample loaded = *load_sample(folder / "neighbours", "abc");
  ASSERT_EQ(loaded.sentences.size(), fixture.sample.sentences.size());
  EXPECT_EQ(loaded.sentences[5].target, fixture.sample.sentences[5].target);
  for (size_t kind = 0; kind < 3; ++kind) {
    EXPECT_TRUE(loaded.states[kind].places.equal(fixture.sample.states[kind].places));
    EXPECT_LT((loaded.states[kind].vectors - fixture.sample.states[kind].vectors)
                  .abs()
                  .max()
                  .item<float>(),
              2e-3F);  // half precision
  }
}

TEST(StateSampleFile, OfOtherWeightsOrDamagedIsRefused) {
  Fixture fixture;
  const TempDir folder;
  const auto path = folder / "neighbours";
  save_sample(fixture.sample, "abc", path);
  EXPECT_THROW(load_sample(path, "other"), Error);
  const std::string bytes = read_bytes(path / "states.safetensors");
  write_atomically(path / "states.safetensors", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(load_sample(path, "abc"), Error);
  write_atomically(path / "states.safetensors", bytes);
  write_atomically(path / "sentences.tsv", "a\tb\n");
  EXPECT_THROW(load_sample(path, "abc"), Error);
}

}  // namespace
}  // namespace softalign
