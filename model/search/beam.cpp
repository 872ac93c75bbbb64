#include "model/search/beam.h"

#include <algorithm>

#include "data/subword.h"
#include "model/search/penalties.h"
#include "model/search/top_k.h"
#include "model/search/trace.h"

namespace softalign {
namespace {

/// A prefix that isn't finished, and the row of the batch that it comes from.
struct Live {
  int64_t node = Trace::kRoot;
  int64_t row = 0;
  int64_t token = kBos;  // its last
  double log_prob = 0;
  int64_t in_tree = -1;  // node of the recorded tree
};

struct Extension {
  size_t parent;  // index of the live hypothesis
  int64_t token;
  double log_prob;
};

/// The beam of one sentence.
class SentenceBeam {
 public:
  SentenceBeam(const Constraints& constraints, const SearchOptions& options, BeamTree* tree)
      : constraints_(constraints), options_(options), tree_(tree), live_(1) {}

  /// Extends the live hypotheses, whose rows begin at `first_row`, by token number `step`.
  void advance(Trace& trace, const Ensemble::Step& output, int64_t first_row, int64_t step) {
    std::vector<Extension> best = sorted_extensions(trace, output, first_row, step);
    const int64_t first_in_tree = record(best, step);
    if (best.size() > static_cast<size_t>(options_.beam))
      best.resize(static_cast<size_t>(options_.beam));
    std::vector<Live> extended;
    int64_t in_tree = first_in_tree;
    for (const Extension& extension : best) {
      const int64_t row = first_row + static_cast<int64_t>(extension.parent);
      const int64_t node = trace.add(live_[extension.parent].node, row, extension.token);
      const Live next{node, row, extension.token, extension.log_prob, in_tree++};
      if (extension.token == kEos)
        end(trace, next, true);
      else if (step + 1 == constraints_.maximum_length())
        end(trace, next, false);
      else
        extended.push_back(next);
    }
    if (best.empty())  // everything is forbidden
      for (const Live& live : live_) end(trace, live, false);
    live_ = std::move(extended);
    if (nothing_better_can_come()) live_.clear();
  }

  bool is_done() const { return live_.empty(); }
  const std::vector<Live>& live() const { return live_; }

  std::vector<Hypothesis> take_results() { return std::move(ended_); }

 private:
  /// Best first; the first `beam` of them live on.
  std::vector<Extension> sorted_extensions(const Trace& trace, const Ensemble::Step& output,
                                           int64_t first_row, int64_t step) const {
    const int64_t vocabulary = output.log_probs.size(1);
    std::vector<Extension> extensions;
    for (size_t k = 0; k < live_.size(); ++k) {
      float* log_probs =
          output.log_probs.data_ptr<float>() + (first_row + static_cast<int64_t>(k)) * vocabulary;
      constraints_.restrict(
          log_probs, vocabulary, step,
          constraints_.needs_history() ? trace.tokens(live_[k].node) : std::vector<int64_t>{});
      // The best `beam` of all are among the best `beam` of each row.
      for (const Choice& choice : top_k(log_probs, vocabulary, options_.beam))
        extensions.push_back({k, choice.token, live_[k].log_prob + choice.log_prob});
    }
    // Rows come in order and top_k puts the lower of equal tokens first, so a stable sort keeps
    // the promised order of equals.
    std::stable_sort(
        extensions.begin(), extensions.end(),
        [](const Extension& a, const Extension& b) { return a.log_prob > b.log_prob; });
    return extensions;
  }

  /// Adds nodes to the recorded tree, one per extension; returns the first one's index.
  int64_t record(const std::vector<Extension>& extensions, int64_t step) const {
    if (tree_ == nullptr) return 0;
    const auto first = static_cast<int64_t>(tree_->nodes.size());
    for (size_t k = 0; k < extensions.size(); ++k) {
      const Extension& extension = extensions[k];
      const bool kept = k < static_cast<size_t>(options_.beam);
      tree_->nodes.push_back({live_[extension.parent].in_tree, step, extension.token,
                              extension.log_prob,
                              kept ? BeamTree::Fate::kept : BeamTree::Fate::dropped, 0});
    }
    return first;
  }

  void end(const Trace& trace, const Live& live, bool finished) {
    Hypothesis hypothesis = trace.hypothesis(live.node, constraints_.source_tokens());
    hypothesis.log_prob = live.log_prob;
    hypothesis.finished = finished;
    hypothesis.score = penalised_score(options_, hypothesis);
    if (tree_ != nullptr && live.in_tree >= 0) {
      BeamTree::Node& node = tree_->nodes[static_cast<size_t>(live.in_tree)];
      node.fate = BeamTree::Fate::ended;
      node.score = hypothesis.score;
    }
    ended_.insert(std::upper_bound(ended_.begin(), ended_.end(), hypothesis, ranks_before),
                  std::move(hypothesis));
    if (ended_.size() > static_cast<size_t>(options_.nbest)) ended_.pop_back();
  }

  /// True once nbest hypotheses are finished and no completion of a live one can rank before the
  /// last of them: its score is at most score_bound, and of equal scores the one that ended first
  /// ranks first.
  bool nothing_better_can_come() const {
    if (ended_.size() < static_cast<size_t>(options_.nbest) || !ended_.back().finished)
      return false;
    return std::all_of(live_.begin(), live_.end(), [this](const Live& live) {
      return score_bound(options_, live.log_prob, constraints_.maximum_length()) <=
             ended_.back().score;
    });
  }

  const Constraints& constraints_;
  const SearchOptions& options_;
  BeamTree* tree_;
  std::vector<Live> live_;
  std::vector<Hypothesis> ended_;  // the nbest best so far, best first
};

}  // namespace

std::vector<std::vector<Hypothesis>> beam_search(Ensemble& ensemble,
                                                 const std::vector<Constraints>& sentences,
                                                 const SearchOptions& options, BeamTree* tree) {
  std::vector<SentenceBeam> beams;
  for (const Constraints& sentence : sentences)
    beams.emplace_back(sentence, options, beams.empty() ? tree : nullptr);
  std::vector<SentenceBeam*> active;
  for (SentenceBeam& beam : beams) active.push_back(&beam);
  std::vector<int64_t> tokens(beams.size(), kBos);
  Trace trace;
  for (int64_t step = 0; !active.empty(); ++step) {
    const Ensemble::Step output = ensemble.step(tokens);
    trace.begin_step(output.weights);
    int64_t first_row = 0;
    for (SentenceBeam* beam : active) {
      const auto rows = static_cast<int64_t>(beam->live().size());
      beam->advance(trace, output, first_row, step);
      first_row += rows;
    }
    active.erase(std::remove_if(active.begin(), active.end(),
                                [](const SentenceBeam* beam) { return beam->is_done(); }),
                 active.end());
    std::vector<int64_t> rows;
    tokens.clear();
    for (SentenceBeam* beam : active)
      for (const Live& live : beam->live()) {
        rows.push_back(live.row);
        tokens.push_back(live.token);
      }
    if (!active.empty()) ensemble.select(rows);
  }
  std::vector<std::vector<Hypothesis>> results;
  for (SentenceBeam& beam : beams) results.push_back(beam.take_results());
  return results;
}

}  // namespace softalign
