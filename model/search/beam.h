#pragma once

#include <vector>

#include "model/search/beam_tree.h"
#include "model/search/constraints.h"
#include "model/search/ensemble.h"
#include "model/search/hypothesis.h"

namespace softalign {

/// Beam search. Step by step, each sentence keeps the `beam` most probable of all one-token
/// extensions of its live hypotheses; those that end in EOS are set aside, the others live on.
/// With beam 1 this is greedy search. Extensions of equal probability keep the order of their
/// hypotheses, then of their tokens. Returned hypotheses are distinct, because each is another path
/// in the tree of prefixes. `tree`, if not null, records how the first sentence was searched.
std::vector<std::vector<Hypothesis>> beam_search(Ensemble& ensemble,
                                                 const std::vector<Constraints>& sentences,
                                                 const SearchOptions& options,
                                                 BeamTree* tree = nullptr);

}  // namespace softalign
