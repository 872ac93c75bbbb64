#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "model/seq2seq.h"
#include "model/training/safetensors.h"

namespace softalign {

/// Parameters under their registered names, in order of registration.
NamedTensors named_parameters(const Seq2Seq& model);

/// best.safetensors (or any weights file): written atomically; loading checks names, shapes, types.
void save_weights(const Seq2Seq& model, const std::filesystem::path& file, Metadata metadata);
Metadata load_weights(Seq2Seq& model, const std::filesystem::path& file);

/// What --resume needs besides the weights: optimizer tensors and a text (JSON) of everything else.
struct Progress {
  NamedTensors weights, optimizer, averages;  // averages: EMA and the kept best, possibly empty
  Metadata metadata;                          // of the weights
  std::string state;                          // JSON
};
/// `folder` is replaced as one unit (data/file.h, replace_folder).
void save_progress(const Progress& progress, const std::filesystem::path& folder);
/// Throws Error if there is nothing to resume, or a file of it is damaged.
Progress load_progress(const std::filesystem::path& folder);

}  // namespace softalign
