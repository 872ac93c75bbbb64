#include "model/metrics/chrf.h"

#include "data/error.h"
#include "data/unicode.h"
#include "model/metrics/ngrams.h"

namespace softalign {
namespace {

std::u32string characters(std::string_view line, bool lowercase) {
  std::string text = repair_utf8(line);
  if (lowercase) text = lower_case(text);
  std::u32string result;
  for (const std::string_view word : split_white_space(text))
    for (const char32_t c : code_points(word)) result += c;
  return result;
}

std::vector<std::u32string_view> ngrams(std::u32string_view text, size_t size) {
  std::vector<std::u32string_view> result;
  for (size_t i = 0; i + size <= text.size(); ++i) result.push_back(text.substr(i, size));
  return result;
}

}  // namespace

ChrfStatistics& ChrfStatistics::operator+=(const ChrfStatistics& other) {
  for (size_t n = 0; n < matches.size(); ++n) {
    hypothesis[n] += other.hypothesis[n];
    reference[n] += other.reference[n];
    matches[n] += other.matches[n];
  }
  return *this;
}

ChrfStatistics chrf_statistics(std::string_view hypothesis, std::string_view reference,
                               bool lowercase) {
  const std::u32string hypothesis_text = characters(hypothesis, lowercase);
  const std::u32string reference_text = characters(reference, lowercase);
  ChrfStatistics statistics;
  for (size_t n = 0; n < statistics.matches.size(); ++n) {
    const auto found = ngrams(hypothesis_text, n + 1), wanted = ngrams(reference_text, n + 1);
    // An n-gram that no reference of this order could confirm isn't counted against the hypothesis.
    statistics.hypothesis[n] = wanted.empty() ? 0 : static_cast<int64_t>(found.size());
    statistics.reference[n] = static_cast<int64_t>(wanted.size());
    statistics.matches[n] = clipped_matches(found, wanted);
  }
  return statistics;
}

ChrfScore chrf(const ChrfStatistics& statistics, bool lowercase) {
  // Precision and recall are averaged over the orders that both sides have, then
  // F = (1 + β²) P R / (β² P + R) with β = 2.
  double precision = 0, recall = 0;
  int orders = 0;
  for (size_t n = 0; n < statistics.matches.size(); ++n) {
    if (statistics.hypothesis[n] == 0 || statistics.reference[n] == 0) continue;
    const auto matches = static_cast<double>(statistics.matches[n]);
    precision += matches / static_cast<double>(statistics.hypothesis[n]);
    recall += matches / static_cast<double>(statistics.reference[n]);
    ++orders;
  }
  ChrfScore result;
  result.signature = std::string("nrefs:1|case:") + (lowercase ? "lc" : "mixed") +
                     "|eff:yes|nc:6|nw:0|space:no|softalign:" + SOFTALIGN_VERSION;
  if (precision + recall > 0) {
    precision /= orders;
    recall /= orders;
    result.score = 100 * 5 * precision * recall / (4 * precision + recall);
  }
  return result;
}

ChrfScore chrf(const std::vector<std::string>& hypotheses,
               const std::vector<std::string>& references, bool lowercase) {
  if (hypotheses.size() != references.size()) {
    throw Error(
        "chrF needs one reference for each hypothesis: " + std::to_string(hypotheses.size()) +
        " hypotheses, " + std::to_string(references.size()) + " references");
  }
  ChrfStatistics sum;
  for (size_t i = 0; i < hypotheses.size(); ++i)
    sum += chrf_statistics(hypotheses[i], references[i], lowercase);
  return chrf(sum, lowercase);
}

}  // namespace softalign
