#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace softalign {

using at::Tensor;
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
using Metadata = std::map<std::string, std::string>;

/// The safetensors format (an 8-byte little-endian header length, a JSON header, raw tensors). Our
/// files add to `__metadata__`: "format_version", "sha256" of the tensor bytes, and "header_sha256"
/// of the header with 64 zeros in this one's place.
std::string to_safetensors(const NamedTensors& tensors, Metadata metadata);

struct LoadedTensors {
  NamedTensors tensors;  // in the order of the header, which is the order of writing
  Metadata metadata;
};
/// Throws one clear Error naming the file if it is truncated, flipped, foreign, or newer than this
/// program. Tensors are read-only views of the memory map that they keep alive.
LoadedTensors load_safetensors(const std::filesystem::path& path);

/// Copies `loaded` into `parameters` after comparing all names, shapes and dtypes; throws Error
/// that lists the differences (at most five) and changes nothing otherwise.
void copy_into(const NamedTensors& parameters, const LoadedTensors& loaded,
               const std::filesystem::path& name);

/// The tensor of that name, or an undefined one.
Tensor find_tensor(const NamedTensors& tensors, const std::string& name);

}  // namespace softalign
