#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/config/experiment.h"
#include "data/subword.h"

namespace softalign {

class Translator;

/// Paths inside a model directory (design: one directory, nothing outside needed).
struct ModelDirectory {
  std::filesystem::path path;
  std::filesystem::path config() const { return path / "config.yaml"; }
  std::filesystem::path best() const { return path / "best.safetensors"; }
  std::filesystem::path last() const { return path / "last"; }
  std::filesystem::path log() const { return path / "log.jsonl"; }
  std::filesystem::path report() const { return path / "report.html"; }
  std::filesystem::path neighbours() const { return path / "neighbours"; }
  std::filesystem::path joint_subword() const { return path / "joint.spm"; }
  std::filesystem::path source_subword() const { return path / "source.spm"; }
  std::filesystem::path target_subword() const { return path / "target.spm"; }
};

struct LoadedModel {
  ExperimentConfig config;  // of the first model of an ensemble
  std::unique_ptr<Translator> translator;
  LoadedModel();
  LoadedModel(LoadedModel&&) noexcept;
  ~LoadedModel();
};

/// Loads one model, or several as an ensemble. Throws one clear Error where a folder isn't a model
/// directory (a config file or corpus given by mistake is named), a file is missing or damaged,
/// weights don't fit the config, or vocabularies differ from those the weights were trained with.
/// `kernels`: other ones than the model was trained with.
LoadedModel load_model(const std::vector<std::filesystem::path>& directories,
                       std::optional<Kernels> kernels = {});

struct Vocabularies {
  Subword source, target;
};
/// joint.spm, or source.spm and target.spm. Throws Error naming the missing or foreign file.
Vocabularies load_vocabularies(const ModelDirectory& directory, bool joint);
void save_vocabularies(const ModelDirectory& directory, bool joint, const Vocabularies& subwords);

/// SHA-256 of the best weights. Throws Error if they are missing or damaged.
std::string weights_digest(const ModelDirectory& directory);

/// The config of a model directory. Throws Error if `directory` is something else.
ExperimentConfig read_model_config(const ModelDirectory& directory);

}  // namespace softalign
