#include "app/commands/score.h"

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <iostream>
#include <string>

#include "app/log.h"
#include "app/model_directory.h"
#include "app/standard_output.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"

namespace softalign {
namespace {

/// The shortest digits that read back as the same number.
std::string digits(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end.ptr);
}

}  // namespace

void run_score(const ScoreCommand& command, std::ostream& out) {
  const std::vector<std::string> sources = read_lines(command.source);
  const std::vector<std::string> targets = read_lines(command.target);
  if (sources.size() != targets.size())
    throw Error(command.source.string() + " has " + grouped(static_cast<int64_t>(sources.size())) +
                " lines, " + command.target.string() + " " +
                grouped(static_cast<int64_t>(targets.size())) +
                ": line i of one must belong to line i of the other");
  set_threads(command.threads.value_or(0));
  LoadedModel model = load_model(command.models);
  TranslateOptions options;
  options.batch_sentences = model.config.translation.batch_sentences;
  options.max_source_tokens = model.config.translation.max_source_tokens;
  options.attention = false;
  constexpr size_t kGroup = 1000;  // lines between two flushes
  for (size_t begin = 0; begin < sources.size(); begin += kGroup) {
    const size_t end = std::min(begin + kGroup, sources.size());
    const auto group = [&](const std::vector<std::string>& lines) {
      return std::vector<std::string>(lines.begin() + static_cast<std::ptrdiff_t>(begin),
                                      lines.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const std::vector<Scored> scored =
        model.translator->score(group(sources), group(targets), options);
    for (size_t i = 0; i < scored.size(); ++i) {
      if (scored[i].pair.source_cut)
        spdlog::warn("{}:{}: longer than {} tokens: the rest was left out", command.source.string(),
                     begin + i + 1, options.max_source_tokens);
      if (command.json)
        out << "{\"log_prob\":" << digits(scored[i].log_prob)
            << ",\"tokens\":" << std::to_string(scored[i].tokens) << "}\n";
      else
        out << digits(scored[i].log_prob) << '\n';
    }
    flush_results(out);
  }
}

void add_score(CLI::App& app) {
  auto command = std::make_shared<ScoreCommand>();
  CLI::App* score = app.add_subcommand("score", "Log-probability of given translations");
  score->add_option("MODEL", command->models, "Model directory; several make an ensemble")
      ->required();
  score->add_option("--source", command->source, "Sentences, one per line")->required();
  score->add_option("--target", command->target, "Their translations, one per line")->required();
  score->add_flag("--json", command->json,
                  "{\"log_prob\", \"tokens\"} per line instead of the log-probability alone");
  score->add_option("--threads", command->threads, "Threads; default: all cores")
      ->check(CLI::Range(int64_t{1}, int64_t{4096}));
  score->footer(
      "Example:\n"
      "  softalign score models/zh-en --source zh.txt --target en.txt");
  score->callback([command] { run_score(*command, std::cout); });
}

}  // namespace softalign
