#include "model/training/batches.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "data/error.h"
#include "model/training/random_state.h"

namespace softalign {
namespace {

std::vector<std::pair<int64_t, int64_t>> lengths(const EncodedCorpus& corpus) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (const EncodedPair& pair : corpus.pairs)
    result.emplace_back(static_cast<int64_t>(pair.source.size()),
                        static_cast<int64_t>(pair.target.size()));
  return result;
}

}  // namespace

TrainingBatches::TrainingBatches(const TrainingData& data, const TrainingConfig& config)
    : data_(data),
      alpha_(config.subword_sampling),
      keeps_links_(config.loss.guided_alignment > 0),
      corpus_(encode_corpus(data.train, data.source, data.target, data.max_length)),
      sampler_(lengths(corpus_), config.sampler),
      random_(config.seed) {
  if (corpus_.pairs.empty())
    throw Error(
        "there is no sentence pair to train on: " + std::to_string(data.train.pairs.size()) +
        " were read, " + std::to_string(corpus_.report.too_long) +
        " of them longer than max_length, " + std::to_string(data.max_length) + " pieces");
}

std::optional<Batch> TrainingBatches::next() {
  const auto sentences = sampler_.next();
  if (!sentences) {
    seen_ = 0;
    return std::nullopt;
  }
  ++seen_;
  std::vector<const EncodedPair*> pairs;
  std::vector<EncodedPair> sampled;
  sampled.reserve(sentences->size());  // `pairs` points into it
  for (const int64_t sentence : *sentences) {
    const EncodedPair& usual = corpus_.pairs[static_cast<size_t>(sentence)];
    if (alpha_ <= 0 || (keeps_links_ && !usual.links.empty())) {
      pairs.push_back(&usual);
    } else {
      sampled.push_back(sample(sentence));
      pairs.push_back(&sampled.back());
    }
  }
  return make_batch(pairs, *sentences);
}

EncodedPair TrainingBatches::sample(int64_t sentence) {
  const EncodedPair& usual = corpus_.pairs[static_cast<size_t>(sentence)];
  const auto line = static_cast<size_t>(corpus_.lines[static_cast<size_t>(sentence)]);
  const SentencePair& text = data_.train.pairs[line];
  const auto one_side = [&](const Subword& subword, const std::string& side,
                            const std::vector<int64_t>& usual_ids) {
    auto ids = subword.sample(side, alpha_, random_);
    const bool too_long =
        data_.max_length > 0 && static_cast<int64_t>(ids.size()) > data_.max_length;
    return ids.empty() || too_long ? usual_ids : ids;
  };
  EncodedPair pair;
  pair.source = one_side(data_.source, text.source, usual.source);
  pair.target = one_side(data_.target, text.target, usual.target);
  return pair;
}

double TrainingBatches::epoch_progress() const {
  return static_cast<double>(seen_) /
         static_cast<double>(std::max<int64_t>(sampler_.batches_per_epoch(), 1));
}

std::string TrainingBatches::state() const {
  return nlohmann::json{
      {"sampler", sampler_.state()}, {"random", to_text(random_)}, {"seen", seen_}}
      .dump();
}

void TrainingBatches::restore(const std::string& state) {
  const auto json = nlohmann::json::parse(state);
  sampler_.restore(json.at("sampler").get<std::string>());
  random_ = to_random(json.at("random").get<std::string>());
  seen_ = json.at("seen").get<int64_t>();
}

}  // namespace softalign
