#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>

namespace CLI {
class App;
}

namespace softalign {

enum class AttentionFormat { terminal, json, tsv, svg, html, pharaoh };

struct AttentionOptions {
  std::filesystem::path model;
  std::optional<std::string> source, target;  // one sentence, and its given translation
  std::filesystem::path input, reference;     // or files of them
  std::optional<AttentionFormat> format;      // else by the output's ending, or where it goes
  std::filesystem::path output;               // empty or "-": `out`
  bool words = false;
  std::optional<int64_t> beam;  // default: the model's
  int64_t threads = 0;
};

void add_attention(CLI::App& app);

/// The attention of the model's own output, or of given translations, as pictures or dumps. A file
/// is written whole or not at all. Throws Error where options don't go together, files have
/// different numbers of lines, or several sentences would have to fit one SVG picture.
void run_attention(const AttentionOptions& options, std::ostream& out);

}  // namespace softalign
