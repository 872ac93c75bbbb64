#pragma once

#include <string>

#include "model/inspect/explorer.h"

namespace softalign {

/// One step for a terminal: where the model looked, as bars, and the most probable next tokens.
/// `step` from 0.
std::string render_step(const Explanation& explanation, size_t step, const Subword& target);

/// Why this token: for the source tokens with the largest weights the score, exp(e − max) and the
/// weight, so that the softmax can be checked, and what else could have been written.
std::string render_why(const Explanation& explanation, size_t step, const Subword& target);

/// The beam as a tree, one line per node: how probable each beginning was, which ones ended (with
/// their score), and how many were dropped beside them.
std::string render_beam_tree(const ExploredBeam& beam);

}  // namespace softalign
