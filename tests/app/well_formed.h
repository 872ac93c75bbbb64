#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// What is wrong with `xml` as a well-formed document of elements, attributes and text (no
/// comments, no CDATA, no declarations), or "" if nothing is.
inline std::string xml_fault(std::string_view xml) {
  std::vector<std::string> open;
  size_t roots = 0;
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == ':';
  };
  const auto text_fault = [](std::string_view text) -> std::string {
    for (size_t i = 0; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      if (byte < 0x20 && text[i] != '\n' && text[i] != '\t') return "control character";
      if (text[i] == '<') return "bare < in text";
      if (text[i] != '&') continue;
      bool known = false;
      for (const std::string_view entity : {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"})
        known = known || text.substr(i, entity.size()) == entity;
      if (!known) return "bare & in text";
    }
    return "";
  };
  for (size_t i = 0; i < xml.size();) {
    if (xml[i] != '<') {
      const size_t end = std::min(xml.find('<', i), xml.size());
      const std::string_view text = xml.substr(i, end - i);
      if (const std::string fault = text_fault(text); !fault.empty()) return fault;
      if (open.empty() && text.find_first_not_of(" \n") != std::string_view::npos)
        return "text outside the root";
      i = end;
      continue;
    }
    ++i;
    const bool closes = i < xml.size() && xml[i] == '/';
    if (closes) ++i;
    std::string name;
    while (i < xml.size() && is_name(xml[i])) name += xml[i++];
    if (name.empty()) return "element without a name";
    std::vector<std::string> attributes;
    while (i < xml.size() && xml[i] == ' ') {
      ++i;
      std::string attribute;
      while (i < xml.size() && is_name(xml[i])) attribute += xml[i++];
      if (xml.substr(i, 2) != "=\"") return "attribute " + attribute + " without a value";
      const size_t end = xml.find('"', i + 2);
      if (end == std::string_view::npos) return "unclosed attribute " + attribute;
      if (const std::string fault = text_fault(xml.substr(i + 2, end - i - 2)); !fault.empty())
        return fault + " in attribute " + attribute;
      for (const std::string& other : attributes)
        if (other == attribute) return "attribute " + attribute + " twice";
      attributes.push_back(attribute);
      i = end + 1;
    }
    const bool empty = xml.substr(i, 2) == "/>";
    i += empty ? 2 : 1;
    if (i > xml.size() || xml[i - 1] != '>') return "unclosed tag " + name;
    if (closes) {
      if (open.empty() || open.back() != name) return "</" + name + "> closes nothing";
      open.pop_back();
    } else {
      if (open.empty() && ++roots > 1) return "two roots";
      if (!empty) open.push_back(name);
    }
  }
  if (!open.empty()) return "<" + open.back() + "> is not closed";
  return roots == 1 ? "" : "no root";
}

}  // namespace softalign
