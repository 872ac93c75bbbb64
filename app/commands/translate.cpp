#include "app/commands/translate.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>
#include <map>
#include <memory>

#include "app/commands/attention_dump.h"
#include "app/interactive.h"
#include "app/line_queue.h"
#include "app/log.h"
#include "app/model_directory.h"
#include "app/render/json.h"
#include "app/standard_output.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

bool is_standard(const std::filesystem::path& path) { return path.empty() || path == "-"; }

template <typename T>
void replace(T& value, const std::optional<T>& given) {
  if (given) value = *given;
}

TranslateOptions resolve(const TranslateCommand& command, const TranslationConfig& defaults) {
  TranslateOptions options;
  options.search = defaults.search;
  options.batch_sentences = defaults.batch_sentences;
  options.max_source_tokens = defaults.max_source_tokens;
  options.keep_unknown = command.keep_unknown;
  options.attention = command.json || !command.attention.empty();
  SearchOptions& search = options.search;
  replace(search.beam, command.beam);
  replace(search.nbest, command.nbest);
  replace(search.length_penalty, command.length_penalty);
  replace(search.length_penalty_alpha, command.length_penalty_alpha);
  replace(search.coverage_penalty, command.coverage_penalty);
  replace(search.max_length, command.max_length);
  replace(search.min_length, command.min_length);
  replace(search.block_ngrams, command.block_ngrams);
  replace(search.temperature, command.temperature);
  replace(search.top_k, command.top_k);
  replace(search.seed, command.seed);
  replace(options.batch_sentences, command.batch);
  search.sample = command.sample;
  if (search.max_length > 0 && search.min_length > search.max_length)
    throw Error("--min-length " + std::to_string(search.min_length) +
                " is more than --max-length " + std::to_string(search.max_length));
  check(search);
  return options;
}

/// Warns of lines that didn't go as usual: the first few by number, the others by count.
class LineWarnings {
 public:
  explicit LineWarnings(std::string text) : text_(std::move(text)) {}

  void add(int64_t line) {
    if (++count_ <= kShown) spdlog::warn("line {}: {}", line, text_);
  }
  void sum_up() const {
    if (count_ > kShown) spdlog::warn("{} more lines: {}", count_ - kShown, text_);
  }

 private:
  static constexpr int64_t kShown = 5;
  std::string text_;
  int64_t count_ = 0;
};

/// One line, or in Moses' manner `index ||| text ||| score` for each of an n-best list, where the
/// index counts lines from 0.
std::string plain(const Translation& translation, int64_t index, bool nbest) {
  if (!nbest) return translation.best().text + "\n";
  std::string lines;
  for (const Candidate& candidate : translation.nbest)
    lines += std::to_string(index) + " ||| " + candidate.text + " ||| " +
             fixed(candidate.score, 6) + "\n";
  return lines;
}

void translate_lines(const TranslateCommand& command, Translator& translator,
                     TranslateOptions options, std::ostream& out) {
  // Sentences of similar length share a batch: the more lines are sorted, the less padding.
  constexpr int64_t kBatchesSorted = 16;
  const auto group = static_cast<size_t>(options.batch_sentences * kBatchesSorted);
  std::optional<AttentionDump> dump;
  if (!command.attention.empty()) dump.emplace(command.attention);
  LineQueue queue(command.input.empty() ? "-" : command.input);
  LineWarnings cut("longer than " + std::to_string(options.max_source_tokens) +
                   " tokens: the rest was left out");
  LineWarnings endless("no end of the sentence was found within the length limit");
  std::string collected;  // for a file, which appears whole or not at all
  for (;;) {
    const std::vector<std::string> lines = queue.take(group);
    if (lines.empty()) break;
    const std::vector<std::string> prefixes(command.prefix.empty() ? 0 : lines.size(),
                                            command.prefix);
    std::string results;
    for (const Translation& translation : translator.translate(lines, options, prefixes)) {
      results += command.json ? to_json_line(translation, /*with_nbest=*/true) + "\n"
                              : plain(translation, options.first_line, options.search.nbest > 1);
      ++options.first_line;
      if (translation.source_cut) cut.add(options.first_line);
      if (!translation.best().finished) endless.add(options.first_line);
      if (dump) dump->add(translation);
    }
    if (is_standard(command.output)) {
      out << results;
      flush_results(out);
    } else {
      collected += results;
    }
  }
  if (!is_standard(command.output)) write_atomically(command.output, collected);
  if (dump) dump->write();
  cut.sum_up();
  endless.sum_up();
}

/// CLI11 would take a number that is too large for the largest there is.
std::string seed_fault(const std::string& text) {
  uint64_t seed = 0;
  const char* end = text.data() + text.size();
  const auto [parsed, fault] = std::from_chars(text.data(), end, seed);
  return fault == std::errc() && parsed == end ? "" : text + " is not in [0, 2^64 - 1]";
}

}  // namespace

void run_translate(const TranslateCommand& command, std::ostream& out) {
  if (!command.attention.empty()) AttentionDump{command.attention};  // refuses a wrong ending now
  set_threads(command.threads.value_or(0));
  LoadedModel model = load_model(command.models);
  const TranslateOptions options = resolve(command, model.config.translation);
  const bool interactive = command.input.empty() && command.output.empty() && !command.json &&
                           command.attention.empty() && isatty(STDIN_FILENO) != 0 &&
                           isatty(STDOUT_FILENO) != 0;
  if (interactive)
    run_interactive(*model.translator, options, command.prefix);
  else
    translate_lines(command, *model.translator, options, out);
}

void add_translate(CLI::App& app) {
  auto command = std::make_shared<TranslateCommand>();
  CLI::App* translate = app.add_subcommand(
      "translate", "Translate lines of text; with a terminal on both ends, a conversation");
  const auto positive = CLI::Range(int64_t{1}, int64_t{1'000'000});
  const auto count = CLI::Range(int64_t{0}, int64_t{1'000'000});
  const auto not_negative = CLI::Range(0.0, 1e6);
  std::map<std::string, LengthPenalty> kinds;
  for (const auto& [kind, name] : kLengthPenaltyNames) kinds.emplace(name, kind);

  translate->add_option("MODEL", command->models, "Model directory; several make an ensemble")
      ->required();
  translate->add_option("--input", command->input, "File to translate, plain or gzip; - is stdin");
  translate->add_option("--output", command->output,
                        "File for the translations, written whole or not at all; - is stdout");
  translate->add_option("--beam", command->beam, "Hypotheses kept; 1 is greedy search")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000}));
  translate
      ->add_option("--nbest", command->nbest,
                   "Hypotheses printed, at most --beam: `line ||| text ||| score`, lines from 0")
      ->check(CLI::Range(int64_t{1}, int64_t{10'000}));
  translate
      ->add_option("--length-penalty", command->length_penalty_alpha,
                   "α of Wu et al.'s length penalty; 0 ranks by log-probability")
      ->check(not_negative);
  translate
      ->add_option("--length-penalty-kind", command->length_penalty,
                   "wu, average (per token) or none")
      ->transform(CLI::CheckedTransformer(kinds));
  translate
      ->add_option("--coverage-penalty", command->coverage_penalty,
                   "β of Wu et al.'s coverage penalty; 0: off")
      ->check(not_negative);
  translate
      ->add_option("--max-length", command->max_length, "Longest output in tokens; 0: no limit")
      ->check(count);
  translate->add_option("--min-length", command->min_length, "Shortest output in tokens, with EOS")
      ->check(count);
  translate->add_option("--batch", command->batch, "Sentences at a time")->check(positive);
  translate->add_flag("--json", command->json,
                      "One JSON object per line, with tokens, attention and n-best list");
  translate->add_option("--attention", command->attention,
                        "Write the attention to this file: .json, .jsonl, .tsv, .html or .svg");
  translate->add_option("--threads", command->threads, "Threads; default: all cores")
      ->check(CLI::Range(int64_t{1}, int64_t{4096}));
  translate->add_option("--prefix,--force", command->prefix, "Begin every output with this text");
  translate->add_flag("--keep-unk", command->keep_unknown,
                      "Print <unk> instead of the source word that it looked at");
  translate
      ->add_option("--block-ngrams", command->block_ngrams,
                   "No n-gram of this n twice in an output; 0: off")
      ->check(count);
  translate->add_flag("--sample", command->sample,
                      "Draw from the model's distribution instead of searching");
  translate->add_option("--temperature", command->temperature, "Of --sample: p^(1/T); default 1")
      ->check(CLI::Range(1e-3, 1e3));
  translate->add_option("--top-k", command->top_k, "Of --sample: from the k most probable; 0: all")
      ->check(count);
  translate->add_option("--seed", command->seed, "Of --sample; default 1")
      ->check(CLI::Validator(seed_fault, "0 to 2^64 - 1"));
  translate->footer(
      "Example:\n"
      "  softalign translate models/zh-en --input zh.txt --output en.txt --beam 5");
  translate->callback([command] { run_translate(*command, std::cout); });
}

}  // namespace softalign
