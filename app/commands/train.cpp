#include "app/commands/train.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <map>

#include "app/corpus_summary.h"
#include "app/log.h"
#include "app/model_directory.h"
#include "app/rank.h"
#include "app/shell.h"
#include "app/signals.h"
#include "app/threads.h"
#include "app/training_log.h"
#include "app/training_report.h"
#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"
#include "model/inspect/neighbours.h"
#include "model/training/checkpoint.h"
#include "model/training/group.h"
#include "model/training/trainer.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

/// models/<name> beside the folder of the config.
fs::path default_output(const fs::path& config, const std::string& name) {
  const fs::path folder = fs::absolute(config).parent_path();
  return (folder.parent_path() / "models" / name).lexically_normal();
}

/// Refuses to overwrite a trained model, or to resume where there is nothing.
void check_output(const ModelDirectory& directory, const TrainOptions& options) {
  const fs::path& path = directory.path;
  if (fs::exists(path) && !fs::is_directory(path))
    throw Error(path.string() + " is a file; the output is a folder: choose another --output");
  recover_folder(directory.last());
  const bool can_resume = fs::exists(directory.last());
  if (options.resume && !can_resume)
    throw Error(path.string() +
                ": there is nothing to resume (no saved state): start without "
                "--resume");
  if (!options.resume && !options.force && (can_resume || fs::exists(directory.best())))
    throw Error(path.string() +
                " already holds a trained model: go on with --resume, train into "
                "another folder with --output, or start over with --force");
}

/// A resumed run may have other limits, but not another network or other subwords.
void check_same_model(const ModelDirectory& directory, const ExperimentConfig& config) {
  const auto stored_values = flat_values(read_model_config(directory));
  const std::map<std::string, std::string> stored(stored_values.begin(), stored_values.end());
  for (const auto& [key, value] : flat_values(config)) {
    const bool fixed = key.rfind("model.", 0) == 0 || key.rfind("subword.", 0) == 0;
    const auto before = stored.find(key);
    if (fixed && key.rfind("model.dropout.", 0) != 0 && before != stored.end() &&
        before->second != value)
      throw Error(key + " is " + value + ", but the model in " + directory.path.string() + " has " +
                  before->second + ": --resume goes on with the same model");
  }
}

Corpus read_training_corpus(const ExperimentConfig& config) {
  const ParallelFiles& files = config.corpus.train;
  if (files.empty())
    throw Error(
        "corpus.train.source and corpus.train.target: name the files to train on, in the "
        "config or by --set corpus.train.source=FILE");
  ReadOptions options;
  options.drop_duplicates = config.corpus.drop_duplicates;
  Corpus corpus = read_corpus(files, options);
  if (corpus.pairs.empty())
    throw Error(files.source.front().string() + ", " + files.target.front().string() +
                ": no pair of lines has text on both sides");
  return corpus;
}

/// Pairs with a blank side can't be validated on; a set without any other is a mistake.
Corpus read_validation_corpus(const ExperimentConfig& config) {
  const ParallelFiles& files = config.corpus.valid;
  if (files.empty()) return {};
  ReadOptions options;
  options.training = false;
  Corpus corpus = read_corpus(files, options);
  const auto is_blank = [](const SentencePair& pair) {
    return split_words(pair.source).empty() || split_words(pair.target).empty();
  };
  const size_t lines = corpus.pairs.size();
  corpus.pairs.erase(std::remove_if(corpus.pairs.begin(), corpus.pairs.end(), is_blank),
                     corpus.pairs.end());
  if (corpus.pairs.empty())
    throw Error(files.source.front().string() + ", " + files.target.front().string() +
                ": no pair of lines has text on both sides; leave corpus.valid out to train "
                "without validation");
  if (corpus.pairs.size() < lines)
    spdlog::warn("validation: {} pairs with a blank side are left out",
                 grouped(static_cast<int64_t>(lines - corpus.pairs.size())));
  return corpus;
}

Subword train_subword(const std::string& name, const SubwordConfig& config, const Corpus& corpus,
                      bool with_source, bool with_target, uint64_t seed) {
  spdlog::info("training the {} vocabulary (at most {} pieces)", name,
               grouped(config.vocabulary_size));
  size_t position = 0;
  bool target_next = !with_source;
  const auto next = [&]() -> std::optional<std::string> {
    if (position == corpus.pairs.size()) return std::nullopt;
    const SentencePair& pair = corpus.pairs[position];
    const std::string& line = target_next ? pair.target : pair.source;
    if (target_next || !with_target) ++position;
    if (with_source && with_target) target_next = !target_next;
    return line;
  };
  const auto note = [&](const std::string& text) { spdlog::warn("{} vocabulary: {}", name, text); };
  return Subword::train(config, next, seed, note);
}

Vocabularies train_vocabularies(const ExperimentConfig& config, const Corpus& corpus) {
  const uint64_t seed = config.training.seed;
  if (config.subword.joint) {
    const Subword both = train_subword("joint", config.subword.target, corpus, true, true, seed);
    return {both, both};
  }
  Subword source = train_subword("source", config.subword.source, corpus, true, false, seed);
  Subword target = train_subword("target", config.subword.target, corpus, false, true, seed);
  return {std::move(source), std::move(target)};
}

/// Those of the first process for all.
Vocabularies common_vocabularies(Group& group, const ExperimentConfig& config,
                                 const std::function<Vocabularies()>& make) {
  if (group.size() == 1) return make();
  std::string source, target;
  if (group.is_first()) {
    const Vocabularies made = make();
    source = made.source.bytes();
    target = made.target.bytes();
  }
  group.broadcast(source);
  group.broadcast(target);
  Subword first = Subword::from_bytes(std::move(source), "the source vocabulary");
  if (config.subword.joint) return {first, first};
  return {std::move(first), Subword::from_bytes(std::move(target), "the target vocabulary")};
}

/// Says what the corpus is; returns the lines.
std::vector<std::string> report_corpus(const TrainingData& data) {
  const EncodedCorpus train = encode_corpus(data.train, data.source, data.target, data.max_length);
  if (train.pairs.empty())
    throw Error("corpus.max_length: every training pair is longer than " +
                std::to_string(data.max_length) + " pieces");
  const EncodedCorpus valid = encode_corpus(data.valid, data.source, data.target, 0);
  std::vector<std::string> lines = summarize(data.train, train, data.valid, valid, data.max_length);
  for (const std::string& line : lines) spdlog::info(line);
  return lines;
}

/// A sample of training states of the best weights, for `serve` to find neighbours in.
void keep_neighbours(const ModelDirectory& directory, const TrainingData& data,
                     const ExperimentConfig& config, Seq2Seq& model) {
  if (config.inspection.neighbours == 0) return;
  load_weights(model, directory.best());
  const StateSample sample =
      sample_states(model, data.train, data.source, data.target, config.inspection.neighbours,
                    data.max_length, config.training.seed);
  save_sample(sample, weights_digest(directory), directory.neighbours());
}

/// By names alone: nothing of this machine's folders goes into a model directory.
std::vector<std::string> commands_to_go_on(const TrainOptions& options,
                                           const ModelDirectory& directory) {
  const std::string model = shell_quoted(directory.path.filename().string());
  return {"softalign translate " + model, "softalign serve " + model,
          "softalign inspect " + model + " --check",
          "softalign train " + shell_quoted(options.config.filename().string()) + " --output " + model +
              " --resume --set training.max_epochs=N"};
}

void start_directory(const ModelDirectory& directory, const ExperimentConfig& config,
                     const Vocabularies& subwords) {
  for (const fs::path& old :
       {directory.best(), directory.last(), directory.log(), directory.joint_subword(),
        directory.source_subword(), directory.target_subword(), directory.neighbours(),
        directory.report()})
    fs::remove_all(old);
  save_vocabularies(directory, config.subword.joint, subwords);
  write_atomically(directory.config(), to_yaml(config, /*with_corpus=*/false));
}

std::string reason_text(StopReason reason) {
  switch (reason) {
    case StopReason::epochs:
      return "max_epochs reached";
    case StopReason::steps:
      return "max_steps reached";
    case StopReason::minutes:
      return "max_minutes reached";
    case StopReason::patience:
      return "no improvement within patience";
    case StopReason::plateau:
      return "the learning rate has reached its minimum";
    case StopReason::interrupted:
      return "interrupted";
  }
  return "";
}

void report_end(const TrainingSummary& summary, const ExperimentConfig& config,
                const ModelDirectory& directory, const TrainOptions& options) {
  spdlog::info("stopped at step {} after {}: {}", grouped(summary.steps), duration(summary.seconds),
               reason_text(summary.reason));
  if (summary.reason == StopReason::interrupted) {
    spdlog::info("go on with: softalign train {} --output {} --resume",
                 shell_quoted(options.config.string()), shell_quoted(directory.path.string()));
    return;
  }
  if (summary.best_step > 0)
    spdlog::info("best {}: {} at step {}", name_of(kMetricNames, config.training.metric),
                 fixed(summary.best, 3), grouped(summary.best_step));
  spdlog::info("translate with: softalign translate {}", shell_quoted(directory.path.string()));
}

}  // namespace

void run_train(const TrainOptions& options, std::ostream& out) {
  if (options.list_keys) {
    out << list_keys();
    return;
  }
  if (options.config.empty())
    throw Error("CONFIG is missing: softalign train configs/zh-en.yaml (see --help)");
  ExperimentConfig config = read_experiment(options.config, options.overrides);
  if (options.threads) config.resources.threads = *options.threads;
  if (options.seed) config.training.seed = config.training.sampler.seed = *options.seed;
  GroupConfig place = group_from_environment();
  place.timeout = std::chrono::seconds(config.resources.peer_timeout);
  if (config.resources.threads == 0 && place.size > 1)
    config.resources.threads = std::max<int64_t>(1, available_cores() / processes_here());
  set_threads(config.resources.threads);
  const ModelDirectory directory{
      options.output.empty() ? default_output(options.config, config.name) : options.output};
  if (place.rank == 0) {
    check_output(directory, options);
    if (options.resume) check_same_model(directory, config);
  } else {
    set_up_log(Verbosity::quiet);  // the first process speaks for all
  }

  Corpus train_corpus = read_training_corpus(config);
  Corpus valid_corpus = read_validation_corpus(config);
  Group group(place);
  Vocabularies subwords = common_vocabularies(
      group, config,
      [&] {
        return options.resume ? load_vocabularies(directory, config.subword.joint)
                              : train_vocabularies(config, train_corpus);
      });
  config.model.source_vocabulary = subwords.source.size();
  config.model.target_vocabulary = subwords.target.size();
  const TrainingData data{std::move(train_corpus), std::move(valid_corpus), subwords.source,
                          subwords.target, config.corpus.max_length};
  const std::vector<std::string> corpus_lines = report_corpus(data);

  at::manual_seed(config.training.seed);
  Seq2Seq model(config.model);
  const int64_t parameters = model->parameter_count();
  spdlog::info("model: {} parameters, {} and {} pieces; training will need about {} MiB",
               grouped(parameters), grouped(subwords.source.size()),
               grouped(subwords.target.size()),
               grouped(static_cast<int64_t>(estimated_memory(config, parameters) / 1048576)));
  if (group.size() > 1)
    spdlog::info("{} processes train together, with {} threads in this one", group.size(),
                 at::get_num_threads());
  if (!options.resume && group.is_first()) start_directory(directory, config, subwords);

  const GracefulStop signals;
  const ReportFacts facts{config, parameters, at::get_num_threads(),
                          commands_to_go_on(options, directory)};
  TrainingLog log(directory.log(), config.training, at::get_num_threads(), corpus_lines,
                  [&] { write_report(directory, facts); });
  const Metadata metadata{{"source_vocabulary", subwords.source.digest()},
                          {"target_vocabulary", subwords.target.digest()}};
  const TrainingSummary summary =
      train(model, data, config.training, config.validation, directory.path, metadata,
            options.resume, signals.stop(), log, &group);
  log.finish();
  if (summary.reason != StopReason::interrupted && group.is_first())
    keep_neighbours(directory, data, config, model);
  report_end(summary, config, directory, options);
  if (summary.reason == StopReason::interrupted) signals.throw_if_stopped();
}

void add_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* train = app.add_subcommand("train", "Train a model from a config");
  train->footer(
      "Examples:\n"
      "  softalign train configs/zh-en.yaml\n"
      "  softalign train my.yaml --set model.attention.score=additive --output models/additive\n"
      "  softalign train my.yaml --resume --set training.max_epochs=20\n"
      "  softalign train --list-keys");
  train->add_option("CONFIG", options->config, "Config of the experiment (YAML)");
  train
      ->add_option("-o,--output", options->output,
                   "Model directory [default: models/<config name> beside the config's folder]")
      ->type_name("DIR");
  train
      ->add_option("--set", options->overrides,
                   "Override a key of the config; repeatable. Paths count from the config's "
                   "folder, as in the config")
      ->type_name("KEY.SUB=VALUE")
      ->expected(1)
      ->take_all();
  auto* resume = train->add_flag("--resume", options->resume,
                                 "Go on with a stopped training, exactly where it was");
  train->add_flag("--force", options->force, "Start over, replacing the model in the output")
      ->excludes(resume);
  train->add_option("--threads", options->threads, "Threads; 0: all cores [config]")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  train->add_option("--seed", options->seed, "Start of all random draws [config]")->type_name("N");
  train->add_flag("--list-keys", options->list_keys,
                  "List every key of a config with its default, range and meaning");
  train->callback([options] { run_train(*options, std::cout); });
}

}  // namespace softalign
