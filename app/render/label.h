#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace softalign {

/// A token as people see it. Pieces lose their ▁; a piece that goes on with a word gets a leading
/// "·" ("sleep", "·ing"), but punctuation and scripts without spaces don't. EOS is "⏎" and a bare ▁
/// is "␣"; these and other special tokens are faint. Control characters show as U+FFFD and
/// invisible direction marks are left out, so a label can't disturb its surroundings.
struct Label {
  std::string text;
  int64_t width = 0;  // columns of a terminal
  bool faint = false;
  bool right_to_left = false;
};

std::vector<Label> labels_of(const std::vector<std::string>& tokens, bool words);

/// The labels' texts alone.
std::vector<std::string> label_texts(const std::vector<std::string>& tokens, bool words);

/// The label cut to `width` columns, with "…" if something is missing.
Label shortened(const Label& label, int64_t width);

/// Index of each piece's word, from 0: a word starts at ▁, and in scripts without spaces every
/// piece is a word. A closing EOS is not in the list.
std::vector<int64_t> words_of_tokens(const std::vector<std::string>& tokens);

}  // namespace softalign
