#include "app/render/json.h"
#include "model/search/translator.h"

namespace softalign {

Heatmap heatmap_of(const Translation& translation) {
  Heatmap map;
  map.source = translation.source;
  map.source_tokens = translation.source_tokens;
  if (translation.nbest.empty()) return map;
  const Candidate& best = translation.best();
  map.target = best.text;
  map.target_tokens = best.tokens;
  map.weights = best.attention;
  map.score = best.score;
  return map;
}

std::string to_json_line(const Translation& translation, bool with_nbest) {
  std::string json = to_json(heatmap_of(translation));
  if (!with_nbest) return json;
  json.back() = ',';  // instead of the closing brace
  json += "\"nbest\":[";
  for (size_t k = 0; k < translation.nbest.size(); ++k) {
    const Candidate& candidate = translation.nbest[k];
    json += (k > 0 ? ",{" : "{");
    json += "\"translation\":" + json_string(candidate.text) +
            ",\"score\":" + json_number(candidate.score) +
            ",\"log_prob\":" + json_number(candidate.log_prob) +
            ",\"finished\":" + (candidate.finished ? "true" : "false") + "}";
  }
  return json + "]}";
}

}  // namespace softalign
