#include "model/search/paths.h"

#include <numeric>

#include "data/subword.h"
#include "model/search/penalties.h"
#include "model/search/trace.h"

namespace softalign {
namespace {

struct Path {
  size_t number;
  int64_t node = Trace::kRoot;
  double log_prob = 0;
};

}  // namespace

std::vector<Hypothesis> follow_paths(Ensemble& ensemble,
                                     const std::vector<const Constraints*>& paths,
                                     const SearchOptions& options, const Choose& choose) {
  std::vector<Hypothesis> results(paths.size());
  std::vector<Path> live(paths.size());
  for (size_t i = 0; i < live.size(); ++i) live[i].number = i;
  std::vector<int64_t> tokens(paths.size(), kBos);
  Trace trace;
  for (int64_t step = 0; !live.empty(); ++step) {
    const Ensemble::Step output = ensemble.step(tokens);
    trace.begin_step(output.weights);
    const int64_t vocabulary = output.log_probs.size(1);
    std::vector<Path> going_on;
    std::vector<int64_t> rows;
    tokens.clear();
    for (size_t row = 0; row < live.size(); ++row) {
      Path path = live[row];
      const Constraints& constraints = *paths[path.number];
      float* log_probs =
          output.log_probs.data_ptr<float>() + static_cast<int64_t>(row) * vocabulary;
      constraints.restrict(
          log_probs, vocabulary, step,
          constraints.needs_history() ? trace.tokens(path.node) : std::vector<int64_t>{});
      const std::optional<Choice> choice = choose(path.number, log_probs, vocabulary);
      if (choice) {
        path.node = trace.add(path.node, static_cast<int64_t>(row), choice->token);
        path.log_prob += choice->log_prob;
      }
      const bool finished = choice && choice->token == kEos;
      if (choice && !finished && step + 1 < constraints.maximum_length()) {
        going_on.push_back(path);
        rows.push_back(static_cast<int64_t>(row));
        tokens.push_back(choice->token);
        continue;
      }
      Hypothesis& result = results[path.number];
      result = trace.hypothesis(path.node, constraints.source_tokens());
      result.log_prob = path.log_prob;
      result.finished = finished;
      result.score = penalised_score(options, result);
    }
    live = std::move(going_on);
    if (!live.empty()) ensemble.select(rows);
  }
  return results;
}

std::vector<std::vector<Hypothesis>> greedy_search(Ensemble& ensemble,
                                                   const std::vector<Constraints>& sentences,
                                                   const SearchOptions& options) {
  std::vector<const Constraints*> paths;
  for (const Constraints& sentence : sentences) paths.push_back(&sentence);
  const auto most_probable = [](size_t, const float* log_probs,
                                int64_t vocabulary) -> std::optional<Choice> {
    const std::vector<Choice> best = top_k(log_probs, vocabulary, 1);
    if (best.empty()) return std::nullopt;
    return best.front();
  };
  std::vector<std::vector<Hypothesis>> results;
  for (Hypothesis& hypothesis : follow_paths(ensemble, paths, options, most_probable))
    results.push_back({std::move(hypothesis)});
  return results;
}

}  // namespace softalign
