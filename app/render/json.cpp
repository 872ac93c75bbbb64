#include "app/render/json.h"

#include <cmath>

#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

std::string json_strings(const std::vector<std::string>& texts) {
  std::string json = "[";
  for (const std::string& text : texts) json += (json.size() > 1 ? "," : "") + json_string(text);
  return json + "]";
}

std::string json_numbers(const std::vector<float>& values) {
  std::string json = "[";
  for (const float value : values) json += (json.size() > 1 ? "," : "") + json_number(value);
  return json + "]";
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

}  // namespace

std::string json_string(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : repair_utf8(text)) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (c == '\n') {
      json += "\\n";
    } else if (c == '\t') {
      json += "\\t";
    } else if (c == '\r') {
      json += "\\r";
    } else if (const auto byte = static_cast<unsigned char>(c); byte < 0x20 || byte == 0x7F) {
      json += "\\u00";
      json += kDigits[byte / 16];
      json += kDigits[byte % 16];
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string json_number(double value) {
  return std::isfinite(value) ? short_number(value) : "null";
}

std::string to_json(const Heatmap& map) {
  std::string json = "{\"source\":" + json_string(map.source) +
                     ",\"translation\":" + json_string(map.target) +
                     ",\"score\":" + (map.score ? json_number(*map.score) : "null") +
                     ",\"source_tokens\":" + json_strings(map.source_tokens) +
                     ",\"target_tokens\":" + json_strings(map.target_tokens) + ",\"attention\":[";
  for (size_t t = 0; t < map.weights.size(); ++t)
    json += (t > 0 ? "," : "") + json_numbers(map.weights[t]);
  return json + "]}";
}

std::string json_for_script(const std::string& json) {
  std::string safe = json;
  replace_all(safe, "<", "\\u003c");
  replace_all(safe, "\u2028", "\\u2028");
  replace_all(safe, "\u2029", "\\u2029");
  return safe;
}

}  // namespace softalign
