#include "app/config/sections.h"

namespace softalign {
namespace {

constexpr Names<SubwordKind, 3> kSubwordNames{{{SubwordKind::unigram, "unigram"},
                                               {SubwordKind::bpe, "bpe"},
                                               {SubwordKind::character, "char"}}};

// Fewer pieces than the special ids and one character make no vocabulary.
const Range kVocabularyRange = between(5, 1'000'000);

void declare_side(Section& subword, const std::string& name, const std::string& text,
                  SubwordConfig& config) {
  Section& side = subword.section(name, text);
  side.key("kind", config.kind, kSubwordNames, "how pieces are found, on this side");
  side.key("vocabulary_size", config.vocabulary_size, kVocabularyRange,
           "most pieces; a small corpus gives fewer, with a note");
  side.key("normalization", config.normalization, {"nmt_nfkc", "nfkc", "nmt_nfkc_cf", "identity"},
           "SentencePiece's rule after NFC; identity keeps full-width punctuation");
  side.key("character_coverage", config.character_coverage, left_open(0, 1),
           "share of the text's characters that get a piece");
  side.key("split_digits", config.split_digits, "every digit is a piece of its own");
}

}  // namespace

void declare_subword(Section& root, SubwordsConfig& config) {
  Section& subword = root.section("subword", "how text becomes pieces (SentencePiece)");
  subword.key("joint", config.joint,
              "one vocabulary for both sides; the target's normalization serves both");
  subword.both("kind", config.source.kind, config.target.kind, kSubwordNames,
               "how pieces are found, on both sides");
  subword.both("vocabulary_size", config.source.vocabulary_size, config.target.vocabulary_size,
               kVocabularyRange, "most pieces, of each side");
  subword.both("character_coverage", config.source.character_coverage,
               config.target.character_coverage, left_open(0, 1),
               "share of the text's characters that get a piece, on both sides");
  declare_side(subword, "source", "overrides for the source side", config.source);
  declare_side(subword, "target", "overrides for the target side", config.target);
}

}  // namespace softalign
