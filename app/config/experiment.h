#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/corpus.h"
#include "data/subword.h"
#include "model/config.h"
#include "model/training/config.h"

namespace softalign {

struct CorpusConfig {
  ParallelFiles train, valid;
  int64_t max_length = 100;  // pieces; longer training pairs are left out
  bool drop_duplicates = false;
};

struct SubwordsConfig {
  bool joint = false;            // one vocabulary for both sides
  SubwordConfig source, target;  // equal where joint
};

/// Defaults of `translate` for this model; the command line overrides them.
struct TranslationConfig {
  SearchOptions search;
  int64_t batch_sentences = 32;
  int64_t max_source_tokens = 1000;
};

struct ResourceConfig {
  int64_t threads = 0;        // 0: all cores that this process may use
  int64_t peer_timeout = 60;  // seconds
};

/// What `train` leaves beside the weights, for looking inside.
struct InspectionConfig {
  int64_t neighbours = 10'000;  // states of each kind whose sentences are kept; 0: none
};

/// One config file: one experiment, completely resolved.
struct ExperimentConfig {
  std::string name;  // the file's name without its ending
  CorpusConfig corpus;
  SubwordsConfig subword;
  ModelConfig model;  // vocabulary sizes are set once the vocabularies exist
  TrainingConfig training;
  ValidationConfig validation;
  TranslationConfig translation;
  ResourceConfig resources;    // keys of the section `training`: threads
  InspectionConfig inspection;  // and neighbours
};

/// Reads and checks a config: unknown, duplicate, mistyped and out-of-range keys are Errors with
/// file, line, key, what was expected and the nearest valid name. `overrides` are "key.sub=value"
/// (from --set), applied last and checked alike. Relative paths are resolved against the config's
/// folder.
ExperimentConfig read_experiment(const std::filesystem::path& file,
                                 const std::vector<std::string>& overrides = {});

/// The config with all defaults written out, as YAML that read_experiment understands. Corpus
/// paths are left out of a model directory's copy when `with_corpus` is false.
std::string to_yaml(const ExperimentConfig& config, bool with_corpus);

/// One line per key: name, default, range, explanation (`train --list-keys`).
std::string list_keys();

/// Every key by its whole name, with its value as YAML.
std::vector<std::pair<std::string, std::string>> flat_values(const ExperimentConfig& config);

}  // namespace softalign
