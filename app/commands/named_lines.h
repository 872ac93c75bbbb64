#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace softalign {

/// The lines of a file and where they come from.
struct NamedLines {
  std::filesystem::path path;
  std::vector<std::string> lines;
};

/// Reads text as LineReader does; ill-formed UTF-8 is repaired. "-" is standard input.
NamedLines read_named_lines(const std::filesystem::path& path);

/// Throws Error with both files and both counts if they differ.
void require_same_count(const NamedLines& a, const NamedLines& b);

}  // namespace softalign
