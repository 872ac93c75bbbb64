#include "model/search/translator.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>

#include "data/error.h"
#include "data/unicode.h"
#include "model/search/ensemble.h"
#include "model/search/given.h"
#include "model/search/search.h"
#include "model/search/source_text.h"
#include "model/workers.h"

namespace softalign {
namespace {

// Numbers that one batch may hold at once, in attention weights or log-probabilities: 64 MiB.
constexpr int64_t kNumbersInMemory = int64_t{1} << 24;

using Sentences = std::vector<size_t>;

/// These sentences in batches of similar length, the shortest first. `numbers(i)` is what sentence i
/// holds in memory; in a batch, everyone needs as much as the largest, so large sentences come in
/// smaller batches.
std::vector<Sentences> batches_by_length(Sentences order, const std::vector<SourceText>& sources,
                                         int64_t batch_sentences,
                                         const std::function<int64_t(size_t)>& numbers) {
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return sources[a].ids.size() < sources[b].ids.size();
  });
  std::vector<Sentences> batches;
  int64_t largest = 0;
  for (const size_t i : order) {
    largest = std::max(largest, numbers(i));
    const auto size_with_it =
        batches.empty() ? int64_t{0} : static_cast<int64_t>(batches.back().size()) + 1;
    if (batches.empty() || size_with_it > batch_sentences ||
        largest * size_with_it > kNumbersInMemory) {
      batches.emplace_back();
      largest = numbers(i);
    }
    batches.back().push_back(i);
  }
  return batches;
}

// A few sentences are shared out, too.
int64_t sentences_per_batch(size_t sentences, const TranslateOptions& options) {
  const int64_t workers = at::get_num_threads();
  return std::min(options.batch_sentences,
                  std::max<int64_t>(1, (static_cast<int64_t>(sentences) + workers - 1) / workers));
}

/// job(batch) for all of them, each worker taking the next one when it is free, the longest first.
/// One batch alone has all threads inside its operations. A caller with one thread does it all.
void share_out(Workers& workers, const std::vector<Sentences>& batches,
               const std::function<void(const Sentences&)>& job) {
  if (batches.size() <= 1 || at::get_num_threads() == 1) {
    for (const Sentences& batch : batches) job(batch);
    return;
  }
  std::atomic<size_t> taken{0};
  workers.run([&](int64_t) {
    for (size_t n = taken++; n < batches.size(); n = taken++) job(batches[batches.size() - 1 - n]);
  });
}

SourceBatch source_batch(const std::vector<SourceText>& sources, const Sentences& batch) {
  std::vector<std::vector<int64_t>> ids;
  for (const size_t i : batch) ids.push_back(sources[i].ids);
  return make_source_batch(ids);
}

std::vector<SourceText> read_sources(const Subword& subword, const std::vector<std::string>& lines,
                                     const TranslateOptions& options) {
  std::vector<SourceText> sources;
  for (const std::string& line : lines)
    sources.push_back(read_source(subword, line, options.max_source_tokens));
  return sources;
}

/// Everything of a translation but its candidates.
Translation without_candidates(SourceText& source, const TranslateOptions& options) {
  Translation translation;
  translation.source = std::move(source.text);
  translation.source_cut = source.is_cut;
  if (options.attention) translation.source_tokens = std::move(source.tokens);
  return translation;
}

std::vector<std::string> shown_tokens(const Subword& subword, const std::vector<int64_t>& ids) {
  std::vector<std::string> tokens;
  for (const int64_t id : ids) tokens.push_back(subword.piece(id));
  return tokens;
}

Candidate to_candidate(const Subword& subword, const SourceText& source,
                       const std::vector<Piece>& prefix, const TranslateOptions& options,
                       Hypothesis hypothesis) {
  Candidate candidate;
  candidate.text = subword.decode(hypothesis.tokens, [&](size_t position) {
    if (position < prefix.size()) return prefix[position].surface;
    if (options.keep_unknown) return subword.piece(kUnk);
    return word_looked_at(source, hypothesis.attention[position]);
  });
  candidate.score = hypothesis.score;
  candidate.log_prob = hypothesis.log_prob;
  candidate.finished = hypothesis.finished;
  if (options.attention) {
    candidate.tokens = shown_tokens(subword, hypothesis.tokens);
    candidate.attention = std::move(hypothesis.attention);
  }
  candidate.ids = std::move(hypothesis.tokens);
  return candidate;
}

void check(const TranslateOptions& options) {
  check(options.search);
  if (options.batch_sentences < 1) throw Error("a batch needs at least 1 sentence");
  if (options.max_source_tokens < 1) throw Error("max_source_tokens must be at least 1");
}

void require_equal_counts(size_t sources, size_t targets, const char* what) {
  if (sources != targets)
    throw Error(std::to_string(sources) + " sources but " + std::to_string(targets) + " " + what);
}

}  // namespace

Translator::Translator(std::vector<Seq2Seq> models, Subword source, Subword target)
    : models_(std::move(models)),
      source_(std::move(source)),
      target_(std::move(target)),
      workers_(std::make_unique<Workers>(at::get_num_threads())) {}
Translator::~Translator() = default;
Translator::Translator(Translator&&) noexcept = default;

std::vector<Translation> Translator::translate(const std::vector<std::string>& lines,
                                               const TranslateOptions& options,
                                               const std::vector<std::string>& prefixes) {
  check(options);
  if (!prefixes.empty()) require_equal_counts(lines.size(), prefixes.size(), "prefixes");
  std::vector<SourceText> sources = read_sources(source_, lines, options);
  std::vector<std::vector<Piece>> forced(lines.size());
  for (size_t i = 0; i < prefixes.size(); ++i)
    forced[i] = target_.encode_pieces(clean_text(prefixes[i]));

  std::vector<std::vector<Candidate>> candidates(lines.size());
  Sentences order;
  for (size_t i = 0; i < sources.size(); ++i)
    if (!sources[i].ids.empty()) order.push_back(i);
  const int64_t rows = options.search.sample ? options.search.nbest : options.search.beam;
  const auto weights = [&](size_t i) {  // a row per step and hypothesis
    const auto length = static_cast<int64_t>(sources[i].ids.size()) + 1;
    constexpr int64_t kStepsPerSourceToken = 2;
    return rows * length * length * kStepsPerSourceToken;
  };
  const EvaluationMode evaluation(models_);
  const std::vector<Sentences> batches =
      batches_by_length(order, sources, sentences_per_batch(order.size(), options), weights);
  share_out(*workers_, batches, [&](const Sentences& batch) {
    std::vector<std::vector<int64_t>> prefix_ids;
    std::vector<int64_t> places;
    for (const size_t i : batch) {
      places.push_back(options.first_line + static_cast<int64_t>(i));
      prefix_ids.emplace_back();
      for (const Piece& piece : forced[i]) prefix_ids.back().push_back(piece.id);
    }
    std::vector<std::vector<Hypothesis>> found =
        search(models_, source_batch(sources, batch), options.search, prefix_ids, places);
    for (size_t b = 0; b < batch.size(); ++b)
      for (Hypothesis& hypothesis : found[b])
        candidates[batch[b]].push_back(to_candidate(target_, sources[batch[b]], forced[batch[b]],
                                                    options, std::move(hypothesis)));
  });

  std::vector<Translation> translations;
  for (size_t i = 0; i < lines.size(); ++i) {
    translations.push_back(without_candidates(sources[i], options));
    translations.back().nbest = std::move(candidates[i]);
    if (translations.back().nbest.empty()) translations.back().nbest.emplace_back();
  }
  return translations;
}

std::vector<Scored> Translator::score(const std::vector<std::string>& sources,
                                      const std::vector<std::string>& targets,
                                      const TranslateOptions& options) {
  require_equal_counts(sources.size(), targets.size(), "targets");
  std::vector<std::vector<int64_t>> ids;
  for (const std::string& target : targets) {
    ids.push_back(target_.encode(clean_text(target)));
    ids.back().push_back(kEos);
  }
  std::vector<Scored> results = score_ids(sources, ids, options);
  for (size_t i = 0; i < results.size(); ++i)
    results[i].pair.nbest.front().text = repair_utf8(targets[i]);
  return results;
}

std::vector<Scored> Translator::score_ids(const std::vector<std::string>& sources,
                                          const std::vector<std::vector<int64_t>>& targets,
                                          const TranslateOptions& options) {
  check(options);
  require_equal_counts(sources.size(), targets.size(), "targets");
  std::vector<SourceText> texts = read_sources(source_, sources, options);
  std::vector<Hypothesis> scored(sources.size());
  Sentences order(sources.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto log_probs = [&](size_t i) {
    return static_cast<int64_t>(targets[i].size()) * target_.size();
  };
  const EvaluationMode evaluation(models_);
  const std::vector<Sentences> batches =
      batches_by_length(order, texts, sentences_per_batch(order.size(), options), log_probs);
  share_out(*workers_, batches, [&](const Sentences& batch) {
    std::vector<std::vector<int64_t>> given;
    for (const size_t i : batch) given.push_back(targets[i]);
    std::vector<Hypothesis> hypotheses =
        score_given(models_, source_batch(texts, batch), given, options.search);
    for (size_t b = 0; b < batch.size(); ++b) scored[batch[b]] = std::move(hypotheses[b]);
  });
  std::vector<Scored> results;
  for (size_t i = 0; i < sources.size(); ++i) {
    Scored result;
    result.log_prob = scored[i].log_prob;
    result.tokens = static_cast<int64_t>(scored[i].tokens.size());
    Candidate candidate = to_candidate(target_, texts[i], {}, options, std::move(scored[i]));
    result.pair = without_candidates(texts[i], options);
    result.pair.nbest.push_back(std::move(candidate));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace softalign
