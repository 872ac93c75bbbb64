#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/config/value.h"
#include "model/config.h"

namespace softalign {

/// One section of a config, bound to the structs that it fills. A key is declared once, with its
/// range and an explanation; reading, listing and writing back all follow that declaration.
class Section {
 public:
  explicit Section(std::string name, std::string explanation = "");

  void key(std::string name, bool& value, std::string explanation);
  void key(std::string name, int64_t& value, const Range& range, std::string explanation);
  void key(std::string name, uint64_t& value, std::string explanation);
  void key(std::string name, double& value, const Range& range, std::string explanation);
  void key(std::string name, std::string& value, std::vector<std::string> choices,
           std::string explanation);
  /// One path or a list of paths.
  void key(std::string name, std::vector<std::filesystem::path>& value, std::string explanation);
  template <typename Kind, size_t n>
  void key(std::string name, Kind& value, const Names<Kind, n>& names, std::string explanation) {
    std::vector<std::string> choices;
    for (const auto& entry : names) choices.emplace_back(entry.second);
    const auto set = [&value, &names](const std::string& text) {
      for (const auto& [kind, kind_name] : names)
        if (kind_name == text) value = kind;
    };
    const auto get = [&value, &names] { return std::string(name_of(names, value)); };
    add_choice(std::move(name), std::move(choices), set, get, std::move(explanation));
  }
  /// A short form: one key that sets several values, which have keys of their own as well.
  template <typename Value, typename Domain>
  void both(std::string name, Value& first, Value& second, const Domain& domain,
            std::string explanation) {
    key(name, first, domain, "");
    const Key first_key = std::move(keys_.back());
    keys_.pop_back();
    key(std::move(name), second, domain, std::move(explanation));
    Key& both = keys_.back();
    both.read = [read_first = first_key.read, read_second = both.read](const ConfigValue& value) {
      read_first(value);
      read_second(value);
    };
    both.written = false;
  }

  /// A nested section; the reference stays valid as long as this section.
  Section& section(std::string name, std::string explanation);

  const std::string& name() const { return name_; }

 private:
  friend class ConfigReader;
  friend std::string list_keys(const Section& root);
  friend std::string write_yaml(const Section& root);
  friend std::vector<std::pair<std::string, std::string>> flat_values(const Section& root);

  struct Key {
    std::string name, range, explanation;
    std::function<void(const ConfigValue&)> read;
    std::function<std::string()> write;  // as YAML
    bool written = true;
  };
  void add_choice(std::string name, std::vector<std::string> choices,
                  std::function<void(const std::string&)> set, std::function<std::string()> get,
                  std::string explanation);

  std::string name_, explanation_;
  std::vector<Key> keys_;
  std::vector<std::unique_ptr<Section>> sections_;
};

/// One line per key: name, default, range, explanation.
std::string list_keys(const Section& root);
/// Every key with its present value, as YAML.
std::string write_yaml(const Section& root);
/// Every key with its present value as YAML, by its whole name.
std::vector<std::pair<std::string, std::string>> flat_values(const Section& root);

}  // namespace softalign
