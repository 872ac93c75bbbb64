#include "app/config/experiment.h"

#include "app/config/sections.h"
#include "app/config/yaml.h"
#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

Section declare(ExperimentConfig& config, bool with_corpus = true) {
  Section root("config");
  if (with_corpus) declare_corpus(root, config.corpus);
  declare_subword(root, config.subword);
  declare_model(root, config.model);
  declare_training(root, config.training, config.model.kernels, config.resources, config.inspection);
  declare_validation(root, config.validation);
  declare_translation(root, config.translation);
  return root;
}

ExperimentConfig defaults() {
  ExperimentConfig config;
  config.subword.target.normalization = "identity";  // Chinese output keeps its ，。！
  return config;
}

void resolve_paths(ParallelFiles& files, const fs::path& folder) {
  for (auto* paths :
       {&files.source, &files.target, &files.alignment, &files.source_words, &files.target_words})
    for (fs::path& path : *paths)
      if (path.is_relative()) path = (folder / path).lexically_normal();
}

/// Keys that only make sense together.
void check_corpus(const CorpusConfig& corpus) {
  const auto check_files = [](const std::string& key, const ParallelFiles& files) {
    if (files.source.empty() != files.target.empty())
      throw Error(key + ".source and " + key + ".target: give both, or neither");
    const auto check_extra = [&](const std::string& name, const std::vector<fs::path>& extra) {
      if (!extra.empty() && files.source.empty())
        throw Error(key + "." + name + ": there is no " + key + ".source that it belongs to");
    };
    check_extra("alignment", files.alignment);
    check_extra("source_words", files.source_words);
    check_extra("target_words", files.target_words);
  };
  check_files("corpus.train", corpus.train);
  check_files("corpus.valid", corpus.valid);
}

void check_subword(const SubwordsConfig& subword, Tying tie) {
  const auto& [joint, source, target] = subword;
  if (joint && (source.kind != target.kind || source.vocabulary_size != target.vocabulary_size ||
                source.character_coverage != target.character_coverage ||
                source.split_digits != target.split_digits))
    throw Error(
        "subword.joint: both sides share one vocabulary: subword.source and subword.target must "
        "not differ");
  if (tie == Tying::all && !joint)
    throw Error("model.tie: all shares one embedding between the sides: set subword.joint: true");
}

void check_training(const ExperimentConfig& config) {
  const TrainingConfig& training = config.training;
  if (training.max_epochs == 0 && training.max_steps == 0 && training.max_minutes == 0 &&
      training.patience == 0)
    throw Error(
        "training.max_epochs: 0 without max_steps, max_minutes or patience would never end");
  const ScheduleKind schedule = training.schedule.kind;
  if ((schedule == ScheduleKind::luong || schedule == ScheduleKind::cosine) &&
      training.max_steps == 0 && training.max_epochs == 0)
    throw Error("training.schedule: " + std::string(name_of(kScheduleNames, schedule)) +
                " is a share of the whole training: set training.max_steps or max_epochs");
  if (training.schedule.minimum > training.optimizer.learning_rate)
    throw Error("training.minimum_learning_rate: must not be above learning_rate");
  if (config.validation.max_sentences < 0 && training.metric != Metric::perplexity)
    throw Error("training.metric: " + std::string(name_of(kMetricNames, training.metric)) +
                " needs translations, and validation.max_sentences: -1 makes none");
  const ParallelFiles& train = config.corpus.train;
  if (!train.empty() && config.corpus.valid.empty()) {
    if (training.patience > 0)
      throw Error("training.patience: counts validations: name the files of corpus.valid");
    if (schedule == ScheduleKind::plateau)
      throw Error(
          "training.schedule: plateau looks at validations: name the files of corpus.valid");
  }
  if (training.loss.guided_alignment > 0 && !train.empty() && train.alignment.empty())
    throw Error("training.guided_alignment: needs the links of corpus.train.alignment");
  if (training.loss.guided_alignment > 0 && training.subword_sampling > 0)
    throw Error(
        "training.guided_alignment: links belong to fixed pieces: set training.subword_sampling "
        "to 0");
  if (training.loss.guided_alignment > 0 && config.model.attention.score == ScoreKind::none)
    throw Error("training.guided_alignment: there is no attention to guide with score: none");
}

/// Vocabulary sizes are known only after the vocabularies were trained; any will do to see
/// whether the other sizes fit together.
void check_model(ModelConfig model, bool joint) {
  model.source_vocabulary = 8;
  model.target_vocabulary = joint ? 8 : 9;
  check(model);
}

void check_search(const std::string& section, const SearchOptions& options) {
  try {
    check(options);
  } catch (const Error& error) {
    throw Error(section + "." + error.what(), error.exit_code());
  }
}

void check_all(const ExperimentConfig& config) {
  check_corpus(config.corpus);
  check_subword(config.subword, config.model.tie);
  check_model(config.model, config.subword.joint);
  check_training(config);
  check_search("validation", config.validation.search);
  check_search("translation", config.translation.search);
}

}  // namespace

ExperimentConfig read_experiment(const fs::path& file, const std::vector<std::string>& overrides) {
  std::error_code ignored;
  if (fs::is_directory(file, ignored))
    throw Error(file.string() + " is a folder; a config file (.yaml) was expected");
  ExperimentConfig config = defaults();
  Section root = declare(config);
  ConfigReader reader(root);
  reader.read_text(read_bytes(file), file);
  for (const auto& assignment : overrides) reader.apply(assignment);

  config.name = file.stem().string();
  config.training.sampler.seed = config.training.seed;
  if (config.subword.joint)
    config.subword.source.normalization = config.subword.target.normalization;
  const fs::path folder = fs::absolute(file).parent_path();
  resolve_paths(config.corpus.train, folder);
  resolve_paths(config.corpus.valid, folder);
  try {
    check_all(config);
  } catch (const Error& error) {  // these start with the key; say where it was set
    const std::string message = error.what();
    const std::string place = reader.place_of(message.substr(0, message.find_first_of(": ")));
    throw Error((place.empty() ? file.string() : place) + ": " + message, error.exit_code());
  }
  return config;
}

std::string to_yaml(const ExperimentConfig& config, bool with_corpus) {
  ExperimentConfig copy = config;
  return write_yaml(declare(copy, with_corpus));
}

std::string list_keys() {
  ExperimentConfig config = defaults();
  return list_keys(declare(config));
}

std::vector<std::pair<std::string, std::string>> flat_values(const ExperimentConfig& config) {
  ExperimentConfig copy = config;
  return flat_values(declare(copy));
}

}  // namespace softalign
