#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "data/batch.h"
#include "data/unicode.h"
#include "model/metrics/bleu.h"
#include "model/metrics/chrf.h"
#include "model/search/translator.h"
#include "model/training/trainer.h"

namespace softalign {
namespace {

constexpr int64_t kLongest = 1000;      // pieces; longer pairs don't enter the perplexity
constexpr size_t kLinesPerChunk = 128;  // between two looks at `stop`
constexpr size_t kSamples = 3;

/// Evaluation mode until the end of the scope.
class EvaluationMode {
 public:
  explicit EvaluationMode(Seq2Seq& model) : model_(model), was_training_(model->is_training()) {
    model_->eval();
  }
  ~EvaluationMode() { model_->train(was_training_); }
  EvaluationMode(const EvaluationMode&) = delete;
  EvaluationMode& operator=(const EvaluationMode&) = delete;

 private:
  Seq2Seq& model_;
  bool was_training_;
};

bool is_blank(const std::string& text) { return split_words(text).empty(); }

/// Negative log-likelihood, accuracy by teacher forcing: batches in order of length.
void measure_likelihood(Seq2Seq& model, const TrainingData& data, const SamplerConfig& sampler,
                        const std::atomic<bool>& stop, ValidationReport& report) {
  Corpus filled;
  for (const SentencePair& pair : data.valid.pairs)
    if (!is_blank(pair.source) && !is_blank(pair.target)) filled.pairs.push_back(pair);
  const EncodedCorpus encoded = encode_corpus(filled, data.source, data.target, kLongest);
  const auto longer = [](const EncodedPair& pair) {
    return static_cast<int64_t>(std::max(pair.source.size(), pair.target.size())) + 1;
  };
  std::vector<int64_t> order(encoded.pairs.size());
  std::iota(order.begin(), order.end(), 0);
  const auto pair_at = [&](int64_t i) -> const EncodedPair& {
    return encoded.pairs[static_cast<size_t>(i)];
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return longer(pair_at(a)) < longer(pair_at(b)); });

  double negative_log_likelihood = 0, correct = 0;
  int64_t tokens = 0;
  const int64_t limit = sampler.batch_sentences > 0 ? 2048 : sampler.batch_tokens;
  for (size_t begin = 0; begin < order.size() && !stop;) {
    std::vector<const EncodedPair*> pairs;
    std::vector<int64_t> sentences;
    for (; begin < order.size(); ++begin) {
      const EncodedPair& pair = pair_at(order[begin]);
      if (!pairs.empty() && static_cast<int64_t>(pairs.size() + 1) * longer(pair) > limit) break;
      pairs.push_back(&pair);
      sentences.push_back(order[begin]);
    }
    const Loss loss = model->loss(make_batch(pairs, sentences), {});
    negative_log_likelihood += loss.negative_log_likelihood.item<double>();
    correct += loss.correct.item<double>();
    tokens += loss.tokens;
  }
  const auto count = static_cast<double>(std::max<int64_t>(tokens, 1));
  report.perplexity = std::exp(negative_log_likelihood / count);
  report.accuracy = correct / count;
}

bool is_mostly_cjk(const std::vector<std::string>& lines) {
  size_t cjk = 0, others = 0;
  for (const std::string& line : lines)
    for (const char32_t c : code_points(line))
      if (c != U' ') ++(is_cjk(c) ? cjk : others);
  return cjk > others;
}

SampleTranslation to_sample(const Translation& translation, const std::string& reference) {
  const Candidate& best = translation.best();
  return {translation.source,        reference,   best.text,
          translation.source_tokens, best.tokens, best.attention};
}

/// BLEU and chrF of the translations, and three samples from fixed places.
void measure_translations(Seq2Seq& model, const TrainingData& data,
                          const ValidationConfig& validation, const std::atomic<bool>& stop,
                          ValidationReport& report) {
  const auto& pairs = data.valid.pairs;
  const size_t count = validation.max_sentences > 0
                           ? std::min(pairs.size(), static_cast<size_t>(validation.max_sentences))
                           : pairs.size();
  std::vector<size_t> order(count);
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return pairs[a].source.size() < pairs[b].source.size();
  });

  Translator translator({model}, data.source, data.target);
  TranslateOptions options;
  options.search = validation.search;
  options.search.nbest = 1;
  options.attention = false;
  std::vector<std::string> outputs(count), references;
  for (size_t begin = 0; begin < count; begin += kLinesPerChunk) {
    if (stop) return;
    const size_t end = std::min(count, begin + kLinesPerChunk);
    std::vector<std::string> lines;
    for (size_t i = begin; i < end; ++i) lines.push_back(pairs[order[i]].source);
    const std::vector<Translation> translations = translator.translate(lines, options);
    for (size_t i = begin; i < end; ++i) outputs[order[i]] = translations[i - begin].best().text;
  }
  for (size_t i = 0; i < count; ++i) references.push_back(pairs[i].target);
  BleuOptions bleu_options;
  if (is_mostly_cjk(references)) bleu_options.tokenizer = BleuTokenizer::zh;
  report.bleu = bleu(outputs, references, bleu_options).score;
  report.chrf = chrf(outputs, references).score;

  std::vector<size_t> filled;
  for (size_t i = 0; i < count; ++i)
    if (!is_blank(pairs[i].source) && !is_blank(pairs[i].target)) filled.push_back(i);
  std::vector<std::string> lines, sample_references;
  for (size_t k = 0; k < std::min(kSamples, filled.size()); ++k) {
    const size_t place =
        filled[filled.size() * (2 * k + 1) / (2 * std::min(kSamples, filled.size()))];
    lines.push_back(pairs[place].source);
    sample_references.push_back(pairs[place].target);
  }
  options.attention = true;
  const std::vector<Translation> samples = translator.translate(lines, options);
  for (size_t k = 0; k < samples.size(); ++k)
    report.samples.push_back(to_sample(samples[k], sample_references[k]));
}

}  // namespace

bool has_validation(const TrainingData& data) {
  return std::any_of(
      data.valid.pairs.begin(), data.valid.pairs.end(),
      [](const SentencePair& pair) { return !is_blank(pair.source) && !is_blank(pair.target); });
}

ValidationReport validate(Seq2Seq& model, const TrainingData& data,
                          const ValidationConfig& validation, const TrainingConfig& config,
                          const std::atomic<bool>& stop) {
  const auto start = std::chrono::steady_clock::now();
  const at::NoGradGuard no_grad;
  const EvaluationMode evaluation(model);
  ValidationReport report;
  measure_likelihood(model, data, config.sampler, stop, report);
  if (validation.max_sentences >= 0 && !stop)
    measure_translations(model, data, validation, stop, report);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace softalign
