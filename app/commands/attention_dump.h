#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/render/heatmap.h"

namespace softalign {

struct Translation;

/// The file that `translate --attention FILE` writes; its ending chooses the form: .json and .jsonl
/// (one object per line), .tsv, .html (all sentences on a page), .svg (one picture; with several
/// sentences FILE-1.svg, FILE-2.svg, …).
class AttentionDump {
 public:
  /// Throws Error for another ending.
  explicit AttentionDump(std::filesystem::path file);

  /// Blank lines count as sentences but have nothing to draw.
  void add(const Translation& translation);
  /// Writes everything, whole or not at all.
  void write() const;

 private:
  enum class Form { json, tsv, html, svg };
  static Form form_of(const std::filesystem::path& file);

  std::filesystem::path file_;
  Form form_;
  std::string text_;           // json, tsv
  std::vector<Heatmap> maps_;  // html, svg
  int64_t sentences_ = 0;
};

}  // namespace softalign
