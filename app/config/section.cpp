#include "app/config/section.h"

#include <algorithm>
#include <array>
#include <limits>

namespace softalign {
namespace {

/// UTF-8 continuation bytes take no column.
size_t columns(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

Section::Section(std::string name, std::string explanation)
    : name_(std::move(name)), explanation_(std::move(explanation)) {}

Section& Section::section(std::string name, std::string explanation) {
  sections_.push_back(std::make_unique<Section>(std::move(name), std::move(explanation)));
  return *sections_.back();
}

void Section::key(std::string name, bool& value, std::string explanation) {
  keys_.push_back({std::move(name), "true or false", std::move(explanation),
                   [&value](const ConfigValue& given) { value = read_bool(given); },
                   [&value] { return std::string(value ? "true" : "false"); }});
}

void Section::key(std::string name, int64_t& value, const Range& range, std::string explanation) {
  keys_.push_back(
      {std::move(name), range.text, std::move(explanation),
       [&value, range](const ConfigValue& given) { value = read_integer(given, range); },
       [&value] { return number_text(value); }});
}

void Section::key(std::string name, uint64_t& value, std::string explanation) {
  const std::string range = "in [0, " + number_text(std::numeric_limits<uint64_t>::max()) + "]";
  keys_.push_back({std::move(name), range, std::move(explanation),
                   [&value, range](const ConfigValue& given) { value = read_seed(given, range); },
                   [&value] { return number_text(value); }});
}

void Section::key(std::string name, double& value, const Range& range, std::string explanation) {
  keys_.push_back({std::move(name), range.text, std::move(explanation),
                   [&value, range](const ConfigValue& given) { value = read_real(given, range); },
                   [&value] { return number_text(value); }});
}

void Section::key(std::string name, std::string& value, std::vector<std::string> choices,
                  std::string explanation) {
  add_choice(
      std::move(name), std::move(choices), [&value](const std::string& text) { value = text; },
      [&value] { return value; }, std::move(explanation));
}

void Section::key(std::string name, std::vector<std::filesystem::path>& value,
                  std::string explanation) {
  const auto read = [&value](const ConfigValue& given) {
    const auto texts = read_texts(given);
    value.assign(texts.begin(), texts.end());
  };
  const auto write = [&value] {
    if (value.size() == 1) return quoted(value.front().string());
    std::string text;
    for (const auto& path : value) text += (text.empty() ? "" : ", ") + quoted(path.string());
    return "[" + text + "]";
  };
  keys_.push_back({std::move(name), "file or list of files", std::move(explanation), read, write});
}

void Section::add_choice(std::string name, std::vector<std::string> choices,
                         std::function<void(const std::string&)> set,
                         std::function<std::string()> get, std::string explanation) {
  std::string range = listed(choices);
  const auto read = [choices = std::move(choices), set = std::move(set)](const ConfigValue& given) {
    set(read_choice(given, choices));
  };
  keys_.push_back(
      {std::move(name), std::move(range), std::move(explanation), read, std::move(get)});
}

std::vector<std::pair<std::string, std::string>> flat_values(const Section& root) {
  std::vector<std::pair<std::string, std::string>> values;
  const std::function<void(const Section&, const std::string&)> walk =
      [&](const Section& section, const std::string& prefix) {
        for (const auto& key : section.keys_)
          if (key.written) values.emplace_back(dotted(prefix, key.name), key.write());
        for (const auto& inner : section.sections_) walk(*inner, dotted(prefix, inner->name_));
      };
  walk(root, "");
  return values;
}

std::string list_keys(const Section& root) {
  std::vector<std::array<std::string, 4>> rows;
  const std::function<void(const Section&, const std::string&)> walk =
      [&](const Section& section, const std::string& prefix) {
        for (const auto& key : section.keys_)
          rows.push_back({dotted(prefix, key.name), key.write(), key.range, key.explanation});
        for (const auto& inner : section.sections_) walk(*inner, dotted(prefix, inner->name_));
      };
  walk(root, "");
  size_t widths[2] = {0, 0};
  for (const auto& row : rows)
    for (size_t i = 0; i < 2; ++i) widths[i] = std::max(widths[i], columns(row[i]));
  std::string text;
  for (const auto& row : rows) {
    for (size_t i = 0; i < 2; ++i)
      text += row[i] + std::string(widths[i] - columns(row[i]) + 2, ' ');
    text += row[3] + " (" + row[2] + ")\n";
  }
  return text;
}

std::string write_yaml(const Section& root) {
  std::string text;
  const std::function<void(const Section&, size_t)> walk = [&](const Section& section,
                                                               size_t depth) {
    const std::string indent(2 * depth, ' ');
    for (const auto& key : section.keys_)
      if (key.written) text += indent + key.name + ": " + key.write() + "\n";
    for (const auto& inner : section.sections_) {
      text += indent + inner->name_ + ":\n";
      walk(*inner, depth + 1);
    }
  };
  walk(root, 0);
  return text;
}

}  // namespace softalign
