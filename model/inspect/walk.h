#pragma once

#include <cstdint>
#include <vector>

#include "model/search/options.h"
#include "model/search/top_k.h"

namespace softalign {

class Seq2Seq;  // model/seq2seq.h

/// One step of the decoder with everything that it computed on its way to the next token.
/// `source` numbers per row, EOS included.
struct DecoderStep {
  int64_t token = 0;                       // y_t
  double log_prob = 0;                     // log p(y_t | y_1 … y_{t-1}, x)
  std::vector<float> query;                // s_t, or s_{t-1} in Bahdanau's order
  std::vector<std::vector<float>> scores;  // e_t before the softmax, by head; −∞ outside the
                                           // window; empty with score `none`
  std::vector<std::vector<float>> head_weights;  // softmax of each of them
  std::vector<float> weights;                    // α_t: the mean over heads
  std::vector<float> context;                    // a_t
  std::vector<float> attentional_state;          // s̃_t
  std::vector<Choice> next;                      // the most probable tokens in place t, best first
  bool given_weights = false;  // α_t came from an intervention, not from the scores
};

/// Weights to use at one step instead of the model's own.
struct Intervention {
  int64_t step = 0;            // from 0
  std::vector<float> weights;  // one per source token (EOS included), ≥ 0, some > 0; they are
                               // divided by their sum. Empty: the same for all
};

struct WalkOptions {
  SearchOptions search;       // limits of the length
  bool go_on = true;          // after the prefix, with the most probable token, until EOS
  int64_t alternatives = 10;  // length of DecoderStep::next
  std::vector<Intervention> interventions;
};

struct Walk {
  std::vector<DecoderStep> steps;
  bool finished = false;                   // the last token is EOS
  double log_prob = 0;                     // Σ log p(y_t)
  std::vector<std::vector<float>> states;  // h_1 … h_n, EOS included
};

/// Walks through the decoder for one sentence: first along `prefix` (ids without BOS, perhaps with
/// EOS at the end), then on by itself. `source` are ids without EOS. With an intervention at step t
/// the context is a_t = Σ α_ti h_i of the given weights, and everything after it follows from that.
/// Throws Error where an intervention has a wrong number of weights, a weight below 0, or only
/// zeros, where its model has no attention, or where a token can't stand in the prefix.
Walk walk(Seq2Seq& model, const std::vector<int64_t>& source, const std::vector<int64_t>& prefix,
          const WalkOptions& options);

}  // namespace softalign
