#pragma once

#include <ATen/ATen.h>

#include <string>
#include <vector>

#include "data/batch.h"
#include "model/seq2seq.h"

namespace softalign {

/// A tiny model config; both vocabularies have `vocabulary` entries, the special ones included.
inline ModelConfig small_config(int64_t vocabulary) {
  ModelConfig config;
  config.source_vocabulary = config.target_vocabulary = vocabulary;
  config.source_embedding = config.target_embedding = 6;
  config.encoder.hidden = config.decoder.hidden = 8;
  config.attention.window_size = 2;
  return config;
}

/// Random weights, larger than those that training starts from, so that outputs aren't uniform.
inline Seq2Seq random_model(const ModelConfig& config, uint64_t seed, double scale = 4.0) {
  at::manual_seed(seed);
  Seq2Seq model(config);
  model->eval();
  const at::NoGradGuard guard;
  for (Tensor& parameter : model->parameters()) parameter.uniform_(-0.3 * scale, 0.3 * scale);
  return model;
}

/// A model that never ends its sentences.
inline Seq2Seq endless_model(const ModelConfig& config, uint64_t seed) {
  Seq2Seq model = random_model(config, seed);
  const at::NoGradGuard guard;
  model->named_parameters()["output_bias"][kEos].fill_(-1000.0);
  return model;
}

/// Random sentences of these lengths (without EOS) over ordinary tokens.
inline std::vector<std::vector<int64_t>> random_sentences(const std::vector<int64_t>& lengths,
                                                          int64_t vocabulary, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::vector<int64_t>> sentences;
  for (const int64_t length : lengths) {
    sentences.emplace_back();
    for (int64_t i = 0; i < length; ++i)
      sentences.back().push_back(
          kEos + 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(vocabulary - kEos - 1)));
  }
  return sentences;
}

}  // namespace softalign
