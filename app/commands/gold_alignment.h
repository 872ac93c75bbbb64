#pragma once

#include <filesystem>
#include <vector>

#include "app/commands/named_lines.h"
#include "data/alignment.h"
#include "model/metrics/aer.h"
#include "model/search/translator.h"

namespace softalign {

/// A gold word alignment of parallel text and the texts whose words it counts.
struct GoldAlignment {
  std::vector<std::vector<Link>> links;
  NamedLines source_words, target_words;
};

/// Reads Pharaoh links for `source` and `reference`. Where `source_words` or `target_words` is
/// empty, the words are those of the text itself. Throws Error where counts of lines differ or a
/// link points beside the words.
GoldAlignment read_gold_alignment(const std::filesystem::path& file, const NamedLines& source,
                                  const NamedLines& reference,
                                  const std::filesystem::path& source_words,
                                  const std::filesystem::path& target_words);

/// For each word of a reference the source word that the attention of teacher forcing weighs most,
/// sentence by sentence. Of `gold` only the words count.
std::vector<std::vector<Link>> predicted_links(Translator& translator, const NamedLines& source,
                                               const NamedLines& reference,
                                               const GoldAlignment& gold, TranslateOptions options);

/// Compares these links with the gold ones.
AlignmentScore score_alignment(Translator& translator, const NamedLines& source,
                               const NamedLines& reference, const GoldAlignment& gold,
                               const TranslateOptions& options);

}  // namespace softalign
