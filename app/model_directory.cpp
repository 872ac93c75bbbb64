#include "app/model_directory.h"

#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"
#include "model/training/checkpoint.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

/// Throws an Error that says what was given instead of a model directory.
void require_model_directory(const ModelDirectory& directory) {
  const fs::path& path = directory.path;
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw Error(path.string() + ": there is no such model directory");
  if (!fs::is_directory(path, ignored)) {
    const std::string ending = path.extension().string();
    const std::string what = ending == ".yaml" || ending == ".yml" ? "a config file"
                             : ending == ".safetensors"            ? "one file of a model"
                                                                   : "a file";
    throw Error(path.string() + " is " + what +
                "; a model directory was expected, as `softalign train` writes it");
  }
  if (!fs::exists(directory.config(), ignored))
    throw Error(path.string() +
                " is not a model directory: it has no config.yaml; `softalign train` writes one");
}

Seq2Seq load_weights_of(const ModelDirectory& directory, const ExperimentConfig& config,
                        const Vocabularies& subwords) {
  if (!fs::exists(directory.best()))
    throw Error(directory.best().string() + " is missing: " +
                (fs::exists(directory.last())
                     ? "the training has not come to its first validation; go on with --resume"
                     : "the model directory is not complete"));
  const LoadedTensors loaded = load_safetensors(directory.best());
  const auto check_vocabulary = [&](const std::string& side, const Subword& subword) {
    const auto stored = loaded.metadata.find(side + "_vocabulary");
    if (stored != loaded.metadata.end() && stored->second != subword.digest())
      throw Error(directory.best().string() + " was trained with another " + side +
                  " vocabulary than the one beside it (their digests differ): the .spm file was "
                  "replaced or belongs to another model");
  };
  check_vocabulary("source", subwords.source);
  check_vocabulary("target", subwords.target);
  Seq2Seq model(config.model);
  copy_into(named_parameters(model), loaded, directory.best());
  model->eval();
  return model;
}

}  // namespace

LoadedModel::LoadedModel() = default;
LoadedModel::LoadedModel(LoadedModel&&) noexcept = default;
LoadedModel::~LoadedModel() = default;

Vocabularies load_vocabularies(const ModelDirectory& directory, bool joint) {
  if (!joint)
    return {Subword::load(directory.source_subword()), Subword::load(directory.target_subword())};
  const Subword both = Subword::load(directory.joint_subword());
  return {both, both};
}

void save_vocabularies(const ModelDirectory& directory, bool joint, const Vocabularies& subwords) {
  if (joint) {
    write_atomically(directory.joint_subword(), subwords.source.bytes());
  } else {
    write_atomically(directory.source_subword(), subwords.source.bytes());
    write_atomically(directory.target_subword(), subwords.target.bytes());
  }
}

std::string weights_digest(const ModelDirectory& directory) {
  return load_safetensors(directory.best()).metadata.at("sha256");
}

ExperimentConfig read_model_config(const ModelDirectory& directory) {
  require_model_directory(directory);
  ExperimentConfig config = read_experiment(directory.config());
  config.name =
      fs::absolute(directory.path / "").lexically_normal().parent_path().filename().string();
  return config;
}

LoadedModel load_model(const std::vector<fs::path>& directories, std::optional<Kernels> kernels) {
  if (directories.empty()) throw Error("no model directory was given");
  LoadedModel result;
  std::vector<Seq2Seq> models;
  std::vector<Vocabularies> vocabularies;
  for (const fs::path& path : directories) {
    const ModelDirectory directory{path};
    ExperimentConfig config = read_model_config(directory);
    Vocabularies subwords = load_vocabularies(directory, config.subword.joint);
    if (!vocabularies.empty() &&
        (subwords.source.digest() != vocabularies.front().source.digest() ||
         subwords.target.digest() != vocabularies.front().target.digest()))
      throw Error(path.string() + " and " + directories.front().string() +
                  " have different vocabularies: only models that share them make an ensemble");
    config.model.source_vocabulary = subwords.source.size();
    config.model.target_vocabulary = subwords.target.size();
    if (kernels) config.model.kernels = *kernels;
    models.push_back(load_weights_of(directory, config, subwords));
    vocabularies.push_back(std::move(subwords));
    if (models.size() == 1) result.config = std::move(config);
  }
  result.translator =
      std::make_unique<Translator>(std::move(models), std::move(vocabularies.front().source),
                                   std::move(vocabularies.front().target));
  return result;
}

}  // namespace softalign
