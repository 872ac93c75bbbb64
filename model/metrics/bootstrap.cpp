#include "model/metrics/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "data/error.h"
#include "data/sampler.h"

namespace softalign {

BootstrapResult paired_bootstrap(const std::vector<BleuStatistics>& a,
                                 const std::vector<BleuStatistics>& b, const BleuOptions& options,
                                 int64_t resamples, uint64_t seed) {
  if (a.size() != b.size()) {
    throw Error("the paired bootstrap needs two outputs of the same sentences: " +
                std::to_string(a.size()) + " against " + std::to_string(b.size()));
  }
  if (resamples < 1) throw Error("the paired bootstrap needs at least one resample");

  const auto total = [&](const std::vector<BleuStatistics>& output) {
    return bleu(std::accumulate(output.begin(), output.end(), BleuStatistics{},
                                [](BleuStatistics sum, const BleuStatistics& sentence) {
                                  return sum += sentence;
                                }),
                options)
        .score;
  };
  BootstrapResult result;
  result.resamples = resamples;
  result.a = total(a);
  result.b = total(b);
  if (a.empty()) {
    result.p_value = 1;
    return result;
  }

  const bool b_is_better = result.b > result.a;
  std::mt19937_64 random(seed);
  std::vector<double> differences;
  int64_t contradictions = 0;
  for (int64_t r = 0; r < resamples; ++r) {
    BleuStatistics sum_a, sum_b;
    for (size_t i = 0; i < a.size(); ++i) {
      const size_t sentence = uniform(a.size(), random);
      sum_a += a[sentence];
      sum_b += b[sentence];
    }
    const double difference = bleu(sum_b, options).score - bleu(sum_a, options).score;
    if (b_is_better ? difference <= 0 : difference >= 0) ++contradictions;
    differences.push_back(difference);
  }
  const auto count = static_cast<double>(resamples);
  result.p_value = result.a == result.b ? 1 : static_cast<double>(contradictions) / count;
  result.mean_difference = std::accumulate(differences.begin(), differences.end(), 0.0) / count;
  std::sort(differences.begin(), differences.end());
  result.low = differences[static_cast<size_t>(std::floor(0.025 * count))];
  result.high = differences[static_cast<size_t>(std::ceil(0.975 * count)) - 1];
  return result;
}

}  // namespace softalign
