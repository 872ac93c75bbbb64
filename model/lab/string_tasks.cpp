#include "model/lab/string_tasks.h"

#include <algorithm>
#include <random>

#include "data/sampler.h"

namespace softalign {
namespace {

constexpr std::string_view kLetters = "bdfghjklmnpqrstvwxz";

}  // namespace

std::vector<SentencePair> string_pairs(StringTask task, int64_t count, int64_t shortest,
                                       int64_t longest, uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto lengths = static_cast<uint64_t>(longest - shortest + 1);
  std::vector<SentencePair> pairs;
  for (int64_t n = 0; n < count; ++n) {
    const uint64_t length = static_cast<uint64_t>(shortest) + uniform(lengths, random);
    SentencePair pair;
    for (uint64_t i = 0; i < length; ++i) pair.source += kLetters[uniform(kLetters.size(), random)];
    pair.target = pair.source;
    if (task == StringTask::reverse) std::reverse(pair.target.begin(), pair.target.end());
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

double letters_in_place(const std::string& output, const std::string& expected) {
  if (expected.empty()) return output.empty() ? 1 : 0;
  double right = 0;
  for (size_t i = 0; i < std::min(output.size(), expected.size()); ++i)
    right += output[i] == expected[i] ? 1 : 0;
  return right / static_cast<double>(expected.size());
}

}  // namespace softalign
