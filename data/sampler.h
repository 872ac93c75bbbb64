#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace softalign {

struct SamplerConfig {
  int64_t batch_tokens = 4096;  // upper limit of padded target tokens (EOS included) in a batch…
  int64_t batch_sentences = 0;  // …or of sentences, where this is not 0
  int64_t bucket_batches = 50;  // sentences of similar length are sought among this many batches
  uint64_t seed = 1;
};

/// Draws the batches of an epoch: all sentences exactly once, in a seeded random order, with
/// sentences of similar length together. Every epoch has another order. Position and random state
/// can be saved, so that a resumed run sees the same batches.
class Sampler {
 public:
  /// `lengths[i]` = {source, target} tokens of sentence i.
  Sampler(std::vector<std::pair<int64_t, int64_t>> lengths, const SamplerConfig& config);

  /// Corpus positions of the next batch; nothing at the end of an epoch (the next call starts the
  /// next one). A sentence longer than the budget gets a batch of its own.
  std::optional<std::vector<int64_t>> next();

  int64_t epoch() const;              // completed epochs
  int64_t batches_per_epoch() const;  // of the current epoch's order

  /// A text that `restore` understands: epoch, position in it, random state.
  std::string state() const;
  /// Throws Error if the text isn't a state for a corpus of this size and config.
  void restore(const std::string& state);

 private:
  void start_epoch();

  std::vector<std::pair<int64_t, int64_t>> lengths_;
  SamplerConfig config_;
  std::mt19937_64 random_;
  std::string epoch_random_;                   // random state at the epoch's start
  std::vector<std::vector<int64_t>> batches_;  // this epoch's order
  size_t cursor_ = 0;
  int64_t epoch_ = 0;
  bool started_ = false;
};

/// Fisher–Yates with `random`, the same on every standard library.
void shuffle(std::vector<int64_t>& values, std::mt19937_64& random);
/// Uniform in [0, bound).
uint64_t uniform(uint64_t bound, std::mt19937_64& random);
/// Uniform in [0, 1), 53 bits.
double uniform_real(std::mt19937_64& random);

}  // namespace softalign
