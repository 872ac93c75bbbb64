#include "app/config/yaml.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "data/error.h"

namespace softalign {

void ConfigReader::read_text(const std::string& text, const std::filesystem::path& file) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  const bool marked = text.compare(0, kByteOrderMark.size(), kByteOrderMark) == 0;
  std::vector<YAML::Node> documents;
  try {
    documents = YAML::LoadAll(marked ? text.substr(kByteOrderMark.size()) : text);
  } catch (const YAML::Exception& error) {
    throw error_at(file, error.mark.line + 1, "not valid YAML: " + error.msg);
  }
  std::vector<std::string> names;
  for (const auto& section : root_.sections_) names.push_back(section->name_);
  if (documents.empty() || documents.front().IsNull())
    throw Error(file.string() + ": the config is empty; its sections are " + listed(names));
  if (documents.size() > 1)
    throw Error(file.string() + ": more than one YAML document (\"---\"); a config is one");
  if (!documents.front().IsMap())
    throw error_at(
        file, documents.front().Mark().line + 1,
        shown(documents.front()) + " where the sections " + listed(names) + " were expected");
  file_ = file;
  read_section(root_, documents.front(), "", file.string());
  file_.clear();
}

void ConfigReader::apply(const std::string& assignment) {
  const std::string place = "--set " + assignment;
  const size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(place + ": key.sub=value was expected");
  std::string path = assignment.substr(0, equals);
  YAML::Node value;
  try {
    value = YAML::Load(assignment.substr(equals + 1));
  } catch (const YAML::Exception& error) {
    throw Error(place + ": the value is not valid YAML: " + error.msg);
  }
  // a.b=v is the section a with the key b: one nested map that is read like a file.
  while (true) {
    const size_t dot = path.rfind('.');
    YAML::Node outer;
    outer[path.substr(dot == std::string::npos ? 0 : dot + 1)] = value;
    value = outer;
    if (dot == std::string::npos) break;
    path.resize(dot);
  }
  read_section(root_, value, "", place);
}

void ConfigReader::read_section(Section& section, const YAML::Node& node, const std::string& prefix,
                                const std::string& place) {
  if (node.IsNull()) return;  // a section whose keys are all commented out
  if (!node.IsMap()) {
    std::vector<std::string> names;
    for (const auto& key : section.keys_) names.push_back(key.name);
    for (const auto& inner : section.sections_) names.push_back(inner->name_);
    throw Error(place + ": " + prefix + ": " + shown(node) + " where a section with the keys " +
                listed(names) + " was expected");
  }
  const auto line_of = [&](const YAML::Node& key) {
    return file_.empty() ? place : file_.string() + ":" + std::to_string(key.Mark().line + 1);
  };
  std::map<std::string, std::pair<YAML::Node, std::string>> given;  // value and place by key
  for (const auto& pair : node) {
    const YAML::Node &key = pair.first, &value = pair.second;
    const std::string where = line_of(key);
    if (!key.IsScalar()) throw Error(where + ": " + shown(key) + " is not a key");
    const std::string& name = key.Scalar();
    const auto [first, is_new] = given.try_emplace(name, value, where);
    if (!is_new)
      throw Error(where + ": " + dotted(prefix, name) + " is given twice, first at " +
                  first->second.second);
  }
  const auto known = [&](const std::string& name) {
    return std::any_of(section.keys_.begin(), section.keys_.end(),
                       [&](const auto& key) { return key.name == name; }) ||
           std::any_of(section.sections_.begin(), section.sections_.end(),
                       [&](const auto& inner) { return inner->name_ == name; });
  };
  for (const auto& pair : node)  // in the order of the file
    if (!known(pair.first.Scalar()))
      reject_key(section, prefix, pair.first.Scalar(), line_of(pair.first));

  for (const auto& key : section.keys_) {
    const auto found = given.find(key.name);
    if (found == given.end()) continue;
    const auto& [value, where] = found->second;
    const std::string whole = dotted(prefix, key.name);
    if (value.IsNull()) throw Error(where + ": " + whole + ": no value; expected " + key.range);
    key.read({&value, where, whole});
    places_[whole] = where;
  }
  for (const auto& inner : section.sections_) {
    const auto found = given.find(inner->name_);
    if (found == given.end()) continue;
    const std::string whole = dotted(prefix, inner->name_);
    places_[whole] = found->second.second;
    read_section(*inner, found->second.first, whole, found->second.second);
  }
}

void ConfigReader::reject_key(const Section& section, const std::string& prefix,
                              const std::string& name, const std::string& place) const {
  std::vector<std::string> here, elsewhere;
  for (const auto& key : section.keys_) here.push_back(key.name);
  for (const auto& inner : section.sections_) here.push_back(inner->name_);
  const std::function<void(const Section&, const std::string&)> seek =
      [&](const Section& other, const std::string& path) {
        for (const auto& key : other.keys_)
          if (key.name == name) elsewhere.push_back(dotted(path, key.name));
        for (const auto& inner : other.sections_) {
          const std::string whole = dotted(path, inner->name_);
          if (inner->name_ == name) elsewhere.push_back(whole);
          seek(*inner, whole);
        }
      };
  seek(root_, "");
  std::string message = place + ": " + dotted(prefix, name) + " is not a known key";
  const std::string near = nearest(name, here);
  if (!elsewhere.empty()) {
    message += "; a key of that name is " + listed(elsewhere);
  } else if (!near.empty()) {
    message += "; did you mean " + dotted(prefix, near) + "?";
  } else {
    message += "; known here: " + listed(here);
  }
  throw Error(message);
}

std::string ConfigReader::place_of(const std::string& key) const {
  for (std::string name = key;;) {
    const auto found = places_.find(name);
    if (found != places_.end()) return found->second;
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) return "";
    name.resize(dot);
  }
}

}  // namespace softalign
