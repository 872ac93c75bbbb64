#pragma once

#include <cstdint>
#include <vector>

#include "data/corpus.h"
#include "model/seq2seq.h"

namespace softalign {

/// How well given targets are predicted by teacher forcing; sums over their tokens, EOS included.
struct Likelihood {
  double log_prob = 0;  // Σ log p(y_t), natural logarithm
  int64_t correct = 0;  // tokens whose probability is the largest of all
  int64_t tokens = 0;
};

/// With one model or with the average of several models' probabilities. The pairs go through in
/// batches of similar length. Under c10::InferenceMode, in evaluation mode, both restored.
Likelihood likelihood(std::vector<Seq2Seq>& models, const std::vector<EncodedPair>& pairs,
                      int64_t batch_sentences);

}  // namespace softalign
