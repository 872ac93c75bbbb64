#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace softalign {

/// A toy language pair: every source word has one target word, and the order stays
/// ("red dog" → "rouge chien").
struct ToyPair {
  std::string source, target;
};
/// `count` different sentences of 1 to 6 words; the same ones for the same seed.
std::vector<ToyPair> toy_pairs(size_t count, unsigned seed = 1);
/// Writes one side's lines.
void write_lines(const std::filesystem::path& file, const std::vector<std::string>& lines);
void write_text(const std::filesystem::path& file, const std::string& text);
std::string read_text(const std::filesystem::path& file);

/// Writes train.src, train.tgt, valid.src, valid.tgt and toy.yaml into `folder`, and returns the
/// config's path. `extra` is YAML appended to the section `training` ("  max_steps: 5\n").
std::filesystem::path write_toy_experiment(const std::filesystem::path& folder, size_t pairs = 300,
                                           const std::string& training = "");

/// The model directory of a small model that has learnt the toy language, trained by the built
/// binary when it is first needed (some seconds) and shared by all tests; don't write into it, copy
/// it. Throws std::runtime_error with the binary's messages if the training fails.
const std::filesystem::path& tiny_model();
/// Where its corpus and config are.
const std::filesystem::path& tiny_experiment();

}  // namespace softalign
