#include "app/config/sections.h"

namespace softalign {

void declare_corpus(Section& root, CorpusConfig& config) {
  Section& corpus = root.section("corpus", "the parallel text");
  corpus.key("max_length", config.max_length, at_least(0),
             "longest training sentence in pieces; longer pairs are left out; 0: no limit");
  corpus.key("drop_duplicates", config.drop_duplicates, "train on equal pairs only once");

  Section& train = corpus.section("train", "what the model learns from");
  train.key("source", config.train.source, "sentences to translate from, plain or gzip");
  train.key("target", config.train.target, "their translations, line by line");
  train.key("alignment", config.train.alignment,
            "word alignment, Pharaoh links; for training.guided_alignment");
  train.key("source_words", config.train.source_words,
            "the source as the words that the alignment counts; default: split at spaces");
  train.key("target_words", config.train.target_words,
            "the target as the words that the alignment counts; default: split at spaces");

  Section& valid = corpus.section("valid", "held-out text that chooses the best weights");
  valid.key("source", config.valid.source, "sentences to translate from, plain or gzip");
  valid.key("target", config.valid.target, "their translations, line by line");
}

}  // namespace softalign
