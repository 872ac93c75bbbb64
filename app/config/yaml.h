#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "app/config/section.h"

namespace softalign {

/// Fills the structs that `root` is bound to. Unknown, misplaced, duplicate, mistyped and
/// out-of-range keys are Errors with place, key, what was expected and the nearest valid name.
class ConfigReader {
 public:
  explicit ConfigReader(Section& root) : root_(root) {}

  /// YAML text; `file` stands in messages. A byte-order mark and CRLF are fine.
  void read_text(const std::string& text, const std::filesystem::path& file);
  /// "key.sub=value", with the value as YAML.
  void apply(const std::string& assignment);

  /// "file:line" or "--set …" of the place that set this key ("model.encoder.hidden") or, where
  /// nothing did, of the nearest section around it; empty if there is none.
  std::string place_of(const std::string& key) const;

 private:
  void read_section(Section& section, const YAML::Node& node, const std::string& prefix,
                    const std::string& place);
  [[noreturn]] void reject_key(const Section& section, const std::string& prefix,
                               const std::string& name, const std::string& place) const;

  Section& root_;
  std::filesystem::path file_;                 // empty while an assignment is read
  std::map<std::string, std::string> places_;  // by key
};

}  // namespace softalign
