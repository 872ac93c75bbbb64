#pragma once

#include <vector>

#include "data/batch.h"
#include "model/search/hypothesis.h"
#include "model/search/options.h"
#include "model/seq2seq.h"

namespace softalign {

/// Given outputs as hypotheses, by teacher forcing: log_prob is what the search would have added up
/// on its way to them, with one model or with the average of several models' probabilities.
/// `targets` end with EOS where they are finished; the score has the penalties of `options`. A
/// target without any token has log_prob 0. Under c10::InferenceMode, in evaluation mode, both
/// restored. Throws Error if counts differ or a token isn't in the vocabulary.
std::vector<Hypothesis> score_given(std::vector<Seq2Seq>& models, const SourceBatch& sources,
                                    const std::vector<std::vector<int64_t>>& targets,
                                    const SearchOptions& options);

}  // namespace softalign
