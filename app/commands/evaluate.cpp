#include "app/commands/evaluate.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <iostream>
#include <map>

#include "app/commands/evaluation.h"
#include "app/commands/gold_alignment.h"
#include "app/commands/named_lines.h"
#include "app/log.h"
#include "app/model_directory.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"
#include "model/search/likelihood.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr size_t kLinesPerChunk = 512;  // translated between two views of the progress

void check_together(const EvaluateOptions& options) {
  if (options.models.empty() && options.hypothesis.empty())
    throw Error(
        "evaluate needs a MODEL with --source and --reference, or --hypothesis and "
        "--reference (see softalign evaluate --help)");
  if (!options.models.empty() && !options.hypothesis.empty())
    throw Error(
        "give either a MODEL or --hypothesis; to compare a model's output with another "
        "one, use --compare");
  if (!options.models.empty() && options.source.empty())
    throw Error("with a MODEL, --source is needed: the sentences to translate");
  if (options.models.empty()) {
    const std::map<std::string, bool> with_model{
        {"--source", !options.source.empty()},
        {"--beam", options.beam.has_value()},
        {"--batch", options.batch.has_value()},
        {"--by-length", options.by_length},
        {"--gold-alignment", !options.gold_alignment.empty()},
        {"--output", !options.output.empty()}};
    for (const auto& [name, is_given] : with_model)
      if (is_given) throw Error(name + " needs a MODEL; --hypothesis is scored as it is");
  }
  if (options.gold_alignment.empty() &&
      (!options.source_words.empty() || !options.target_words.empty()))
    throw Error(
        "--source-words and --target-words say what --gold-alignment counts; it is missing");
  if (options.output == "-") throw Error("--output needs a file: the scores go to standard output");
}

/// 13a takes an unsegmented sentence for one word, which makes BLEU meaningless.
void warn_of_unsegmented(const NamedLines& references, const BleuOptions& options) {
  if (options.tokenizer == BleuTokenizer::zh) return;
  int64_t cjk = 0, others = 0;
  for (const std::string& line : references.lines)
    for (const std::string_view word : split_words(line))
      for (const char32_t c : code_points(word)) ++(is_cjk(c) ? cjk : others);
  if (cjk > others)
    spdlog::warn("{} is mostly in a script without spaces: --tokenize zh counts its characters",
                 references.path.string());
}

TranslateOptions translate_options(const EvaluateOptions& options, const LoadedModel& model) {
  TranslateOptions result;
  result.search = model.config.translation.search;
  if (options.beam) result.search.beam = *options.beam;
  result.search.nbest = 1;
  result.batch_sentences = options.batch.value_or(model.config.translation.batch_sentences);
  result.max_source_tokens = model.config.translation.max_source_tokens;
  result.attention = false;
  check(result.search);
  return result;
}

Lines translate(Translator& translator, const NamedLines& source, const TranslateOptions& options) {
  Lines hypotheses;
  ProgressLine progress;
  int64_t cut = 0, first_cut = 0;
  for (size_t begin = 0; begin < source.lines.size(); begin += kLinesPerChunk) {
    const size_t end = std::min(source.lines.size(), begin + kLinesPerChunk);
    progress.show(static_cast<double>(begin) / static_cast<double>(source.lines.size()),
                  "translating");
    const auto from = source.lines.begin();
    for (Translation& translation : translator.translate(
             {from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end)},
             options)) {
      hypotheses.push_back(std::move(translation.nbest.front().text));
      if (translation.source_cut && ++cut == 1) first_cut = static_cast<int64_t>(hypotheses.size());
    }
  }
  progress.clear();
  if (cut > 0)
    spdlog::warn("{} sentences were cut after {} pieces, the first in line {}", cut,
                 options.max_source_tokens, first_cut);
  return hypotheses;
}

/// Pairs with text on both sides as pieces; the source is cut where the translator cuts it.
std::vector<EncodedPair> encode(const Translator& translator, const NamedLines& source,
                                const NamedLines& reference, int64_t max_source_tokens) {
  std::vector<EncodedPair> pairs;
  for (size_t i = 0; i < source.lines.size(); ++i) {
    EncodedPair pair;
    pair.source = translator.source_subword().encode(clean_text(source.lines[i]));
    pair.target = translator.target_subword().encode(clean_text(reference.lines[i]));
    if (static_cast<int64_t>(pair.source.size()) > max_source_tokens)
      pair.source.resize(static_cast<size_t>(max_source_tokens));
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

void measure_likelihood(Translator& translator, std::vector<EncodedPair> pairs,
                        int64_t batch_sentences, Evaluation& evaluation) {
  const auto is_blank = [](const EncodedPair& pair) {
    return pair.source.empty() || pair.target.empty();
  };
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(), is_blank), pairs.end());
  if (pairs.empty()) return;
  const Likelihood sums = likelihood(translator.models(), pairs, batch_sentences);
  const auto tokens = static_cast<double>(sums.tokens);
  evaluation.perplexity = std::exp(-sums.log_prob / tokens);
  evaluation.token_accuracy = static_cast<double>(sums.correct) / tokens;
}

/// Translates and measures what only a model can say; returns the hypotheses.
Lines evaluate_model(const EvaluateOptions& options, const NamedLines& reference,
                     std::vector<int64_t>& source_lengths, Evaluation& evaluation) {
  const NamedLines source = read_named_lines(options.source);
  require_same_count(source, reference);
  std::optional<GoldAlignment> gold;
  if (!options.gold_alignment.empty())
    gold = read_gold_alignment(options.gold_alignment, source, reference, options.source_words,
                               options.target_words);

  set_threads(options.threads);
  LoadedModel model = load_model(options.models);
  Translator& translator = *model.translator;
  const TranslateOptions translation = translate_options(options, model);
  Lines hypotheses = translate(translator, source, translation);
  if (!options.output.empty()) {
    std::string text;
    for (const std::string& line : hypotheses) text += line + '\n';
    write_atomically(options.output, text);
  }
  const std::vector<EncodedPair> pairs =
      encode(translator, source, reference, translation.max_source_tokens);
  for (const EncodedPair& pair : pairs)
    source_lengths.push_back(static_cast<int64_t>(pair.source.size()));
  measure_likelihood(translator, pairs, translation.batch_sentences, evaluation);
  if (gold)
    evaluation.alignment = score_alignment(translator, source, reference, *gold, translation);
  return hypotheses;
}

Evaluation::Comparison compare(const EvaluateOptions& options, const SentenceCounts& counts,
                               const NamedLines& other, const NamedLines& reference) {
  const SentenceCounts other_counts = count_sentences(other.lines, reference.lines, options.bleu);
  Evaluation::Comparison comparison;
  comparison.name = other.path.string();
  comparison.bleu = total_bleu(other_counts, options.bleu);
  comparison.chrf = total_chrf(other_counts, options.bleu);
  comparison.bootstrap = paired_bootstrap(counts.bleu, other_counts.bleu, options.bleu,
                                          options.resamples, options.seed);
  comparison.seed = options.seed;
  return comparison;
}

}  // namespace

void run_evaluate(const EvaluateOptions& options, std::ostream& out) {
  check_together(options);
  const NamedLines reference = read_named_lines(options.reference);
  if (reference.lines.empty())
    throw Error(reference.path.string() + " is empty: there is nothing to evaluate");
  std::optional<NamedLines> other;
  if (!options.compare.empty()) {
    other = read_named_lines(options.compare);
    require_same_count(*other, reference);
  }
  Evaluation evaluation;
  std::vector<int64_t> source_lengths;
  NamedLines hypothesis;
  if (options.models.empty()) {
    hypothesis = read_named_lines(options.hypothesis);
    require_same_count(hypothesis, reference);
  } else {
    hypothesis.lines = evaluate_model(options, reference, source_lengths, evaluation);
  }
  warn_of_unsegmented(reference, options.bleu);

  const SentenceCounts counts = count_sentences(hypothesis.lines, reference.lines, options.bleu);
  evaluation.sentences = static_cast<int64_t>(reference.lines.size());
  evaluation.bleu = total_bleu(counts, options.bleu);
  evaluation.chrf = total_chrf(counts, options.bleu);
  if (options.by_length) evaluation.by_length = by_length(counts, source_lengths, options.bleu);
  if (other) evaluation.comparison = compare(options, counts, *other, reference);
  out << (options.json ? to_json(evaluation) : to_text(evaluation));
}

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* evaluate = app.add_subcommand(
      "evaluate", "BLEU, chrF2, perplexity and alignment error rate against references");
  evaluate->footer(
      "Examples:\n"
      "  softalign evaluate models/zh-en --source test.zh --reference test.en --by-length\n"
      "  softalign evaluate --hypothesis a.txt --reference test.en --compare b.txt\n"
      "  softalign evaluate models/zh-en --source test.zh --reference test.en \\\n"
      "    --gold-alignment test.align --source-words test.words.zh\n\n"
      "Scores are sacreBLEU's with its defaults. The tokeniser 13a doesn't segment Chinese or\n"
      "Japanese: a sentence would be one word, so use --tokenize zh for them. Several MODELs\n"
      "translate together.");
  evaluate->add_option("MODEL", options->models, "Model directories")->type_name("DIR");
  evaluate->add_option("--hypothesis", options->hypothesis, "Translations to score, one per line")
      ->type_name("FILE");
  evaluate->add_option("--source", options->source, "Sentences for the MODEL to translate")
      ->type_name("FILE");
  evaluate->add_option("--reference", options->reference, "Right translations, one per line")
      ->type_name("FILE")
      ->required();
  evaluate
      ->add_option("--compare", options->compare,
                   "Other translations of the same sentences: paired bootstrap (Koehn 2004)")
      ->type_name("FILE");
  evaluate->add_option("--resamples", options->resamples, "Resamples of the bootstrap [1000]")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{1000000}));
  evaluate->add_option("--seed", options->seed, "Start of the bootstrap's random draws [1]")
      ->type_name("N");
  evaluate
      ->add_option("--gold-alignment", options->gold_alignment,
                   "Word alignment of source and reference, Pharaoh format (0-0 sure, 1?2 "
                   "possible): AER, precision and recall of the attention")
      ->type_name("FILE");
  evaluate
      ->add_option("--source-words", options->source_words,
                   "Tokenised source whose words the alignment counts [the source's words]")
      ->type_name("FILE");
  evaluate
      ->add_option("--target-words", options->target_words,
                   "Tokenised reference whose words the alignment counts [the reference's words]")
      ->type_name("FILE");
  evaluate
      ->add_option("--tokenize", options->bleu.tokenizer,
                   "Tokeniser of BLEU: 13a, zh (Chinese by characters) or none [13a]")
      ->type_name("NAME")
      ->transform(CLI::CheckedTransformer(
                      std::map<std::string, BleuTokenizer>{{"13a", BleuTokenizer::mteval13a},
                                                           {"zh", BleuTokenizer::zh},
                                                           {"none", BleuTokenizer::none}})
                      .description(""));
  evaluate->add_flag("--lowercase", options->bleu.lowercase, "Ignore case");
  evaluate->add_flag("--by-length", options->by_length, "Scores by source length, in pieces");
  evaluate->add_option("--beam", options->beam, "Beam size; 1 is greedy search [the model's]")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{1000}));
  evaluate->add_option("--batch", options->batch, "Sentences per batch [the model's]")
      ->type_name("N")
      ->check(CLI::Range(int64_t{1}, int64_t{100000}));
  evaluate->add_option("-o,--output", options->output, "Save the MODEL's translations there")
      ->type_name("FILE");
  evaluate->add_flag("--json", options->json, "One JSON object instead of text");
  evaluate->add_option("--threads", options->threads, "Threads; 0: all cores")
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
  evaluate->callback([options] { run_evaluate(*options, std::cout); });
}

}  // namespace softalign
