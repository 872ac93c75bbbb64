#include "model/metrics/bleu.h"

#include <algorithm>
#include <cmath>

#include "data/error.h"
#include "model/metrics/ngrams.h"

namespace softalign {
namespace {

// A run of `size` tokens, compared token by token.
struct TokenNgram {
  const std::string* first;
  size_t size;
  bool operator<(const TokenNgram& other) const {
    return std::lexicographical_compare(first, first + size, other.first, other.first + other.size);
  }
};

std::vector<TokenNgram> ngrams(const std::vector<std::string>& tokens, size_t size) {
  std::vector<TokenNgram> result;
  for (size_t i = 0; i + size <= tokens.size(); ++i) result.push_back({tokens.data() + i, size});
  return result;
}

std::string signature(const BleuOptions& options) {
  return std::string("nrefs:1|case:") + (options.lowercase ? "lc" : "mixed") +
         "|eff:no|tok:" + std::string(name_of(kBleuTokenizerNames, options.tokenizer)) +
         "|smooth:exp|softalign:" + SOFTALIGN_VERSION;
}

}  // namespace

BleuStatistics& BleuStatistics::operator+=(const BleuStatistics& other) {
  for (size_t n = 0; n < matches.size(); ++n) {
    matches[n] += other.matches[n];
    totals[n] += other.totals[n];
  }
  hypothesis_length += other.hypothesis_length;
  reference_length += other.reference_length;
  return *this;
}

BleuStatistics bleu_statistics(std::string_view hypothesis, std::string_view reference,
                               const BleuOptions& options) {
  const auto hypothesis_tokens = tokenize(hypothesis, options);
  const auto reference_tokens = tokenize(reference, options);
  BleuStatistics statistics;
  statistics.hypothesis_length = static_cast<int64_t>(hypothesis_tokens.size());
  statistics.reference_length = static_cast<int64_t>(reference_tokens.size());
  for (size_t n = 0; n < statistics.matches.size(); ++n) {
    const auto found = ngrams(hypothesis_tokens, n + 1);
    statistics.totals[n] = static_cast<int64_t>(found.size());
    statistics.matches[n] = clipped_matches(found, ngrams(reference_tokens, n + 1));
  }
  return statistics;
}

BleuScore bleu(const BleuStatistics& statistics, const BleuOptions& options) {
  BleuScore result;
  result.hypothesis_length = statistics.hypothesis_length;
  result.reference_length = statistics.reference_length;
  result.signature = signature(options);

  const auto hypothesis_length = static_cast<double>(statistics.hypothesis_length);
  const auto reference_length = static_cast<double>(statistics.reference_length);
  if (statistics.hypothesis_length >= statistics.reference_length) {
    result.brevity_penalty = 1;
  } else if (statistics.hypothesis_length > 0) {
    result.brevity_penalty = std::exp(1 - reference_length / hypothesis_length);
  }
  if (statistics.matches[0] == 0) return result;

  // Orders without a match count as half, a quarter, … of a match; orders without an n-gram make
  // the geometric mean 0.
  double log_sum = 0, smoothing = 1;
  for (size_t n = 0; n < statistics.matches.size(); ++n) {
    if (statistics.totals[n] == 0) return result;
    auto matches = static_cast<double>(statistics.matches[n]);
    if (statistics.matches[n] == 0) matches = 1 / (smoothing *= 2);
    result.precisions[n] = 100 * matches / static_cast<double>(statistics.totals[n]);
    log_sum += std::log(result.precisions[n]);
  }
  result.score = result.brevity_penalty * std::exp(log_sum / 4);
  return result;
}

BleuScore bleu(const std::vector<std::string>& hypotheses,
               const std::vector<std::string>& references, const BleuOptions& options) {
  if (hypotheses.size() != references.size()) {
    throw Error(
        "BLEU needs one reference for each hypothesis: " + std::to_string(hypotheses.size()) +
        " hypotheses, " + std::to_string(references.size()) + " references");
  }
  BleuStatistics sum;
  for (size_t i = 0; i < hypotheses.size(); ++i)
    sum += bleu_statistics(hypotheses[i], references[i], options);
  return bleu(sum, options);
}

}  // namespace softalign
