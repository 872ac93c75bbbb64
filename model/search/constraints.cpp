#include "model/search/constraints.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "data/subword.h"

namespace softalign {
namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

// Beyond this a product with a huge factor wouldn't fit an integer.
constexpr double kLongest = 1e9;

int64_t tokens(double length) { return static_cast<int64_t>(std::min(length, kLongest)); }

}  // namespace

Constraints::Constraints(const SearchOptions& options, int64_t source_tokens,
                         std::vector<int64_t> prefix)
    : source_tokens_(source_tokens),
      block_ngrams_(options.block_ngrams),
      prefix_(std::move(prefix)) {
  const auto source = static_cast<double>(source_tokens);
  maximum_length_ =
      tokens(options.max_length_factor * source + static_cast<double>(options.max_length_constant));
  if (options.max_length > 0) maximum_length_ = std::min(maximum_length_, options.max_length);
  maximum_length_ = std::max(maximum_length_, static_cast<int64_t>(prefix_.size()) + 1);
  minimum_length_ =
      std::max(options.min_length, tokens(std::ceil(options.min_length_factor * source)));
  minimum_length_ = std::min(minimum_length_, maximum_length_);
}

void Constraints::restrict(float* log_probs, int64_t vocabulary, int64_t step,
                           const std::vector<int64_t>& history) const {
  if (step < static_cast<int64_t>(prefix_.size())) {
    const int64_t forced = prefix_[static_cast<size_t>(step)];
    const float log_prob = log_probs[forced];
    std::fill(log_probs, log_probs + vocabulary, kNever);
    log_probs[forced] = log_prob;
    return;
  }
  log_probs[kPad] = log_probs[kBos] = kNever;
  if (step + 1 < minimum_length_) log_probs[kEos] = kNever;
  if (block_ngrams_ > 0) block_repeated_ngrams(log_probs, history);
}

void Constraints::block_repeated_ngrams(float* log_probs,
                                        const std::vector<int64_t>& history) const {
  const auto context = static_cast<std::ptrdiff_t>(block_ngrams_) - 1;
  const auto length = static_cast<std::ptrdiff_t>(history.size());
  const auto last = history.end() - std::min(context, length);
  for (std::ptrdiff_t begin = 0; begin + context < length; ++begin)
    if (std::equal(last, history.end(), history.begin() + begin))
      log_probs[history[static_cast<size_t>(begin + context)]] = kNever;
}

}  // namespace softalign
