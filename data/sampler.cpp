#include "data/sampler.h"

#include <algorithm>
#include <locale>
#include <numeric>
#include <sstream>

#include "data/error.h"

namespace softalign {
namespace {

constexpr const char* kStateName = "softalign-sampler-1";

std::string random_text(const std::mt19937_64& random) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << random;
  return text.str();
}

/// FNV-1a over all that decides an epoch's batches besides the random state.
uint64_t fingerprint(const std::vector<std::pair<int64_t, int64_t>>& lengths,
                     const SamplerConfig& config) {
  uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](int64_t value) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ (static_cast<uint64_t>(value) >> shift & 0xff)) * 0x100000001b3;
    }
  };
  add(config.batch_tokens), add(config.batch_sentences), add(config.bucket_batches);
  for (const auto& [source, target] : lengths) add(source), add(target);
  return hash;
}

/// Tokens of the longer side, EOS included: what a batch's padded size is counted by.
int64_t padded_length(const std::pair<int64_t, int64_t>& length) {
  return std::max(length.first, length.second) + 1;
}

}  // namespace

// Lemire's multiplication would need 128 bits; rejection of the incomplete last block is enough.
uint64_t uniform(uint64_t bound, std::mt19937_64& random) {
  const uint64_t rejected = (0 - bound) % bound;  // 2^64 mod bound
  uint64_t value = random();
  while (value < rejected) value = random();
  return value % bound;
}

double uniform_real(std::mt19937_64& random) {
  return static_cast<double>(random() >> 11) * 0x1p-53;
}

void shuffle(std::vector<int64_t>& values, std::mt19937_64& random) {
  for (size_t i = values.size(); i > 1; --i) {
    std::swap(values[i - 1], values[uniform(i, random)]);
  }
}

Sampler::Sampler(std::vector<std::pair<int64_t, int64_t>> lengths, const SamplerConfig& config)
    : lengths_(std::move(lengths)), config_(config), random_(config.seed) {
  start_epoch();
}

void Sampler::start_epoch() {
  epoch_random_ = random_text(random_);
  batches_.clear();
  cursor_ = 0;
  started_ = true;

  std::vector<int64_t> order(lengths_.size());
  std::iota(order.begin(), order.end(), 0);
  shuffle(order, random_);
  const auto length = [this](int64_t sentence) { return lengths_[static_cast<size_t>(sentence)]; };
  const auto shorter = [&length](int64_t a, int64_t b) {
    return std::pair(length(a).second, length(a).first) <
           std::pair(length(b).second, length(b).first);
  };
  const bool by_sentences = config_.batch_sentences > 0;
  const int64_t batch_limit = by_sentences ? config_.batch_sentences : config_.batch_tokens;
  const int64_t bucket_limit = batch_limit * std::max<int64_t>(config_.bucket_batches, 1);

  for (size_t begin = 0; begin < order.size();) {
    size_t end = begin;
    for (int64_t size = 0; end < order.size() && size < bucket_limit; ++end) {
      size += by_sentences ? 1 : padded_length(length(order[end]));
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(end), shorter);
    std::vector<int64_t> batch;
    int64_t longest = 0;
    for (; begin < end; ++begin) {
      longest = std::max(longest, padded_length(length(order[begin])));
      const auto sentences = static_cast<int64_t>(batch.size()) + 1;
      if (!batch.empty() && (by_sentences ? sentences : sentences * longest) > batch_limit) {
        batches_.push_back(std::exchange(batch, {}));
        longest = padded_length(length(order[begin]));
      }
      batch.push_back(order[begin]);
    }
    batches_.push_back(std::move(batch));
  }

  std::vector<int64_t> batch_order(batches_.size());
  std::iota(batch_order.begin(), batch_order.end(), 0);
  shuffle(batch_order, random_);
  std::vector<std::vector<int64_t>> shuffled;
  shuffled.reserve(batches_.size());
  for (const int64_t i : batch_order)
    shuffled.push_back(std::move(batches_[static_cast<size_t>(i)]));
  batches_ = std::move(shuffled);
}

std::optional<std::vector<int64_t>> Sampler::next() {
  if (!started_) start_epoch();
  if (cursor_ == batches_.size()) {
    started_ = false;
    ++epoch_;
    return std::nullopt;
  }
  return batches_[cursor_++];
}

int64_t Sampler::epoch() const { return epoch_; }

int64_t Sampler::batches_per_epoch() const { return static_cast<int64_t>(batches_.size()); }

std::string Sampler::state() const {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text << kStateName << ' ' << fingerprint(lengths_, config_) << ' ' << epoch_ << ' ' << started_
       << ' ' << cursor_ << ' ' << (started_ ? epoch_random_ : random_text(random_));
  return text.str();
}

void Sampler::restore(const std::string& state) {
  std::istringstream text(state);
  text.imbue(std::locale::classic());
  std::string name;
  uint64_t corpus = 0;
  int64_t epoch = 0;
  bool started = false;
  size_t cursor = 0;
  std::mt19937_64 random;
  text >> name >> corpus >> epoch >> started >> cursor >> random;
  if (!text || name != kStateName) throw Error("the saved position in the corpus is damaged");
  if (corpus != fingerprint(lengths_, config_)) {
    throw Error(
        "the saved position belongs to another corpus, vocabulary or batch size than the "
        "present one of " +
        std::to_string(lengths_.size()) + " sentence pairs");
  }
  Sampler restored = *this;
  restored.random_ = random;
  if (started) restored.start_epoch();
  if (cursor > restored.batches_.size()) {
    throw Error("the saved position in the corpus is damaged");
  }
  restored.cursor_ = cursor;
  restored.started_ = started;
  restored.epoch_ = epoch;
  *this = std::move(restored);
}

}  // namespace softalign
