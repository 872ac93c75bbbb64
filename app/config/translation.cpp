#include "app/config/sections.h"

namespace softalign {
namespace {

void declare_search(Section& section, SearchOptions& options) {
  section.key("beam", options.beam, between(1, 10000), "hypotheses kept; 1 is greedy search");
  section.key("length_penalty", options.length_penalty, kLengthPenaltyNames,
              "how scores of different lengths are compared");
  section.key("length_penalty_alpha", options.length_penalty_alpha, not_negative(),
              "strength of length_penalty wu: α");
  section.key("coverage_penalty", options.coverage_penalty, not_negative(),
              "strength of the penalty for source words left out: β; 0: off");
  section.key("max_length_factor", options.max_length_factor, not_negative(),
              "longest output: factor times the source's tokens, plus the constant");
  section.key("max_length_constant", options.max_length_constant, between(0, 1'000'000),
              "see max_length_factor");
  section.key("min_length_factor", options.min_length_factor, not_negative(),
              "shortest output as a share of the source's tokens");
  section.key("block_ngrams", options.block_ngrams, between(0, 1000),
              "no n-gram of this n twice in an output; 0: off");
}

}  // namespace

void declare_validation(Section& root, ValidationConfig& config) {
  Section& validation = root.section("validation", "translating the validation set in training");
  declare_search(validation, config.search);
  validation.key("max_sentences", config.max_sentences, at_least(-1),
                 "translate only the first n; 0: all; -1: none, perplexity alone");
}

void declare_translation(Section& root, TranslationConfig& config) {
  Section& translation = root.section("translation", "defaults of `softalign translate`");
  declare_search(translation, config.search);
  translation.key("batch", config.batch_sentences, between(1, 100'000), "sentences at a time");
  translation.key("max_source_tokens", config.max_source_tokens, between(1, 1'000'000),
                  "longer sources are cut here, with a warning");
}

}  // namespace softalign
