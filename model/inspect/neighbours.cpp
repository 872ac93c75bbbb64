#include "model/inspect/neighbours.h"

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <random>
#include <set>

#include "data/batch.h"
#include "data/error.h"
#include "data/file.h"
#include "data/sha256.h"
#include "model/search/ensemble.h"
#include "model/search/top_k.h"
#include "model/seq2seq.h"
#include "model/training/safetensors.h"

namespace softalign {
namespace {

using at::Tensor;
namespace fs = std::filesystem;

constexpr size_t kSentencesPerBatch = 32;
constexpr const char* kDigest = "weights_sha256";
constexpr const char* kSentencesDigest = "sentences_sha256";

fs::path states_file(const fs::path& folder) { return folder / "states.safetensors"; }
fs::path sentences_file(const fs::path& folder) { return folder / "sentences.tsv"; }

std::string name_of_kind(size_t kind) { return std::string(kStateNames[kind].second); }

/// A field of a TSV line: tabs and line ends would end it.
std::string field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string table_of(const std::vector<SentencePair>& sentences) {
  std::string table;
  for (const SentencePair& pair : sentences)
    table += field(pair.source) + "\t" + field(pair.target) + "\n";
  return table;
}

/// Positions of all pairs in random order (Fisher–Yates).
std::vector<size_t> shuffled(size_t count, uint64_t seed) {
  std::vector<size_t> order(count);
  for (size_t i = 0; i < count; ++i) order[i] = i;
  std::mt19937_64 random(seed);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

/// Appends the states of real tokens, [batch, time, width], and where they stand.
void collect(const Tensor& states, const std::vector<int64_t>& lengths, int64_t first_sentence,
             std::vector<Tensor>& vectors, std::vector<int64_t>& places) {
  for (size_t b = 0; b < lengths.size(); ++b) {
    vectors.push_back(on_host(states[static_cast<int64_t>(b)].narrow(0, 0, lengths[b])));
    for (int64_t i = 0; i < lengths[b]; ++i) {
      places.push_back(first_sentence + static_cast<int64_t>(b));
      places.push_back(i);
    }
  }
}

std::vector<int64_t> as_vector(const Tensor& lengths) {
  return {lengths.data_ptr<int64_t>(), lengths.data_ptr<int64_t>() + lengths.numel()};
}

}  // namespace

StateSample sample_states(Seq2Seq& model, const Corpus& corpus, const Subword& source,
                          const Subword& target, int64_t count, int64_t max_length, uint64_t seed) {
  const c10::InferenceMode inference;
  std::vector<Seq2Seq> models{model};
  const EvaluationMode evaluation(models);
  StateSample sample;
  Corpus drawn;
  int64_t source_states = 0, target_states = 0;
  for (const size_t i : shuffled(corpus.pairs.size(), seed)) {
    if (std::max(source_states, target_states) >= count) break;
    const SentencePair& pair = corpus.pairs[i];
    const auto on_source = static_cast<int64_t>(source.encode(pair.source).size());
    const auto on_target = static_cast<int64_t>(target.encode(pair.target).size());
    if (on_source == 0 || on_target == 0 || std::max(on_source, on_target) > max_length) continue;
    source_states += on_source + 1;
    target_states += on_target + 1;
    drawn.pairs.push_back({pair.source, pair.target, {}, {}, {}});
  }
  const EncodedCorpus encoded = encode_corpus(drawn, source, target, /*max_length=*/0);
  sample.sentences = std::move(drawn.pairs);

  std::array<std::vector<Tensor>, 3> vectors;
  std::array<std::vector<int64_t>, 3> places;
  for (size_t begin = 0; begin < encoded.pairs.size(); begin += kSentencesPerBatch) {
    const size_t end = std::min(encoded.pairs.size(), begin + kSentencesPerBatch);
    std::vector<const EncodedPair*> pairs;
    std::vector<int64_t> positions;
    for (size_t i = begin; i < end; ++i) {
      pairs.push_back(&encoded.pairs[i]);
      positions.push_back(static_cast<int64_t>(i));
    }
    const Batch batch = make_batch(pairs, positions);
    const Batch there = batch.to(device_of(model));
    Memory memory = model->encode(there.source, there.source_lengths);
    const Attended attended = model->decode(there.target_in, memory);
    const auto first = static_cast<int64_t>(begin);
    const std::vector<int64_t> target_lengths = as_vector(batch.target_lengths);
    collect(memory.states, as_vector(batch.source_lengths), first, vectors[0], places[0]);
    collect(attended.query, target_lengths, first, vectors[1], places[1]);
    collect(attended.context, target_lengths, first, vectors[2], places[2]);
  }
  for (size_t kind = 0; kind < vectors.size(); ++kind) {
    StateSample::States& states = sample.states[kind];
    states.vectors = vectors[kind].empty() ? at::zeros({0, 2}) : at::cat(vectors[kind]);
    states.places = at::tensor(places[kind], at::kLong).view({-1, 2});
  }
  return sample;
}

void save_sample(const StateSample& sample, const std::string& weights_digest,
                 const fs::path& folder) {
  const std::string table = table_of(sample.sentences);
  NamedTensors tensors;
  for (size_t kind = 0; kind < sample.states.size(); ++kind) {
    const std::string name = name_of_kind(kind);
    tensors.emplace_back(name + ".vectors", sample.states[kind].vectors.to(at::kHalf));
    tensors.emplace_back(name + ".places", sample.states[kind].places);
  }
  const std::string states =
      to_safetensors(tensors, {{kDigest, weights_digest}, {kSentencesDigest, sha256(table)}});
  replace_folder(folder, [&](const fs::path& temporary) {
    write_atomically(sentences_file(temporary), table);
    write_atomically(states_file(temporary), states);
  });
}

std::optional<StateSample> load_sample(const fs::path& folder, const std::string& weights_digest) {
  if (!fs::exists(folder)) return std::nullopt;
  const LoadedTensors loaded = load_safetensors(states_file(folder));
  const auto value = [&](const char* key) {
    const auto found = loaded.metadata.find(key);
    return found == loaded.metadata.end() ? std::string() : found->second;
  };
  const std::string table = read_bytes(sentences_file(folder));
  if (value(kDigest) != weights_digest)
    throw Error(folder.string() +
                " holds states of other weights than the model's: remove it, or train again");
  if (value(kSentencesDigest) != sha256(table))
    throw Error(sentences_file(folder).string() +
                " is not the one that its states belong to: remove the folder, or train again");
  StateSample sample;
  for (const std::string& line : read_lines(sentences_file(folder))) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos)
      throw Error(sentences_file(folder).string() + " is damaged: a line has no tab");
    sample.sentences.push_back({line.substr(0, tab), line.substr(tab + 1), {}, {}, {}});
  }
  for (size_t kind = 0; kind < sample.states.size(); ++kind) {
    const std::string name = name_of_kind(kind);
    StateSample::States& states = sample.states[kind];
    states.vectors = find_tensor(loaded.tensors, name + ".vectors");
    states.places = find_tensor(loaded.tensors, name + ".places");
    if (!states.vectors.defined() || !states.places.defined() || states.vectors.dim() != 2 ||
        states.places.dim() != 2 || states.places.size(1) != 2 ||
        states.places.size(0) != states.vectors.size(0) ||
        (states.places.numel() > 0 && (states.places.select(1, 0).max().item<int64_t>() >=
                                           static_cast<int64_t>(sample.sentences.size()) ||
                                       states.places.min().item<int64_t>() < 0)))
      throw Error(states_file(folder).string() + " has no usable states of the kind " + name);
    states.vectors = states.vectors.to(at::kFloat);
  }
  return sample;
}

Neighbours::Neighbours(StateSample sample) : sample_(std::move(sample)) {
  constexpr double kSmallest = 1e-12;  // a state of zeros is near to nothing
  for (size_t kind = 0; kind < sample_.states.size(); ++kind) {
    const Tensor& vectors = sample_.states[kind].vectors;
    directions_[kind] = vectors / vectors.norm(2, 1, /*keepdim=*/true).clamp_min(kSmallest);
    if (vectors.size(0) > 0) planes_[kind] = principal_plane(vectors);
  }
}

std::vector<Neighbour> Neighbours::nearest(StateKind kind, const std::vector<float>& state,
                                           int64_t count) const {
  const Tensor& directions = directions_[static_cast<size_t>(kind)];
  const Tensor query = at::tensor(state);
  if (directions.size(0) == 0 || directions.size(1) != query.size(0)) return {};
  const Tensor cosines = directions.mv(query / query.norm().clamp_min(1e-12)).contiguous();  // [n]
  const int64_t* places = sample_.of(kind).places.data_ptr<int64_t>();
  std::vector<Neighbour> found;
  std::set<int64_t> sentences;
  // A sentence may have several states among the nearest: look at more until enough are different.
  for (int64_t looked_at = count * 4; static_cast<int64_t>(found.size()) < count; looked_at *= 4) {
    const std::vector<Choice> best =
        top_k(cosines.data_ptr<float>(), cosines.numel(), std::min(looked_at, cosines.numel()));
    found.clear();
    sentences.clear();
    for (const Choice& choice : best) {
      const int64_t* place = places + 2 * choice.token;
      if (static_cast<int64_t>(found.size()) < count && sentences.insert(place[0]).second)
        found.push_back({place[0], place[1], choice.log_prob, project_row(kind, choice.token)});
    }
    if (looked_at >= cosines.numel()) break;
  }
  return found;
}

std::array<float, 2> Neighbours::project_row(StateKind kind, int64_t row) const {
  const Tensor at = planes_[static_cast<size_t>(kind)].apply(
      sample_.of(kind).vectors.narrow(0, row, 1));  // [1, 2]
  return {at[0][0].item<float>(), at[0][1].item<float>()};
}

std::vector<std::array<float, 2>> Neighbours::project(
    StateKind kind, const std::vector<std::vector<float>>& states) const {
  std::vector<std::array<float, 2>> result;
  const Projection& plane = planes_[static_cast<size_t>(kind)];
  if (!plane.axes.defined()) return result;
  for (const std::vector<float>& state : states) {
    if (static_cast<int64_t>(state.size()) != plane.mean.size(0)) return {};
    const Tensor at = plane.apply(at::tensor(state).unsqueeze(0)).contiguous();
    result.push_back({at.data_ptr<float>()[0], at.data_ptr<float>()[1]});
  }
  return result;
}

std::vector<Neighbours::Point> Neighbours::points(StateKind kind, int64_t count) const {
  std::vector<Point> result;
  const StateSample::States& states = sample_.of(kind);
  const int64_t total = states.vectors.size(0);
  if (total == 0) return result;
  const Tensor all = planes_[static_cast<size_t>(kind)].apply(states.vectors).contiguous();
  const float* at = all.data_ptr<float>();
  const int64_t* places = states.places.data_ptr<int64_t>();
  const int64_t shown = std::min(count, total);
  for (int64_t k = 0; k < shown; ++k) {
    const int64_t i = k * total / shown;
    result.push_back({{at[2 * i], at[2 * i + 1]}, places[2 * i], places[2 * i + 1]});
  }
  return result;
}

}  // namespace softalign
