#pragma once

#include <string>
#include <vector>

#include "app/config/experiment.h"
#include "data/corpus.h"

namespace softalign {

/// What training is about to see, as lines for people: pairs kept and dropped and why, tokens,
/// lengths, unknown rates, duplicates, overlap of training and validation text.
/// `valid` may be empty.
std::vector<std::string> summarize(const Corpus& train, const EncodedCorpus& encoded_train,
                                   const Corpus& valid, const EncodedCorpus& encoded_valid,
                                   int64_t max_length);

/// Estimated peak memory of a training in bytes: the program, weights with gradient, moments and
/// copies, and what a full batch keeps for the backward pass.
double estimated_memory(const ExperimentConfig& config, int64_t parameters);

}  // namespace softalign
