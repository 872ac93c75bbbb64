#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/commands/gold_alignment.h"
#include "app/lab/options.h"
#include "data/corpus.h"

namespace softalign {

/// Sentences that are translated and scored after training.
struct EvaluationSet {
  NamedLines sources, references;
  std::optional<GoldAlignment> gold;  // where the corpus knows the alignment
  /// The first n sentences.
  EvaluationSet first(size_t count) const;
};

/// What the lab trains and evaluates on.
struct LabCorpus {
  Corpus train, valid;
  EvaluationSet test;
  std::string description;  // for the pages
};

/// The embedded corpus: training pairs but for some of each length that are held out, because its
/// test set has few long sentences; test is `test` and those. Quick runs take a part of it. Or,
/// with options.config, the corpus of that config, tested on its validation set or on
/// options.test_source and test_reference.
LabCorpus read_lab_corpus(const LabOptions& options);

/// Takes at most `per_length` sentences of every ten lengths (in characters) beyond `longest_kept`
/// out of `pairs` and returns them: every third one until there are enough.
std::vector<SentencePair> hold_out(std::vector<SentencePair>& pairs, size_t longest_kept,
                                   size_t per_length);

/// Where the embedded corpus lies: beside the installed program, or in the source tree that it was
/// built from. Throws Error naming --corpus if it is in neither.
std::filesystem::path embedded_corpus();

}  // namespace softalign
