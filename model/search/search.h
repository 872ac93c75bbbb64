#pragma once

#include <cstdint>
#include <vector>

#include "data/batch.h"
#include "model/search/hypothesis.h"
#include "model/search/options.h"
#include "model/seq2seq.h"

namespace softalign {

/// Translates a batch with one model or the average of several models' probabilities (their
/// attention is averaged too). Returns for each sentence up to `nbest` different hypotheses, at
/// least one, best first; finished ones rank before unfinished ones. `prefixes`, if not empty, has
/// for each sentence the tokens (without BOS) that the output must begin with; a prefix may be
/// longer than the length limit. `indices`, if not empty, are the sentences' places in the whole
/// input (else 0, 1, …): sampling draws by place, so that batching doesn't change what is drawn.
/// A sentence's result does not depend on its batch mates. The beam stops when no unfinished
/// hypothesis can beat the nbest-th finished one (the bound is in beam.cpp). PAD and BOS are never
/// generated; UNK may be. Under c10::InferenceMode, in evaluation mode, both restored.
std::vector<std::vector<Hypothesis>> search(std::vector<Seq2Seq>& models,
                                            const SourceBatch& sources,
                                            const SearchOptions& options,
                                            const std::vector<std::vector<int64_t>>& prefixes = {},
                                            const std::vector<int64_t>& indices = {});

}  // namespace softalign
