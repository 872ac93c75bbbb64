#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/search/constraints.h"
#include "model/search/ensemble.h"
#include "model/search/hypothesis.h"
#include "model/search/top_k.h"

namespace softalign {

/// Picks path number `path`'s next token from its (constrained) log p(y_t) [vocabulary]; nothing
/// if no token is possible.
using Choose =
    std::function<std::optional<Choice>(size_t path, const float* log_probs, int64_t vocabulary)>;

/// Follows one path per row of the ensemble, without branching, until EOS or the length limit.
/// Paths that have ended leave the batch. Returns one hypothesis per path.
std::vector<Hypothesis> follow_paths(Ensemble& ensemble,
                                     const std::vector<const Constraints*>& paths,
                                     const SearchOptions& options, const Choose& choose);

/// The most probable token at every step: beam search with beam 1, without its bookkeeping.
std::vector<std::vector<Hypothesis>> greedy_search(Ensemble& ensemble,
                                                   const std::vector<Constraints>& sentences,
                                                   const SearchOptions& options);

/// Draws options.nbest outputs per sentence: y_t ~ p(y_t)^(1/temperature) over the top_k most
/// probable tokens. log_prob stays that of the model. Draw d of the sentence at place `index` of
/// the input has a generator of its own, seeded with (seed, index, d). Equal draws are merged.
std::vector<std::vector<Hypothesis>> sample_outputs(Ensemble& ensemble,
                                                    const std::vector<Constraints>& sentences,
                                                    const std::vector<int64_t>& indices,
                                                    const SearchOptions& options);

}  // namespace softalign
