#include "app/commands/attention.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>

#include "app/log.h"
#include "app/model_directory.h"
#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "app/standard_output.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr size_t kChunk = 256;  // sentences that are translated before their results are written
constexpr std::string_view kNumberPlace = "%d";

const std::map<std::string, AttentionFormat> kFormats{
    {"terminal", AttentionFormat::terminal}, {"json", AttentionFormat::json},
    {"tsv", AttentionFormat::tsv},           {"svg", AttentionFormat::svg},
    {"html", AttentionFormat::html},         {"pharaoh", AttentionFormat::pharaoh}};

bool to_standard_output(const AttentionOptions& options) {
  return options.output.empty() || options.output == "-";
}

AttentionFormat chosen_format(const AttentionOptions& options) {
  if (options.format) return *options.format;
  if (to_standard_output(options))
    return isatty(STDOUT_FILENO) != 0 ? AttentionFormat::terminal : AttentionFormat::tsv;
  const std::string ending = options.output.extension().string();
  if (ending == ".jsonl") return AttentionFormat::json;
  if (ending == ".htm") return AttentionFormat::html;
  const auto known = kFormats.find(ending.empty() ? ending : ending.substr(1));
  return known == kFormats.end() ? AttentionFormat::tsv : known->second;
}

void check_options(const AttentionOptions& options) {
  if (options.source.has_value() == !options.input.empty())
    throw Error("give either --source with a sentence or --input with a file of sentences");
  if (options.target && !options.source)
    throw Error("--target goes with --source; for --input give the translations by --reference");
  if (!options.reference.empty() && options.input.empty())
    throw Error("--reference goes with --input; for --source give the translation by --target");
  if (options.input == "-" && options.reference == "-")
    throw Error("--input and --reference can't both be standard input");
}

/// Sentences and, where they were given, their translations.
struct Pairs {
  std::vector<std::string> sources;
  std::vector<std::string> targets;
  bool given = false;
};

Pairs read_pairs(const AttentionOptions& options) {
  Pairs pairs;
  pairs.given = options.target || !options.reference.empty();
  if (options.source) {
    pairs.sources = {*options.source};
    if (options.target) pairs.targets = {*options.target};
    return pairs;
  }
  pairs.sources = read_lines(options.input);
  if (!pairs.given) return pairs;
  pairs.targets = read_lines(options.reference);
  if (pairs.sources.size() != pairs.targets.size())
    throw Error(options.input.string() + " has " + grouped(pairs.sources.size()) + " lines, " +
                options.reference.string() + " " + grouped(pairs.targets.size()) +
                ": they must belong together line by line");
  return pairs;
}

/// One SVG file holds one picture.
void check_pictures(const AttentionOptions& options, AttentionFormat format, size_t count) {
  if (format != AttentionFormat::svg || count == 1) return;
  const bool numbered = !to_standard_output(options) &&
                        options.output.filename().string().find(kNumberPlace) != std::string::npos;
  if (numbered) return;
  throw Error(grouped(count) +
              " sentences don't fit one SVG picture: use --format html for one page with all, or "
              "an --output with %d for one file each, such as attention-%d.svg");
}

fs::path numbered_path(const fs::path& path, size_t number) {
  std::string name = path.filename().string();
  const size_t place = name.find(kNumberPlace);
  if (place == std::string::npos) return path;
  return path.parent_path() / name.replace(place, kNumberPlace.size(), std::to_string(number));
}

/// COLORFGBG is "foreground;background" in the 16 colours, set by several terminals.
Theme terminal_theme() {
  const char* colours = std::getenv("COLORFGBG");
  const std::string_view text = colours != nullptr ? colours : "";
  const std::string_view background = text.substr(text.rfind(';') + 1);
  return background == "7" || background == "15" ? Theme::light : Theme::dark;
}

TerminalStyle terminal_style(const AttentionOptions& options) {
  TerminalStyle style;
  style.heading = true;
  style.colour = to_standard_output(options) && shows_colour(STDOUT_FILENO);
  style.theme = terminal_theme();
  if (to_standard_output(options)) style.columns = terminal_columns(STDOUT_FILENO);
  return style;
}

/// Unknown pieces of a given translation are shown with their text.
void show_unknown_text(Translation& translation, const Subword& subword) {
  constexpr std::string_view kWordStart = "▁";
  Candidate& candidate = translation.nbest.front();
  const std::vector<Piece> pieces = subword.encode_pieces(clean_text(candidate.text));
  if (pieces.size() + 1 != candidate.tokens.size()) return;
  for (size_t t = 0; t < pieces.size(); ++t) {
    if (pieces[t].id != kUnk) continue;
    const bool starts =
        std::string_view(pieces[t].piece).substr(0, kWordStart.size()) == kWordStart;
    candidate.tokens[t] = (starts ? std::string(kWordStart) : std::string()) + pieces[t].surface;
  }
}

/// Sentences `begin` … `end` - 1 as pictures.
class Illustrator {
 public:
  Illustrator(const AttentionOptions& options, const Pairs& pairs)
      : options_(options), pairs_(pairs), model_(load_model({options.model})) {
    const TranslationConfig& config = model_.config.translation;
    translate_.search = config.search;
    if (options.beam) translate_.search.beam = *options.beam;
    translate_.search.nbest = 1;
    translate_.batch_sentences = config.batch_sentences;
    translate_.max_source_tokens = config.max_source_tokens;
    check(translate_.search);
  }

  std::vector<Heatmap> draw(size_t begin, size_t end) {
    translate_.first_line = static_cast<int64_t>(begin);
    std::vector<Heatmap> maps;
    for (Translation& translation : translations(begin, end)) {
      if (translation.source_cut)
        spdlog::warn("line {}: cut after {} tokens", begin + maps.size() + 1,
                     translate_.max_source_tokens);
      Heatmap map = heatmap_of(translation);
      maps.push_back(options_.words ? merge_words(map) : std::move(map));
    }
    return maps;
  }

 private:
  std::vector<Translation> translations(size_t begin, size_t end) {
    const auto part = [&](const std::vector<std::string>& lines) {
      return std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                      lines.begin() + static_cast<std::ptrdiff_t>(end));
    };
    if (!pairs_.given) return model_.translator->translate(part(pairs_.sources), translate_);
    std::vector<Translation> translations;
    for (Scored& scored :
         model_.translator->score(part(pairs_.sources), part(pairs_.targets), translate_)) {
      scored.pair.nbest.front().score = scored.log_prob;
      show_unknown_text(scored.pair, model_.translator->target_subword());
      translations.push_back(std::move(scored.pair));
    }
    return translations;
  }

  const AttentionOptions& options_;
  const Pairs& pairs_;
  LoadedModel model_;
  TranslateOptions translate_;
};

/// Text of the formats that are written sentence by sentence.
std::string text_of(const Heatmap& map, AttentionFormat format, const TerminalStyle& style,
                    size_t sentence) {
  if (format == AttentionFormat::json) return to_json(map) + '\n';
  if (format == AttentionFormat::pharaoh) return render_pharaoh(map) + '\n';
  if (format == AttentionFormat::tsv) return tsv_lines(map, static_cast<int64_t>(sentence));
  if (format == AttentionFormat::svg) return render_svg(map);
  return (sentence > 0 ? "\n" : "") + render_terminal(map, style);
}

}  // namespace

void run_attention(const AttentionOptions& options, std::ostream& out) {
  check_options(options);
  const AttentionFormat format = chosen_format(options);
  const Pairs pairs = read_pairs(options);
  const size_t count = pairs.sources.size();
  check_pictures(options, format, count);
  set_threads(options.threads);
  Illustrator illustrator(options, pairs);

  const TerminalStyle style = terminal_style(options);
  const bool to_file = !to_standard_output(options);
  std::string text;
  const auto pass_on = [&] {
    if (to_file) return;  // all at once, at the end
    out << text;
    text.clear();
    flush_results(out);
  };
  std::vector<Heatmap> page;
  if (format == AttentionFormat::tsv) text = kTsvHeader;
  for (size_t begin = 0; begin < count; begin += kChunk) {
    std::vector<Heatmap> maps = illustrator.draw(begin, std::min(count, begin + kChunk));
    for (size_t k = 0; k < maps.size(); ++k) {
      if (format == AttentionFormat::html) {
        page.push_back(std::move(maps[k]));
      } else if (format == AttentionFormat::svg && to_file) {
        write_atomically(numbered_path(options.output, begin + k + 1), render_svg(maps[k]));
      } else {
        text += text_of(maps[k], format, style, begin + k);
      }
    }
    pass_on();
  }
  if (format == AttentionFormat::html)
    text = render_html(page, "Attention of " + read_model_config({options.model}).name);
  if (to_file && format != AttentionFormat::svg) write_atomically(options.output, text);
  pass_on();
}

void add_attention(CLI::App& app) {
  auto options = std::make_shared<AttentionOptions>();
  CLI::App* attention = app.add_subcommand("attention", "Show where the model looked");
  attention->footer(
      "Formats:\n"
      "  terminal  a heat map in colour; in shades where there is no colour\n"
      "  svg       one picture, for a paper or a slide; with %d in --output one file per sentence\n"
      "  html      one page with all sentences\n"
      "  tsv       sentence, step, target token, source index, source token, weight; from 0\n"
      "  json      one object per line: source, translation, score, tokens, attention\n"
      "  pharaoh   the heaviest source word i of each target word j as i-j, from 0; no EOS\n"
      "Without --format the ending of --output decides; without --output it is terminal on a\n"
      "terminal and tsv elsewhere. In pictures a piece that goes on with a word begins with ·,\n"
      "and ⏎ is the end of the sentence.\n\n"
      "Examples:\n"
      "  softalign attention models/zh-en --source 我喜欢猫。\n"
      "  softalign attention models/zh-en --source 我喜欢猫。 --target \"I like cats.\" --words\n"
      "  softalign attention models/zh-en --input test.zh --output attention.html\n"
      "  softalign attention models/zh-en --input test.zh --reference test.en --format pharaoh");
  attention->add_option("MODEL", options->model, "Model directory")->required();
  attention->add_option("--source", options->source, "A sentence")->type_name("TEXT");
  attention->add_option("--target", options->target, "Its translation, instead of the model's own")
      ->type_name("TEXT");
  attention
      ->add_option("-i,--input", options->input, "Sentences, one per line; - is standard input")
      ->type_name("FILE");
  attention
      ->add_option("--reference", options->reference,
                   "Their translations, instead of the model's own")
      ->type_name("FILE");
  attention->add_option("-f,--format", options->format, "terminal, svg, html, tsv, json or pharaoh")
      ->transform(CLI::CheckedTransformer(kFormats))
      ->type_name("FORMAT");
  attention
      ->add_option("-o,--output", options->output,
                   "File to write, whole or not at all [standard output]")
      ->type_name("FILE");
  attention->add_flag("--words", options->words, "Whole words instead of subword pieces, no EOS");
  attention->add_option("--beam", options->beam, "Width of the search [the model's]")
      ->check(CLI::Range(1, 1000))
      ->type_name("N");
  attention->add_option("--threads", options->threads, "Threads; 0: all cores [0]")
      ->check(CLI::Range(0, 1024))
      ->type_name("N");
  attention->callback([options] { run_attention(*options, std::cout); });
}

}  // namespace softalign
