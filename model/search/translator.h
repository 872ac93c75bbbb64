#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/subword.h"
#include "model/search/options.h"

namespace softalign {

class Workers;
class Seq2Seq;  // model/seq2seq.h, whose LibTorch headers most users of a Translator don't need

struct TranslateOptions {
  SearchOptions search;
  int64_t batch_sentences = 32;
  int64_t max_source_tokens = 1000;  // longer sources are cut here, and said to be
  bool attention = true;             // fill tokens and attention
  bool keep_unknown = false;         // show <unk> instead of the source word that it looked at
  int64_t first_line = 0;            // place of the first line in the whole input, from 0: sampling
                                     // draws by place
};

/// An output as text. Tokens are pieces with ▁; special tokens as "</s>", and a source piece that
/// the vocabulary doesn't know as its own text.
struct Candidate {
  std::string text;
  double score = 0, log_prob = 0;
  bool finished = true;
  std::vector<int64_t> ids;                   // EOS included if finished
  std::vector<std::string> tokens;            // of the target, EOS included if finished
  std::vector<std::vector<float>> attention;  // [token][source token]
};

struct Translation {
  std::string source;                      // the text as it was given (repaired UTF-8)
  std::vector<std::string> source_tokens;  // EOS included
  std::vector<Candidate> nbest;            // best first; one empty candidate for a blank line
  bool source_cut = false;                 // longer than max_source_tokens
  const Candidate& best() const { return nbest.front(); }
};

/// Probability of a given translation.
struct Scored {
  double log_prob = 0;  // Σ log p over tokens, EOS included, natural logarithm
  int64_t tokens = 0;   // EOS included
  Translation pair;     // nbest has one candidate: the given target with its attention
};

/// Text in, text out: cleaning, subwords, batching by length, search, detokenisation, order
/// restored; each of LibTorch's threads searches batches of its own. Several callers at a time must have
/// one of LibTorch's threads each.
/// What `translate`, `attention`, `evaluate`, `serve` and validation all use.
class Translator {
 public:
  /// Several models make an ensemble; they must share the vocabularies (their digests are compared
  /// by whoever loads them).
  Translator(std::vector<Seq2Seq> models, Subword source, Subword target);
  ~Translator();
  Translator(Translator&&) noexcept;

  /// Output i belongs to line i. Blank lines give blank outputs, whatever the prefix. `prefixes`:
  /// texts that the outputs must begin with; empty, or one per line.
  std::vector<Translation> translate(const std::vector<std::string>& lines,
                                     const TranslateOptions& options,
                                     const std::vector<std::string>& prefixes = {});

  /// Scores given targets by teacher forcing (an ensemble averages probabilities). An empty target
  /// has log p(EOS). Throws Error if the counts differ.
  std::vector<Scored> score(const std::vector<std::string>& sources,
                            const std::vector<std::string>& targets,
                            const TranslateOptions& options);
  /// As `score` for target ids (EOS included), exactly as search returned them.
  std::vector<Scored> score_ids(const std::vector<std::string>& sources,
                                const std::vector<std::vector<int64_t>>& targets,
                                const TranslateOptions& options);

  const Subword& source_subword() const { return source_; }
  const Subword& target_subword() const { return target_; }
  std::vector<Seq2Seq>& models() { return models_; }

 private:
  std::vector<Seq2Seq> models_;
  Subword source_, target_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace softalign
