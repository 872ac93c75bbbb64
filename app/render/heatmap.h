#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// One sentence's attention, ready to be drawn: rows are target tokens, columns source tokens.
/// Tokens are pieces with ▁ for a word's start, or whole words if `words`.
struct Heatmap {
  std::string source, target;              // whole sentences
  std::vector<std::string> source_tokens;  // EOS ("</s>") included
  std::vector<std::string> target_tokens;
  std::vector<std::vector<float>> weights;  // [target token][source token]
  std::optional<double> score;              // of the translation
  bool words = false;
};

/// What is drawn for a weight: missing and not-a-number are 0, the rest is clamped to [0, 1].
double drawn_weight(const Heatmap& map, size_t target, size_t source);

/// False if all weights are 0: the model has no attention (`score: none`).
bool has_attention(const Heatmap& map);
constexpr std::string_view kNoAttention =
    "this model has no attention (score: none): every step sees the same vector";

enum class Theme { light, dark };

struct TerminalStyle {
  bool colour = true;         // 24-bit colour; else shades of blocks
  int64_t columns = 80;       // of the terminal; wide pictures are split into panels
  Theme theme = Theme::dark;  // of the terminal's background
  bool heading = false;       // the two sentences above the picture
};

/// For people at a terminal: columns line up for wide (CJK) characters too. Source tokens stand
/// above their columns, on several levels where they are long. A cell's number is per cent.
std::string render_terminal(const Heatmap& map, const TerminalStyle& style);
/// A standalone, well-formed SVG picture without scripts: legible labels for CJK and right-to-left,
/// light and dark by the reader's preference, the weight of a cell in its <title>.
std::string render_svg(const Heatmap& map);
/// One self-contained page with all maps; weights on hover, light and dark.
std::string render_html(const std::vector<Heatmap>& maps, const std::string& title);
/// sentence step target_token source_index source_token weight, with a header line; tabs, line
/// ends and backslashes in tokens are escaped as \t, \n, \r and \\. All three numbers count from 0.
std::string render_tsv(const std::vector<Heatmap>& maps);
/// The lines of one sentence in render_tsv, without the header line.
std::string tsv_lines(const Heatmap& map, int64_t sentence);
constexpr std::string_view kTsvHeader =
    "sentence\tstep\ttarget_token\tsource_index\tsource_token\tweight\n";

/// For element content and attributes of XML and HTML. Characters that XML cannot hold become
/// U+FFFD.
std::string escape_markup(const std::string& text);

/// The same attention over words: pieces are joined, weights summed over a source word and averaged
/// over a target word, EOS is left out and rows are renormalised.
Heatmap merge_words(const Heatmap& map);

/// One line of Pharaoh links `source-target` over words, from zero: each target word's heaviest
/// source word.
std::string render_pharaoh(const Heatmap& map);

}  // namespace softalign
