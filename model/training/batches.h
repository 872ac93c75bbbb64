#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>

#include "data/batch.h"
#include "data/sampler.h"
#include "model/training/config.h"
#include "model/training/trainer.h"

namespace softalign {

/// The batches that training sees, epoch after epoch; with subword sampling, segmented anew each
/// time. Sentences with a gold alignment that is trained on keep their usual segmentation, because
/// its links count pieces; a random one that is too long is replaced by the usual one, too.
class TrainingBatches {
 public:
  /// `data` outlives this. Throws Error if no sentence pair is left to train on.
  TrainingBatches(const TrainingData& data, const TrainingConfig& config);

  /// Nothing at an epoch's end; the next call starts the next epoch.
  std::optional<Batch> next();
  bool at_epoch_end() const { return seen_ == sampler_.batches_per_epoch(); }

  int64_t epochs() const { return sampler_.epoch(); }  // completed
  int64_t batches_per_epoch() const { return sampler_.batches_per_epoch(); }
  double epoch_progress() const;  // in [0, 1]

  /// Position and random states as text; `restore` throws Error if it belongs to another corpus.
  std::string state() const;
  void restore(const std::string& state);

 private:
  EncodedPair sample(int64_t sentence);

  const TrainingData& data_;
  double alpha_;
  bool keeps_links_;
  EncodedCorpus corpus_;
  Sampler sampler_;
  std::mt19937_64 random_;
  int64_t seen_ = 0;  // batches of this epoch
};

}  // namespace softalign
