#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace YAML {
class Node;
}

namespace softalign {

/// The numbers that a key may take, as the text that messages and `--list-keys` show.
struct Range {
  double low, high;
  bool open_low = false, open_high = false;  // the bound itself is not allowed
  std::string text;

  bool contains(double value) const;
};
Range at_least(int64_t low);               // "≥ 1"
Range between(double low, double high);    // "in [0, 1]"
Range half_open(double low, double high);  // "in [0, 1)"
Range left_open(double low, double high);  // "in (0, 1]"
Range positive();                          // "> 0"
Range not_negative();                      // "≥ 0"

/// A value as the config has it, and where: "configs/my.yaml:12" or "--set training.seed=x".
struct ConfigValue {
  const YAML::Node* node;
  std::string place;
  std::string key;  // with its sections: "model.encoder.hidden"
};

/// Typed values; throw Error with place, key, what is there and `expected`. Quoted text is never a
/// number or a truth value.
bool read_bool(const ConfigValue& value);
int64_t read_integer(const ConfigValue& value, const Range& range);
uint64_t read_seed(const ConfigValue& value, const std::string& range);
double read_real(const ConfigValue& value, const Range& range);
std::vector<std::string> read_texts(const ConfigValue& value);  // one text or a list
/// One of `choices`; the message has the nearest one.
std::string read_choice(const ConfigValue& value, const std::vector<std::string>& choices);

/// Values as YAML, whatever the locale.
std::string number_text(int64_t value);
std::string number_text(uint64_t value);
std::string number_text(double value);
std::string quoted(const std::string& text);

/// "prefix.name", or the name alone at the top.
std::string dotted(const std::string& prefix, const std::string& name);

// For messages.
std::string shown(const YAML::Node& node);
std::string listed(const std::vector<std::string>& words);  // "a, b, c"
/// The candidate with the smallest edit distance to `name`, or "" if none is near.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace softalign
