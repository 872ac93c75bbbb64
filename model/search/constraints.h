#pragma once

#include <cstdint>
#include <vector>

#include "model/search/options.h"

namespace softalign {

/// What one sentence's outputs may be: lengths, forced prefix, repeated n-grams.
class Constraints {
 public:
  /// source_tokens counts EOS. Where limits contradict each other, the prefix (and one token after
  /// it) goes before the maximum, and the maximum before the minimum.
  Constraints(const SearchOptions& options, int64_t source_tokens, std::vector<int64_t> prefix);

  int64_t source_tokens() const { return source_tokens_; }
  int64_t minimum_length() const { return minimum_length_; }
  int64_t maximum_length() const { return maximum_length_; }
  /// True if `restrict` reads the history.
  bool needs_history() const { return block_ngrams_ > 0; }

  /// Sets to −∞ the log-probabilities [vocabulary] that token number `step` (from 0) can't have
  /// after `history` (all tokens before it; may be empty unless needs_history).
  void restrict(float* log_probs, int64_t vocabulary, int64_t step,
                const std::vector<int64_t>& history) const;

 private:
  void block_repeated_ngrams(float* log_probs, const std::vector<int64_t>& history) const;

  int64_t source_tokens_, minimum_length_, maximum_length_, block_ngrams_;
  std::vector<int64_t> prefix_;
};

}  // namespace softalign
