#pragma once

#include <cstdint>
#include <vector>

namespace softalign {

/// Everything that a beam search looked at: each node extends its parent by one token.
struct BeamTree {
  enum class Fate { kept, ended, dropped };
  struct Node {
    int64_t parent = -1;  // index of a node; -1: the beginning of the sentence
    int64_t step = 0;     // place of the token in the output, from 0
    int64_t token = 0;
    double log_prob = 0;  // of all tokens up to this one
    Fate fate = Fate::dropped;
    double score = 0;  // with the penalties; of ended ones
  };
  std::vector<Node> nodes;  // parents before children; of one parent, best first
};

}  // namespace softalign
