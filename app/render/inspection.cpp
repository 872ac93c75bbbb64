#include "app/render/inspection.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "app/log.h"
#include "app/render/label.h"
#include "data/unicode.h"

namespace softalign {
namespace {

constexpr int64_t kBarWidth = 30;
constexpr double kLeastShown = 0.005;
constexpr size_t kAlternativesInWhy = 5;

std::string padded(const std::string& text, int64_t width) {
  return text +
         std::string(static_cast<size_t>(std::max<int64_t>(0, width - display_width(text))), ' ');
}

std::string right(const std::string& text, int64_t width) {
  return std::string(static_cast<size_t>(std::max<int64_t>(0, width - display_width(text))), ' ') +
         text;
}

std::string percent(double share) { return right(fixed(100 * share, 1), 5) + " %"; }

std::string bar(double share) {
  std::string text;
  for (int64_t k = 0; k < std::llround(share * static_cast<double>(kBarWidth)); ++k) text += "█";
  return text;
}

std::vector<std::string> texts_of(const std::vector<std::string>& tokens) {
  std::vector<std::string> texts;
  for (Label& label : labels_of(tokens, /*words=*/false)) texts.push_back(std::move(label.text));
  return texts;
}

int64_t widest(const std::vector<std::string>& texts) {
  int64_t width = 0;
  for (const std::string& text : texts) width = std::max(width, display_width(text));
  return width;
}

/// Positions of the source, heaviest first, without those that hardly count.
std::vector<size_t> heaviest(const std::vector<float>& weights) {
  std::vector<size_t> order(weights.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return weights[a] > weights[b]; });
  order.erase(std::remove_if(order.begin() + (order.empty() ? 0 : 1), order.end(),
                             [&](size_t i) { return weights[i] < kLeastShown; }),
              order.end());
  return order;
}

std::string heading(const Explanation& explanation, size_t step) {
  const std::vector<std::string> targets = texts_of(explanation.tokens);
  std::string line;
  for (size_t t = 0; t < targets.size(); ++t)
    line += (t > 0 ? " " : "") + (t == step ? "[" + targets[t] + "]" : targets[t]);
  return "step " + std::to_string(step + 1) + " of " + std::to_string(targets.size()) + ": " +
         line + "\n";
}

std::string alternatives(const DecoderStep& step, const Subword& target, size_t count) {
  std::string line = "  could be:";
  for (size_t k = 0; k < std::min(count, step.next.size()); ++k)
    line += (k > 0 ? "," : "") + std::string(" ") +
            texts_of({target.piece(step.next[k].token)}).front() + " " +
            fixed(100 * std::exp(static_cast<double>(step.next[k].log_prob)), 1) + " %";
  return line + "\n";
}

/// The nodes of a tree that a reader wants: those that were kept or ended, under their parents.
class TreeLines {
 public:
  explicit TreeLines(const ExploredBeam& beam) : beam_(beam) {
    for (size_t k = 0; k < beam.tree.nodes.size(); ++k) {
      const BeamTree::Node& node = beam.tree.nodes[k];
      auto& list = node.fate == BeamTree::Fate::dropped ? dropped_ : children_;
      list[node.parent].push_back(k);
    }
  }

  std::string text() {
    add(-1, "");
    return text_;
  }

 private:
  /// A way without branches is one line: a beam of 5 and 20 tokens would be 100 otherwise.
  void add(int64_t parent, const std::string& indent) {
    const std::vector<size_t> children = children_[parent];
    for (size_t k = 0; k < children.size(); ++k) {
      const bool last = k + 1 == children.size();
      size_t at = children[k];
      std::string line = label(at);
      int64_t dropped = count_dropped(static_cast<int64_t>(at));
      while (children_[static_cast<int64_t>(at)].size() == 1) {
        at = children_[static_cast<int64_t>(at)].front();
        line += " " + label(at);
        dropped += count_dropped(static_cast<int64_t>(at));
      }
      const BeamTree::Node& node = beam_.tree.nodes[at];
      text_ += indent + (last ? "└ " : "├ ") + line + "  " + fixed(node.log_prob, 2);
      if (node.fate == BeamTree::Fate::ended) text_ += "  score " + fixed(node.score, 3);
      if (dropped > 0) text_ += "  (" + std::to_string(dropped) + " dropped)";
      text_ += "\n";
      add(static_cast<int64_t>(at), indent + (last ? "  " : "│ "));
    }
  }

  std::string label(size_t node) const { return texts_of({beam_.tokens[node]}).front(); }
  int64_t count_dropped(int64_t node) { return static_cast<int64_t>(dropped_[node].size()); }

  const ExploredBeam& beam_;
  std::map<int64_t, std::vector<size_t>> children_, dropped_;
  std::string text_;
};

}  // namespace

std::string render_step(const Explanation& explanation, size_t step, const Subword& target) {
  const DecoderStep& taken = explanation.walk.steps.at(step);
  const std::vector<std::string> sources = texts_of(explanation.source.tokens);
  std::string text = heading(explanation, step);
  if (taken.scores.empty()) text += "  this model has no attention (score: none)\n";
  const int64_t width = widest(sources);
  if (!taken.scores.empty())
    for (size_t i = 0; i < sources.size(); ++i)
      text += "  " + padded(sources[i], width) + " " +
              percent(static_cast<double>(taken.weights[i])) + "  " +
              bar(static_cast<double>(taken.weights[i])) + "\n";
  return text + alternatives(taken, target, taken.next.size());
}

std::string render_why(const Explanation& explanation, size_t step, const Subword& target) {
  const DecoderStep& taken = explanation.walk.steps.at(step);
  const std::vector<std::string> sources = texts_of(explanation.source.tokens);
  std::string text = heading(explanation, step);
  if (taken.scores.empty()) text += "  this model has no attention (score: none)\n";
  for (size_t head = 0; head < taken.scores.size(); ++head) {
    const std::vector<float>& scores = taken.scores[head];
    const double max = static_cast<double>(*std::max_element(scores.begin(), scores.end()));
    double sum = 0;
    for (const float e : scores) sum += std::exp(static_cast<double>(e) - max);
    const int64_t width = std::max<int64_t>(widest(sources), 6);
    if (taken.scores.size() > 1) text += "  head " + std::to_string(head + 1) + "\n";
    text += "  " + padded("source", width) + right("e", 10) + right("exp(e-max)", 12) +
            right("weight", 9) + "\n";
    for (const size_t i : heaviest(taken.head_weights[head])) {
      const auto e = static_cast<double>(scores[i]);
      text += "  " + padded(sources[i], width) + right(fixed(e, 3), 10) +
              right(fixed(std::exp(e - max), 4), 12) +
              right(fixed(static_cast<double>(taken.head_weights[head][i]), 4), 9) + "\n";
    }
    text += "  " + padded("all", width) + right("", 10) + right(fixed(sum, 4), 12) +
            right("1.0000", 9) + "\n";
  }
  return text + alternatives(taken, target, kAlternativesInWhy);
}

std::string render_beam_tree(const ExploredBeam& beam) { return TreeLines(beam).text(); }

}  // namespace softalign
