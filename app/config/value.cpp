#include "app/config/value.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "data/error.h"

namespace softalign {
namespace {

template <typename Number>
std::string to_text(Number value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

[[noreturn]] void fail(const ConfigValue& value, const std::string& message) {
  throw Error(value.place + ": " + value.key + ": " + message);
}

/// The text of a plain (unquoted) scalar, which alone can be a number or a truth value.
const std::string& plain_scalar(const ConfigValue& value, const std::string& expected) {
  if (!value.node->IsScalar() || value.node->Tag() == "!")
    fail(value, shown(*value.node) + " is not " + expected);
  return value.node->Scalar();
}

template <typename Number>
Number read_number(const ConfigValue& value, const std::string& expected) {
  const std::string& text = plain_scalar(value, expected);
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size())
    fail(value, shown(*value.node) + " is not " + expected);
  return number;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> previous(b.size() + 1), current(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j)
      current[j] = std::min(
          {previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string dotted(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}

std::string number_text(int64_t value) { return to_text(value); }
std::string number_text(uint64_t value) { return to_text(value); }
std::string number_text(double value) { return to_text(value); }

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr char kDigits[] = "0123456789abcdef";
      out += "\\x";
      out += kDigits[(c >> 4) & 15];
      out += kDigits[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string shown(const YAML::Node& node) {
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a section";
  if (node.IsNull()) return "nothing";
  const std::string& text = node.Scalar();
  const std::string start = text.size() > 40 ? text.substr(0, 40) + "…" : text;
  return node.Tag() == "!" ? quoted(start) : start;  // yaml-cpp tags quoted scalars "!"
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool Range::contains(double value) const {
  return (open_low ? value > low : value >= low) && (open_high ? value < high : value <= high);
}

Range at_least(int64_t low) {
  return {static_cast<double>(low), std::numeric_limits<double>::max(), false, false,
          "≥ " + number_text(low)};
}
Range between(double low, double high) {
  return {low, high, false, false, "in [" + number_text(low) + ", " + number_text(high) + "]"};
}
Range half_open(double low, double high) {
  return {low, high, false, true, "in [" + number_text(low) + ", " + number_text(high) + ")"};
}
Range left_open(double low, double high) {
  return {low, high, true, false, "in (" + number_text(low) + ", " + number_text(high) + "]"};
}
Range positive() { return {0, std::numeric_limits<double>::max(), true, false, "> 0"}; }
Range not_negative() { return {0, std::numeric_limits<double>::max(), false, false, "≥ 0"}; }

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  std::string best;
  size_t smallest = std::max<size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const size_t distance = edit_distance(name, candidate);
    if (distance < smallest && distance < candidate.size()) {
      smallest = distance;
      best = candidate;
    }
  }
  return best;
}

bool read_bool(const ConfigValue& value) {
  const std::string& text = plain_scalar(value, "true or false");
  if (text != "true" && text != "false") fail(value, text + " is not true or false");
  return text == "true";
}

int64_t read_integer(const ConfigValue& value, const Range& range) {
  const auto number = read_number<int64_t>(value, "a whole number " + range.text);
  if (!range.contains(static_cast<double>(number)))
    fail(value, shown(*value.node) + " is not " + range.text);
  return number;
}

uint64_t read_seed(const ConfigValue& value, const std::string& range) {
  return read_number<uint64_t>(value, "a whole number " + range);
}

double read_real(const ConfigValue& value, const Range& range) {
  const auto number = read_number<double>(value, "a number " + range.text);
  if (!std::isfinite(number) || !range.contains(number))
    fail(value, shown(*value.node) + " is not " + range.text);
  return number;
}

std::vector<std::string> read_texts(const ConfigValue& value) {
  std::vector<std::string> texts;
  const auto add = [&](const YAML::Node& item) {
    if (!item.IsScalar() || item.Scalar().empty())
      fail(value, shown(item) + " is not a file name or a list of file names");
    texts.push_back(item.Scalar());
  };
  if (!value.node->IsSequence()) {
    add(*value.node);
  } else {
    for (const auto& item : *value.node) add(item);
  }
  return texts;
}

std::string read_choice(const ConfigValue& value, const std::vector<std::string>& choices) {
  const YAML::Node& node = *value.node;
  if (node.IsScalar() && std::find(choices.begin(), choices.end(), node.Scalar()) != choices.end())
    return node.Scalar();
  const std::string near = node.IsScalar() ? nearest(node.Scalar(), choices) : "";
  fail(value, shown(node) + " is not one of " + listed(choices) +
                  (near.empty() ? "" : "; did you mean " + near + "?"));
}

}  // namespace softalign
