#include "model/training/checkpoint.h"

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

constexpr const char* kWeights = "weights.safetensors";
constexpr const char* kOptimizer = "optimizer.safetensors";
constexpr const char* kAverages = "averages.safetensors";
constexpr const char* kState = "state.json";

/// state.json: what the trainer said, with a digest. Deterministic, so that a reader can compare
/// the whole text.
std::string state_file(const nlohmann::json& state) {
  const nlohmann::json file{
      {"format_version", 1}, {"sha256", sha256(state.dump())}, {"state", state}};
  return file.dump(2) + "\n";
}

std::string read_state(const std::filesystem::path& path) {
  const std::string bytes = read_bytes(path);
  const auto json = nlohmann::json::parse(bytes, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("state"))
    throw Error(path.string() + " is damaged: not the state of a training");
  if (json.contains("format_version") && json["format_version"].is_number_integer() &&
      json["format_version"] > 1)
    throw Error(path.string() + " has format version " + json["format_version"].dump() +
                ", and this program reads version 1");
  if (state_file(json["state"]) != bytes)
    throw Error(path.string() + " is damaged: it doesn't match its checksum");
  return json["state"].dump();
}

/// Into a folder that replace_folder makes durable as a whole; `shown` stands in messages.
void write_file(const std::filesystem::path& path, const std::string& bytes,
                const std::filesystem::path& shown) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  if (!file)
    throw Error(shown.string() + ": writing failed: " + std::generic_category().message(errno),
                Error::kMachine);
}

}  // namespace

NamedTensors named_parameters(const Seq2Seq& model) {
  NamedTensors named;
  for (const auto& item : model->named_parameters())
    named.emplace_back(item.key(), item.value().detach());
  return named;
}

void save_weights(const Seq2Seq& model, const std::filesystem::path& file, Metadata metadata) {
  write_atomically(file, to_safetensors(named_parameters(model), std::move(metadata)));
}

Metadata load_weights(Seq2Seq& model, const std::filesystem::path& file) {
  LoadedTensors loaded = load_safetensors(file);
  copy_into(named_parameters(model), loaded, file);
  return std::move(loaded.metadata);
}

void save_progress(const Progress& progress, const std::filesystem::path& folder) {
  const auto state = nlohmann::json::parse(progress.state);
  replace_folder(folder, [&](const std::filesystem::path& temporary) {
    const auto write = [&](const char* name, const std::string& bytes) {
      write_file(temporary / name, bytes, folder / name);
    };
    write(kWeights, to_safetensors(progress.weights, progress.metadata));
    write(kOptimizer, to_safetensors(progress.optimizer, {}));
    write(kAverages, to_safetensors(progress.averages, {}));
    write(kState, state_file(state));
  });
}

Progress load_progress(const std::filesystem::path& folder) {
  recover_folder(folder);
  if (!std::filesystem::is_directory(folder))
    throw Error("there is nothing to resume: " + folder.string() +
                " is not there; train without --resume first");
  Progress progress;
  LoadedTensors weights = load_safetensors(folder / kWeights);
  progress.weights = std::move(weights.tensors);
  progress.metadata = std::move(weights.metadata);
  progress.optimizer = load_safetensors(folder / kOptimizer).tensors;
  progress.averages = load_safetensors(folder / kAverages).tensors;
  progress.state = read_state(folder / kState);
  return progress;
}

}  // namespace softalign
