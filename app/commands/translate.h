#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/search/options.h"

namespace CLI {
class App;
}

namespace softalign {

/// What the command line says; what it doesn't say comes from the model's section `translation`.
struct TranslateCommand {
  std::vector<std::filesystem::path> models;  // several: an ensemble
  std::filesystem::path input;                // empty or "-": standard input
  std::filesystem::path output;               // empty or "-": standard output
  std::filesystem::path attention;            // a dump: .json, .jsonl, .tsv, .html or .svg
  bool json = false;
  bool keep_unknown = false;
  bool sample = false;
  std::string prefix;  // that every output must begin with
  std::optional<int64_t> beam, nbest, max_length, min_length, batch, threads, top_k, block_ngrams;
  std::optional<double> length_penalty_alpha, coverage_penalty, temperature;
  std::optional<LengthPenalty> length_penalty;
  std::optional<uint64_t> seed;
};

void add_translate(CLI::App& app);

/// Line in, line out, in order, flushed as they are done. Interactive where both ends are a
/// terminal. Throws Error for options that contradict each other before any line is read.
void run_translate(const TranslateCommand& command, std::ostream& out);

}  // namespace softalign
