#include "app/render/heatmap.h"

#include <algorithm>
#include <cmath>

#include "app/render/label.h"
#include "data/alignment.h"
#include "data/unicode.h"

namespace softalign {
namespace {

std::vector<std::string> join_pieces(const std::vector<std::string>& tokens,
                                     const std::vector<int64_t>& words) {
  constexpr std::string_view kWordStart = "▁";
  std::vector<std::string> joined(words.empty() ? 0 : static_cast<size_t>(words.back() + 1));
  for (size_t i = 0; i < words.size(); ++i) {
    std::string_view piece = tokens[i];
    if (piece.substr(0, kWordStart.size()) == kWordStart) piece.remove_prefix(kWordStart.size());
    joined[static_cast<size_t>(words[i])] += piece;
  }
  return joined;
}

/// The weights as a full rectangle without not-a-number, as data/alignment.h wants them.
std::vector<std::vector<float>> full_weights(const Heatmap& map) {
  std::vector<std::vector<float>> weights(map.target_tokens.size(),
                                          std::vector<float>(map.source_tokens.size(), 0.0F));
  for (size_t t = 0; t < weights.size(); ++t)
    for (size_t i = 0; i < weights[t].size(); ++i)
      weights[t][i] = static_cast<float>(drawn_weight(map, t, i));
  return weights;
}

std::vector<std::vector<double>> weights_over_words(const Heatmap& map) {
  return word_weights(full_weights(map), words_of_tokens(map.target_tokens),
                      words_of_tokens(map.source_tokens));
}

}  // namespace

double drawn_weight(const Heatmap& map, size_t target, size_t source) {
  if (target >= map.weights.size() || source >= map.weights[target].size()) return 0;
  const double weight = map.weights[target][source];
  return std::isnan(weight) ? 0 : std::clamp(weight, 0.0, 1.0);
}

bool has_attention(const Heatmap& map) {
  for (const auto& row : map.weights)
    for (const float weight : row)
      if (weight != 0) return true;
  return false;
}

std::string escape_markup(const std::string& text) {
  std::string escaped;
  for (const char32_t c : code_points(repair_utf8(text))) {
    const bool allowed = c >= 0x20 ? c != 0xFFFE && c != 0xFFFF : c == '\t' || c == '\n';
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '"') {
      escaped += "&quot;";
    } else if (c == '\'') {
      escaped += "&#39;";
    } else {
      escaped += allowed ? to_utf8(c) : "\uFFFD";
    }
  }
  return escaped;
}

Heatmap merge_words(const Heatmap& map) {
  if (map.words) return map;
  Heatmap merged = map;
  merged.words = true;
  merged.source_tokens = join_pieces(map.source_tokens, words_of_tokens(map.source_tokens));
  merged.target_tokens = join_pieces(map.target_tokens, words_of_tokens(map.target_tokens));
  merged.weights.clear();
  for (const auto& row : weights_over_words(map))
    merged.weights.emplace_back(row.begin(), row.end());
  return merged;
}

std::string render_pharaoh(const Heatmap& map) {
  return format_alignment(hard_alignment(weights_over_words(map)));
}

}  // namespace softalign
