#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/alignment.h"
#include "data/subword.h"

namespace softalign {

/// The files of one set of parallel text. Several files per side are read one after the other.
struct ParallelFiles {
  std::vector<std::filesystem::path> source;
  std::vector<std::filesystem::path> target;
  std::vector<std::filesystem::path> alignment;  // Pharaoh, optional, same line count
  // The tokenised text whose words the alignment counts, where that isn't the text itself
  // (segmented Chinese, separated punctuation); optional, same line count.
  std::vector<std::filesystem::path> source_words, target_words;
  bool empty() const { return source.empty() && target.empty(); }
};

struct SentencePair {
  std::string source, target;
  std::vector<Link> links;                 // over words, empty if there are none
  std::string source_words, target_words;  // tokenised; empty: the words of source and target
};

/// What reading a corpus found. A Place's line counts within its file, from 1.
struct CorpusReport {
  struct Place {
    std::filesystem::path file;
    int64_t line = 0;
    int64_t byte = 0;  // offset in the line, for encoding faults
  };
  int64_t lines = 0;  // pairs of lines in the files
  int64_t kept = 0;
  int64_t empty = 0;         // one or both sides blank
  int64_t invalid_utf8 = 0;  // pairs dropped for ill-formed bytes
  int64_t duplicates = 0;    // pairs seen before; kept unless asked otherwise
  int64_t same_on_both_sides = 0;
  std::optional<Place> first_invalid;
};

struct Corpus {
  std::vector<SentencePair> pairs;
  CorpusReport report;
};

struct ReadOptions {
  bool drop_duplicates = false;
  bool training = true;  // false: nothing is dropped, ill-formed bytes are repaired
};

/// Reads parallel text. Throws Error with both files and both counts if they differ, if a file is
/// missing, or if more than 5 % of the pairs have ill-formed bytes (a wrong encoding).
Corpus read_corpus(const ParallelFiles& files, const ReadOptions& options = {});

/// One pair as ids, without BOS and EOS, and the alignment over pieces if there is one.
struct EncodedPair {
  std::vector<int64_t> source, target;
  std::vector<Link> links;  // over pieces: target piece linked to source piece
};

struct EncodingReport {
  int64_t kept = 0, too_long = 0;  // too long: more than max_length pieces on a side
  int64_t source_tokens = 0, target_tokens = 0;
  int64_t source_unknown = 0, target_unknown = 0;
};

struct EncodedCorpus {
  std::vector<EncodedPair> pairs;
  std::vector<int64_t> lines;  // position in Corpus::pairs of each encoded pair
  EncodingReport report;
};

/// Pairs longer than `max_length` pieces on a side are left out and counted; 0 keeps all.
EncodedCorpus encode_corpus(const Corpus& corpus, const Subword& source, const Subword& target,
                            int64_t max_length);

/// Facts for the report before training.
struct CorpusStatistics {
  int64_t pairs = 0, source_tokens = 0, target_tokens = 0;
  int64_t longest_source = 0, longest_target = 0;
  double mean_source = 0, mean_target = 0;
  double unknown_rate_source = 0, unknown_rate_target = 0;  // share of tokens
  std::vector<int64_t> source_lengths, target_lengths;  // histogram: [n] = sentences of n tokens
};
CorpusStatistics statistics(const EncodedCorpus& corpus);

/// Number of pairs of `held_out` whose source or target also occurs in `train` (exact text).
struct Overlap {
  int64_t source = 0, target = 0, both = 0;
};
Overlap overlap(const Corpus& train, const Corpus& held_out);

}  // namespace softalign
