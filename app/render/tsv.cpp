#include "app/render/heatmap.h"
#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

std::string escape_field(const std::string& text) {
  std::string escaped;
  for (const char c : repair_utf8(text)) {
    if (c == '\t') {
      escaped += "\\t";
    } else if (c == '\n') {
      escaped += "\\n";
    } else if (c == '\r') {
      escaped += "\\r";
    } else if (c == '\\') {
      escaped += "\\\\";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

}  // namespace

std::string tsv_lines(const Heatmap& map, int64_t sentence) {
  std::string lines;
  for (size_t t = 0; t < map.weights.size() && t < map.target_tokens.size(); ++t) {
    const std::string start = std::to_string(sentence) + '\t' + std::to_string(t) + '\t' +
                              escape_field(map.target_tokens[t]) + '\t';
    for (size_t i = 0; i < map.weights[t].size() && i < map.source_tokens.size(); ++i)
      lines += start + std::to_string(i) + '\t' + escape_field(map.source_tokens[i]) + '\t' +
               short_number(map.weights[t][i]) + '\n';
  }
  return lines;
}

std::string render_tsv(const std::vector<Heatmap>& maps) {
  std::string text(kTsvHeader);
  for (size_t sentence = 0; sentence < maps.size(); ++sentence)
    text += tsv_lines(maps[sentence], static_cast<int64_t>(sentence));
  return text;
}

}  // namespace softalign
