#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "data/corpus.h"
#include "data/subword.h"
#include "model/seq2seq.h"
#include "model/training/config.h"
#include "model/training/report.h"
#include "model/training/safetensors.h"

namespace softalign {

class Group;

/// What training works on. Texts are there for subword sampling and for validation.
struct TrainingData {
  Corpus train, valid;
  Subword source, target;
  int64_t max_length = 100;  // pieces, of a training sentence
};

/// Trains `model` and writes best.safetensors and last/ into `directory`. With `resume` it goes on
/// from last/, bit for bit as if it had not stopped (same thread count). `stop` is looked at after
/// every update and between validation batches: then last/ is written and run() returns
/// `interrupted`. Throws Error(kMachine) on a non-finite loss or gradient, naming the step, the
/// loss and the norm, before the weights are touched; best and last stay as they were.
/// `metadata` (the vocabularies' digests under "source_vocabulary" and "target_vocabulary") is
/// written into every weights file, beside step, epoch and the metric; resuming with other digests
/// is refused. Seeds LibTorch's default generator, which dropout draws from. Without a validation
/// set (see has_validation) `best` holds the weights of the last finished epoch. A new training
/// removes the `best` and replaces the `last` of an old one.
/// One seed, one thread count and one corpus give the same bytes.
/// With a `group` of n processes of k threads each, all draw the same batches and share each out
/// n·k ways; the first process alone validates, reports and writes. That is the training of one
/// process with n·k threads, to rounding.
TrainingSummary train(Seq2Seq& model, const TrainingData& data, const TrainingConfig& config,
                      const ValidationConfig& validation, const std::filesystem::path& directory,
                      const Metadata& metadata, bool resume, const std::atomic<bool>& stop,
                      TrainingObserver& observer, Group* group = nullptr);

/// True if a pair of the validation set has text on both sides.
bool has_validation(const TrainingData& data);

/// Perplexity by teacher forcing (pairs with a blank side or more than 1000 pieces are left out),
/// then BLEU and chrF of the translations by the same Translator as `translate` (none of this if
/// validation.max_sentences < 0), and three samples. BLEU splits by characters (zh) where the
/// references are mostly Chinese or Japanese, else as mteval-v13a. Under NoGradGuard, in evaluation
/// mode, restored afterwards. With `stop` set the report is incomplete.
ValidationReport validate(Seq2Seq& model, const TrainingData& data,
                          const ValidationConfig& validation, const TrainingConfig& config,
                          const std::atomic<bool>& stop);

}  // namespace softalign
