#include "data/corpus.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"

namespace softalign {
namespace {

/// The lines of several files, one file after the other.
class Side {
 public:
  explicit Side(const std::vector<std::filesystem::path>& files) : files_(files) {}

  bool is_given() const { return !files_.empty(); }

  std::optional<std::string> next() {
    while (file_ < files_.size()) {
      if (!reader_) reader_.emplace(files_[file_]);
      if (auto line = reader_->next()) {
        ++count_;
        return line;
      }
      reader_.reset();
      ++file_;
    }
    return std::nullopt;
  }

  /// Lines of all files; reads on to the end.
  int64_t count_all() {
    while (next()) {
    }
    return count_;
  }

  /// Where the line that `next` returned last stands.
  const std::filesystem::path& file() const { return files_[file_]; }
  int64_t line_number() const { return reader_->line_number(); }

  std::string names() const {
    std::string names;
    for (const auto& file : files_) names += (names.empty() ? "" : " + ") + file.string();
    return names;
  }

 private:
  const std::vector<std::filesystem::path>& files_;
  std::optional<LineReader> reader_;
  size_t file_ = 0;
  int64_t count_ = 0;
};

std::string lines_text(int64_t count) {
  return std::to_string(count) + (count == 1 ? " line" : " lines");
}

[[noreturn]] void fail_for_counts(Side& a, Side& b) {
  const int64_t a_count = a.count_all(), b_count = b.count_all();
  throw Error(a.names() + " has " + lines_text(a_count) + ", " + b.names() + " has " +
              lines_text(b_count) + "; both need the same number, line by line");
}

bool is_blank(std::string_view text) { return split_words(text).empty(); }

/// Finds pairs that were seen before, by their position in the corpus.
class SeenPairs {
 public:
  explicit SeenPairs(const std::vector<SentencePair>& pairs)
      : seen_(0, Hash{&pairs}, Equal{&pairs}) {}

  /// False if an equal pair stands before `position`.
  bool insert(size_t position) { return seen_.insert(position).second; }

 private:
  struct Hash {
    const std::vector<SentencePair>* pairs;
    size_t operator()(size_t i) const {
      const std::hash<std::string> hash;
      return hash((*pairs)[i].source) * 31 + hash((*pairs)[i].target);
    }
  };
  struct Equal {
    const std::vector<SentencePair>* pairs;
    bool operator()(size_t i, size_t k) const {
      return (*pairs)[i].source == (*pairs)[k].source && (*pairs)[i].target == (*pairs)[k].target;
    }
  };
  std::unordered_set<size_t, Hash, Equal> seen_;
};

class CorpusReader {
 public:
  CorpusReader(const ParallelFiles& files, const ReadOptions& options)
      : options_(options),
        source_(files.source),
        target_(files.target),
        alignment_(files.alignment),
        source_words_(files.source_words),
        target_words_(files.target_words) {}

  Corpus read() {
    if (source_.is_given() != target_.is_given()) {
      throw Error("parallel text needs files of both sides; there are only " +
                  (source_.is_given() ? "source files: " + source_.names()
                                      : "target files: " + target_.names()));
    }
    while (auto source = source_.next()) {
      auto target = target_.next();
      if (!target) fail_for_counts(source_, target_);
      add(*source, *target);
    }
    if (target_.next()) fail_for_counts(source_, target_);
    for (Side* side : {&alignment_, &source_words_, &target_words_}) {
      if (side->is_given() && side->next()) fail_for_counts(source_, *side);
    }
    CorpusReport& report = corpus_.report;
    constexpr int64_t kOneIn = 20;  // 5 %
    if (options_.training && report.invalid_utf8 * kOneIn > report.lines) {
      throw Error(report.first_invalid->file.string() + ":" +
                  std::to_string(report.first_invalid->line) + ": byte " +
                  std::to_string(report.first_invalid->byte + 1) + " is not UTF-8, as in " +
                  std::to_string(report.invalid_utf8) + " of " + std::to_string(report.lines) +
                  " pairs; convert the file to UTF-8 (with iconv, for example)");
    }
    report.kept = static_cast<int64_t>(corpus_.pairs.size());
    return std::move(corpus_);
  }

 private:
  void add(const std::string& source, const std::string& target) {
    CorpusReport& report = corpus_.report;
    ++report.lines;
    SentencePair pair;
    pair.source = clean_text(source);
    pair.target = clean_text(target);
    pair.source_words = words_line(source_words_);
    pair.target_words = words_line(target_words_);
    read_links(pair, source, target);

    const bool invalid = note_invalid(source_, source) | note_invalid(target_, target);
    const bool empty = is_blank(pair.source) || is_blank(pair.target);
    report.invalid_utf8 += invalid;
    report.empty += empty && !invalid;
    if (options_.training && (invalid || empty)) return;
    report.same_on_both_sides += pair.source == pair.target && !empty;
    corpus_.pairs.push_back(std::move(pair));
    if (!empty && !seen_.insert(corpus_.pairs.size() - 1)) {
      ++report.duplicates;
      if (options_.training && options_.drop_duplicates) corpus_.pairs.pop_back();
    }
  }

  std::string words_line(Side& side) {
    if (!side.is_given()) return {};
    const auto line = side.next();
    if (!line) fail_for_counts(source_, side);
    return repair_utf8(*line);  // not cleaned: that could change the number of words
  }

  void read_links(SentencePair& pair, const std::string& source, const std::string& target) {
    if (!alignment_.is_given()) return;
    const auto line = alignment_.next();
    if (!line) fail_for_counts(source_, alignment_);
    // Cleaning makes spaces of some characters, and the links count the words of the file.
    if (pair.source_words.empty() && pair.source != source) pair.source_words = repair_utf8(source);
    if (pair.target_words.empty() && pair.target != target) pair.target_words = repair_utf8(target);
    const auto count = [](const std::string& words, const std::string& text) {
      return static_cast<int64_t>(split_words(words.empty() ? text : words).size());
    };
    const int64_t source_count = count(pair.source_words, pair.source);
    const int64_t target_count = count(pair.target_words, pair.target);
    try {
      pair.links = parse_alignment(*line);
      for (const Link& link : pair.links) {
        if (link.source < source_count && link.target < target_count) continue;
        throw Error("link " + format_alignment({link}) +
                    " is outside of the sentences, which have " + std::to_string(source_count) +
                    " and " + std::to_string(target_count) + " words");
      }
    } catch (const Error& error) {
      throw error_at(alignment_.file(), alignment_.line_number(), error.what());
    }
  }

  bool note_invalid(const Side& side, const std::string& line) {
    const auto byte = find_invalid_utf8(line);
    if (byte && !corpus_.report.first_invalid) {
      corpus_.report.first_invalid = {side.file(), side.line_number(), static_cast<int64_t>(*byte)};
    }
    return byte.has_value();
  }

  ReadOptions options_;
  Side source_, target_, alignment_, source_words_, target_words_;
  Corpus corpus_;
  SeenPairs seen_{corpus_.pairs};
};

/// One side as ids; the word of each piece where the pair has links.
struct EncodedSide {
  std::vector<int64_t> ids, words;
};

EncodedSide encode_side(const Subword& subword, const std::string& text, const std::string& words,
                        bool has_links) {
  EncodedSide side;
  if (!has_links) {
    side.ids = subword.encode(text);
    return side;
  }
  const std::vector<Piece> pieces = subword.encode_pieces(text);
  for (const Piece& piece : pieces) side.ids.push_back(piece.id);
  side.words = subword.words_of_pieces(pieces, words.empty() ? text : words);
  return side;
}

void count_tokens(const std::vector<int64_t>& ids, int64_t& tokens, int64_t& unknown) {
  tokens += static_cast<int64_t>(ids.size());
  unknown += std::count(ids.begin(), ids.end(), kUnk);
}

void count_length(std::vector<int64_t>& histogram, size_t length) {
  if (histogram.size() <= length) histogram.resize(length + 1, 0);
  ++histogram[length];
}

double share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
}

}  // namespace

Corpus read_corpus(const ParallelFiles& files, const ReadOptions& options) {
  return CorpusReader(files, options).read();
}

EncodedCorpus encode_corpus(const Corpus& corpus, const Subword& source, const Subword& target,
                            int64_t max_length) {
  EncodedCorpus encoded;
  EncodingReport& report = encoded.report;
  for (size_t i = 0; i < corpus.pairs.size(); ++i) {
    const SentencePair& pair = corpus.pairs[i];
    const bool has_links = !pair.links.empty();
    EncodedSide source_side = encode_side(source, pair.source, pair.source_words, has_links);
    EncodedSide target_side = encode_side(target, pair.target, pair.target_words, has_links);
    const size_t longest = std::max(source_side.ids.size(), target_side.ids.size());
    if (max_length > 0 && longest > static_cast<size_t>(max_length)) {
      ++report.too_long;
      continue;
    }
    count_tokens(source_side.ids, report.source_tokens, report.source_unknown);
    count_tokens(target_side.ids, report.target_tokens, report.target_unknown);
    auto links = links_over_pieces(pair.links, source_side.words, target_side.words);
    encoded.pairs.push_back(
        {std::move(source_side.ids), std::move(target_side.ids), std::move(links)});
    encoded.lines.push_back(static_cast<int64_t>(i));
  }
  report.kept = static_cast<int64_t>(encoded.pairs.size());
  return encoded;
}

CorpusStatistics statistics(const EncodedCorpus& corpus) {
  CorpusStatistics facts;
  facts.pairs = static_cast<int64_t>(corpus.pairs.size());
  for (const EncodedPair& pair : corpus.pairs) {
    facts.source_tokens += static_cast<int64_t>(pair.source.size());
    facts.target_tokens += static_cast<int64_t>(pair.target.size());
    count_length(facts.source_lengths, pair.source.size());
    count_length(facts.target_lengths, pair.target.size());
  }
  facts.longest_source =
      std::max<int64_t>(static_cast<int64_t>(facts.source_lengths.size()) - 1, 0);
  facts.longest_target =
      std::max<int64_t>(static_cast<int64_t>(facts.target_lengths.size()) - 1, 0);
  facts.mean_source = share(facts.source_tokens, facts.pairs);
  facts.mean_target = share(facts.target_tokens, facts.pairs);
  facts.unknown_rate_source = share(corpus.report.source_unknown, facts.source_tokens);
  facts.unknown_rate_target = share(corpus.report.target_unknown, facts.target_tokens);
  return facts;
}

Overlap overlap(const Corpus& train, const Corpus& held_out) {
  std::unordered_set<std::string_view> sources, targets;
  std::unordered_set<std::string> pairs;
  const auto joined = [](const SentencePair& pair) { return pair.source + '\n' + pair.target; };
  for (const SentencePair& pair : train.pairs) {
    sources.insert(pair.source);
    targets.insert(pair.target);
    pairs.insert(joined(pair));
  }
  Overlap common;
  for (const SentencePair& pair : held_out.pairs) {
    common.source += static_cast<int64_t>(sources.count(pair.source));
    common.target += static_cast<int64_t>(targets.count(pair.target));
    common.both += static_cast<int64_t>(pairs.count(joined(pair)));
  }
  return common;
}

}  // namespace softalign
