#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <vector>

#include "model/metrics/bleu.h"

namespace CLI {
class App;
}

namespace softalign {

struct EvaluateOptions {
  std::vector<std::filesystem::path> models;  // several: an ensemble
  std::filesystem::path hypothesis;           // instead of models
  std::filesystem::path source, reference;
  std::filesystem::path compare;  // another output of the same sentences
  std::filesystem::path gold_alignment, source_words, target_words;
  std::filesystem::path output;  // where the model's translations go
  BleuOptions bleu;
  std::optional<int64_t> beam;  // default: the model's
  std::optional<int64_t> batch;
  int64_t threads = 0;
  int64_t resamples = 1000;
  uint64_t seed = 1;
  bool by_length = false;
  bool json = false;
};

void add_evaluate(CLI::App& app);

/// Scores a file of hypotheses, or what models make of the source, against the references. Throws
/// Error where options don't go together, files have different numbers of lines or none, or a gold
/// link points beside the words.
void run_evaluate(const EvaluateOptions& options, std::ostream& out);

}  // namespace softalign
