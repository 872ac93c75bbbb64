#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/metrics/aer.h"
#include "model/metrics/bleu.h"
#include "model/metrics/bootstrap.h"
#include "model/metrics/chrf.h"

namespace softalign {

/// What `evaluate` found; what wasn't asked for is empty.
struct Evaluation {
  /// Sentences whose source has between `first` and `last` tokens.
  struct Bucket {
    int64_t first = 0;
    std::optional<int64_t> last;  // none: no upper end
    int64_t sentences = 0;
    BleuScore bleu;
    ChrfScore chrf;
  };
  /// A second output of the same sentences (B) against the first (A).
  struct Comparison {
    std::string name;
    BleuScore bleu;
    ChrfScore chrf;
    BootstrapResult bootstrap;
    uint64_t seed = 0;
  };
  int64_t sentences = 0;
  BleuScore bleu;
  ChrfScore chrf;
  std::optional<Comparison> comparison;
  std::optional<double> perplexity, token_accuracy;  // per target piece, EOS counted
  std::vector<Bucket> by_length;                     // in source pieces, without EOS
  std::optional<AlignmentScore> alignment;
};

/// Counts of each sentence, and their scores over all or some sentences.
struct SentenceCounts {
  std::vector<BleuStatistics> bleu;
  std::vector<ChrfStatistics> chrf;
};
SentenceCounts count_sentences(const std::vector<std::string>& hypotheses,
                               const std::vector<std::string>& references,
                               const BleuOptions& options);
BleuScore total_bleu(const SentenceCounts& counts, const BleuOptions& options);
ChrfScore total_chrf(const SentenceCounts& counts, const BleuOptions& options);

/// Scores by source length in buckets of ten, the last from 61 on; empty ones are left out.
/// `lengths[i]` belongs to sentence i.
std::vector<Evaluation::Bucket> by_length(const SentenceCounts& counts,
                                          const std::vector<int64_t>& lengths,
                                          const BleuOptions& options);

/// Lines for people, scores in sacreBLEU's manner.
std::string to_text(const Evaluation& evaluation);
/// One JSON object on one line.
std::string to_json(const Evaluation& evaluation);

}  // namespace softalign
