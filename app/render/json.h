#pragma once

#include <string>
#include <string_view>

#include "app/render/heatmap.h"

namespace softalign {

struct Translation;

/// A JSON string with its quotation marks, always valid UTF-8: ill-formed bytes become U+FFFD.
std::string json_string(std::string_view text);
/// Six significant digits; null where JSON has no number (nan, inf).
std::string json_number(double value);

/// {"source", "translation", "score", "source_tokens", "target_tokens", "attention"}; "score" is
/// null if the map has none. No line end.
std::string to_json(const Heatmap& map);

/// The same for a translator's answer, on one line without its end. `with_nbest` adds "nbest":
/// [{"translation", "score", "log_prob", "finished"}, …], best first.
std::string to_json_line(const Translation& translation, bool with_nbest);

/// JSON that may stand inside <script>: `<`, U+2028 and U+2029 as escapes.
std::string json_for_script(const std::string& json);

/// The best candidate as a picture.
Heatmap heatmap_of(const Translation& translation);

}  // namespace softalign
