#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/subword.h"

namespace softalign {

/// A line to be translated, ready for the encoder, and the text behind each of its tokens.
struct SourceText {
  std::string text;                 // as it was given, repaired UTF-8
  std::vector<int64_t> ids;         // without EOS; empty for a blank line
  std::vector<std::string> tokens;  // as shown, EOS included; empty for a blank line
  std::vector<int64_t> words;       // which word each piece belongs to, as index of word_texts
  std::vector<std::string> word_texts;
  bool is_cut = false;  // longer than the limit
};

/// Cleans and encodes `line`, cutting it after `max_tokens` pieces. Lines so long that they can't
/// fit are cut before they are encoded, so that time and memory stay bounded.
SourceText read_source(const Subword& subword, const std::string& line, int64_t max_tokens);

/// The text of the source word that a target token looked at most: weights over source tokens (EOS
/// last) are summed over each word's pieces; EOS doesn't count. Empty if nothing was looked at.
std::string word_looked_at(const SourceText& source, const std::vector<float>& weights);

}  // namespace softalign
