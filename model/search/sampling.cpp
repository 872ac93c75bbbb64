#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "model/search/paths.h"

namespace softalign {
namespace {

std::mt19937_64 generator(uint64_t seed, int64_t index, int64_t draw) {
  const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
  const auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
  const auto place = static_cast<uint64_t>(index), number = static_cast<uint64_t>(draw);
  std::seed_seq sequence{low(seed), high(seed), low(place), high(place), low(number), high(number)};
  return std::mt19937_64(sequence);
}

/// Uniform in [0, 1): the upper 53 bits, the same with every standard library.
double uniform(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Draws from p^(1/temperature), renormalised over `choices`, which must have any order that
/// doesn't change from run to run.
std::optional<Choice> draw(const std::vector<Choice>& choices, double temperature,
                           std::mt19937_64& random) {
  if (choices.empty()) return std::nullopt;
  double largest = -std::numeric_limits<double>::infinity();
  for (const Choice& choice : choices) largest = std::max<double>(largest, choice.log_prob);
  double total = 0;
  std::vector<double> cumulative;
  cumulative.reserve(choices.size());
  for (const Choice& choice : choices)
    cumulative.push_back(total += std::exp((choice.log_prob - largest) / temperature));
  const auto place =
      std::upper_bound(cumulative.begin(), cumulative.end(), uniform(random) * total);
  const auto last = static_cast<std::ptrdiff_t>(choices.size()) - 1;
  return choices[static_cast<size_t>(std::min(place - cumulative.begin(), last))];
}

std::vector<Choice> possible(const float* log_probs, int64_t vocabulary, int64_t k) {
  if (k > 0) return top_k(log_probs, vocabulary, k);
  std::vector<Choice> choices;
  for (int64_t token = 0; token < vocabulary; ++token)
    if (log_probs[token] > -std::numeric_limits<float>::infinity())
      choices.push_back({log_probs[token], token});
  return choices;
}

}  // namespace

std::vector<std::vector<Hypothesis>> sample_outputs(Ensemble& ensemble,
                                                    const std::vector<Constraints>& sentences,
                                                    const std::vector<int64_t>& indices,
                                                    const SearchOptions& options) {
  std::vector<const Constraints*> paths;
  std::vector<std::mt19937_64> random;
  std::vector<int64_t> rows;
  for (size_t b = 0; b < sentences.size(); ++b)
    for (int64_t number = 0; number < options.nbest; ++number) {
      paths.push_back(&sentences[b]);
      random.push_back(generator(options.seed, indices[b], number));
      rows.push_back(static_cast<int64_t>(b));
    }
  ensemble.select(rows);
  std::vector<Hypothesis> drawn = follow_paths(
      ensemble, paths, options, [&](size_t path, const float* log_probs, int64_t vocabulary) {
        return draw(possible(log_probs, vocabulary, options.top_k), options.temperature,
                    random[path]);
      });
  std::vector<std::vector<Hypothesis>> results(sentences.size());
  std::vector<std::set<std::vector<int64_t>>> seen(sentences.size());
  for (size_t path = 0; path < drawn.size(); ++path) {
    const auto b = static_cast<size_t>(rows[path]);
    if (seen[b].insert(drawn[path].tokens).second) results[b].push_back(std::move(drawn[path]));
  }
  for (std::vector<Hypothesis>& hypotheses : results)
    std::stable_sort(hypotheses.begin(), hypotheses.end(), ranks_before);
  return results;
}

}  // namespace softalign
