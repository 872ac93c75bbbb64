#pragma once

#include <string>
#include <vector>

#include "model/inspect/walk.h"
#include "model/search/beam_tree.h"
#include "model/search/source_text.h"
#include "model/search/translator.h"

namespace softalign {

/// A walk with the texts behind its ids.
struct Explanation {
  SourceText source;
  std::vector<std::string> tokens;  // of the target, one per step
  std::string translation;
  Walk walk;
};

/// Walks through `line` with the translator's first model; see `walk`. A blank line has no steps.
/// `prefix` are target ids. The source is cut after `max_source_tokens`.
Explanation explain(Translator& translator, const std::string& line,
                    const std::vector<int64_t>& prefix, const WalkOptions& options,
                    int64_t max_source_tokens);

/// Ids of a target text, without EOS, as training would have seen it.
std::vector<int64_t> target_ids(const Translator& translator, const std::string& text);

/// A beam search with everything that it looked at.
struct ExploredBeam {
  SourceText source;
  BeamTree tree;
  std::vector<std::string> tokens;  // of each node of the tree
  std::vector<Candidate> nbest;     // best first; text, score and ids
};
/// Searches `line` with the translator's models, whose probabilities are averaged. A blank line has
/// an empty tree.
ExploredBeam explore_beam(Translator& translator, const std::string& line,
                          const SearchOptions& options, const std::vector<int64_t>& prefix,
                          int64_t max_source_tokens);

}  // namespace softalign
