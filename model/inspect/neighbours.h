#pragma once

#include <ATen/core/Tensor.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/corpus.h"
#include "data/subword.h"
#include "model/config.h"
#include "model/inspect/projection.h"

namespace softalign {

class Seq2Seq;  // model/seq2seq.h

/// encoder: h_i, where the source is read; decoder: s_t, where a target token is chosen; context:
/// a_t, what the decoder was shown for it.
enum class StateKind { encoder, decoder, context };
constexpr Names<StateKind, 3> kStateNames{{{StateKind::encoder, "encoder"},
                                           {StateKind::decoder, "decoder"},
                                           {StateKind::context, "context"}}};

/// A sample of training sentences with the states that the model has in them, by teacher forcing.
struct StateSample {
  struct States {
    at::Tensor vectors;  // [n, width] float
    at::Tensor places;   // [n, 2] int64: sentence, and position in it (EOS counted)
  };
  std::vector<SentencePair> sentences;
  std::array<States, 3> states;  // by StateKind

  const States& of(StateKind kind) const { return states[static_cast<size_t>(kind)]; }
};

/// Draws whole sentences until there are about `count` states on either side; at most `max_length`
/// pieces each. The same ones for the same seed. Under c10::InferenceMode, in evaluation mode,
/// both restored.
StateSample sample_states(Seq2Seq& model, const Corpus& corpus, const Subword& source,
                          const Subword& target, int64_t count, int64_t max_length, uint64_t seed);

/// The folder `neighbours` of a model directory: states.safetensors (<kind>.vectors F16
/// [n, width], <kind>.places I64 [n, 2]) and sentences.tsv (source, tab, target per line), replaced
/// as one unit. `weights_digest` says which weights the states belong to.
void save_sample(const StateSample& sample, const std::string& weights_digest,
                 const std::filesystem::path& folder);

/// Nothing if there is no such folder. Throws Error if it is damaged, or of other weights.
std::optional<StateSample> load_sample(const std::filesystem::path& folder,
                                       const std::string& weights_digest);

struct Neighbour {
  int64_t sentence = 0, position = 0;
  float similarity = 0;       // cosine
  std::array<float, 2> at{};  // in the plane of its kind
};

/// A sample, ready to be searched and drawn.
class Neighbours {
 public:
  explicit Neighbours(StateSample sample);

  /// The `count` states with the largest cosine, best first, at most one per sentence: one product
  /// of [n, width] and [width].
  std::vector<Neighbour> nearest(StateKind kind, const std::vector<float>& state,
                                 int64_t count) const;

  /// Where states lie in the plane of the sample's largest variance; see Projection.
  std::vector<std::array<float, 2>> project(StateKind kind,
                                            const std::vector<std::vector<float>>& states) const;
  double explained(StateKind kind) const { return planes_[static_cast<size_t>(kind)].explained; }
  /// At most `count` states of the sample, evenly chosen, in that plane.
  struct Point {
    std::array<float, 2> at;
    int64_t sentence, position;
  };
  std::vector<Point> points(StateKind kind, int64_t count) const;

  const std::vector<SentencePair>& sentences() const { return sample_.sentences; }
  int64_t size(StateKind kind) const { return sample_.of(kind).vectors.size(0); }

 private:
  std::array<float, 2> project_row(StateKind kind, int64_t row) const;

  StateSample sample_;
  std::array<at::Tensor, 3> directions_;  // vectors of length 1
  std::array<Projection, 3> planes_;
};

}  // namespace softalign
