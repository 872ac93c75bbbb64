#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// A link of a word alignment, zero-based. `sure` is false for a possible link (Och & Ney 2003).
struct Link {
  int64_t source = 0, target = 0;
  bool sure = true;
  bool operator==(const Link& o) const {
    return source == o.source && target == o.target && sure == o.sure;
  }
};

/// Reads a line of Pharaoh links: "0-0 1-2 2?1", '-' sure, '?' or 'p' possible; blank is no links.
/// Throws Error (without file and line; the caller adds them) on anything else.
std::vector<Link> parse_alignment(std::string_view line);
std::string format_alignment(const std::vector<Link>& links);

/// A weight matrix over pieces becomes one over words: summed over the pieces of a source word,
/// averaged over the pieces of a target word. `weights[t][i]`; rows/columns of EOS beyond the
/// word lists are dropped and each row is renormalised to sum 1 (a row of zeros stays).
/// `target_words[t]`, `source_words[i]`: index of the word of each piece, non-decreasing from 0.
std::vector<std::vector<double>> word_weights(const std::vector<std::vector<float>>& weights,
                                              const std::vector<int64_t>& target_words,
                                              const std::vector<int64_t>& source_words);

/// For each target word its heaviest source word, as links; rows of zeros give none.
std::vector<Link> hard_alignment(const std::vector<std::vector<double>>& weights);

/// Links over words become links over pieces: every piece of a word is linked to every piece of
/// the words that it is linked to.
std::vector<Link> links_over_pieces(const std::vector<Link>& links,
                                    const std::vector<int64_t>& source_words,
                                    const std::vector<int64_t>& target_words);

}  // namespace softalign
