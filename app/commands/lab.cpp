#include "app/commands/lab.h"

#include <ATen/Context.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <iostream>
#include <sstream>

#include "app/lab/experiments.h"
#include "app/lab/page.h"
#include "app/lab/summary.h"
#include "app/lab/trainings.h"
#include "app/log.h"
#include "app/shell.h"
#include "app/standard_output.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const Experiment& experiment : kExperiments) names.emplace_back(experiment.name);
  return names;
}

void list_experiments(std::ostream& out) {
  size_t widest = 0;
  for (const Experiment& experiment : kExperiments)
    widest = std::max(widest, std::string(experiment.name).size());
  for (const Experiment& experiment : kExperiments) {
    const std::string name = experiment.name;
    out << name << std::string(widest + 2 - name.size(), ' ') << experiment.summary << '\n';
  }
  out << "\nRun one with `softalign lab NAME`, all with `softalign lab all`; --quick takes a part "
         "of the "
         "time.\n";
}

void check_options(const LabOptions& options) {
  if (options.test_source.empty() != options.test_reference.empty())
    throw Error("--test-source and --test-reference belong together");
  if (!options.test_source.empty() && options.config.empty())
    throw Error("--test-source goes with --config: the embedded corpus has its own test set");
  if (fs::exists(options.output) && !fs::is_directory(options.output))
    throw Error(options.output.string() +
                " is a file; the output is a folder: choose another --output");
}

/// "1.2,-0.4": the inverse of numbers_of.
std::string text_of(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text += (text.empty() ? "" : ",") + std::string(digits.data(), end);
  }
  return text;
}

/// The command that makes the same page again.
std::string command_of(const LabOptions& options, const std::string& name) {
  std::ostringstream command;
  command.imbue(std::locale::classic());
  command << "softalign lab " << name;
  if (options.quick) command << " --quick";
  const auto knob = [&](const char* flag, const auto& value) {
    if (value) command << ' ' << flag << ' ' << *value;
  };
  const auto path = [&](const char* flag, const fs::path& value) {
    if (!value.empty()) command << ' ' << flag << ' ' << shell_quoted(value.string());
  };
  knob("--largest-d", options.largest_d);
  knob("--largest-n", options.largest_n);
  knob("--samples", options.samples);
  knob("--positions", options.positions);
  knob("--sentences", options.sentences);
  knob("--epochs", options.epochs);
  knob("--width", options.width);
  knob("--steps", options.steps);
  knob("--largest-width", options.largest_width);
  if (options.correlation != LabOptions().correlation)
    command << " --correlation " << text_of({options.correlation});
  if (!options.query.empty()) command << " --query " << text_of(options.query);
  std::string keys;
  for (const auto& key : options.keys) keys += (keys.empty() ? "" : ";") + text_of(key);
  if (!keys.empty()) command << " --keys " << shell_quoted(keys);
  path("--corpus", options.corpus);
  path("--model", options.model);
  path("--config", options.config);
  path("--test-source", options.test_source);
  path("--test-reference", options.test_reference);
  if (options.seed != 1) command << " --seed " << options.seed;
  return command.str();
}

/// The numbers of "1.2,-0.4".
std::vector<double> numbers_of(const std::string& text, const std::string& option) {
  std::vector<double> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    double number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size())
      throw Error(option + ": \"" + part + "\" is not a number");
    numbers.push_back(number);
  }
  return numbers;
}

/// A knob that is a positive number of things.
void add_count(CLI::App& command, const std::string& name, std::optional<int64_t>& value,
               const std::string& explanation, int64_t least, int64_t most) {
  command.add_option(name, value, explanation)->check(CLI::Range(least, most))->type_name("N");
}

void add_knobs(CLI::App& command, const std::string& name, LabOptions& options, std::string& query,
               std::string& keys) {
  const bool all = name == "all";
  const auto is = [&](std::initializer_list<const char*> names) {
    return all || std::any_of(names.begin(), names.end(), [&](const char* n) { return name == n; });
  };
  if (is({"variance", "saturation", "scores", "self-attention"}))
    add_count(command, "--largest-d", options.largest_d, "Largest dimension of random vectors", 4,
              65536);
  if (is({"variance", "saturation", "self-attention"}))
    add_count(command, "--samples", options.samples, "Random vectors for each dimension", 10,
              10'000'000);
  if (is({"variance"}))
    command.add_option("--correlation", options.correlation, "Of dependent components [0.1]")
        ->check(CLI::Range(0.0, 0.99))
        ->type_name("R");
  if (is({"saturation"})) {
    add_count(command, "--positions", options.positions, "Keys for each query [10]", 2, 10'000);
    add_count(command, "--largest-width", options.largest_width,
              "Largest width of the trained models", 32, 4096);
  }
  if (is({"saturation", "bottleneck"}))
    add_count(command, "--steps", options.steps, "Updates of the small trainings", 20, 1'000'000);
  if (is({"self-attention"}))
    add_count(command, "--largest-n", options.largest_n, "Longest sentence that is timed", 128,
              32768);
  if (is({"saturation", "bottleneck", "scores", "self-attention", "alignment"})) {
    add_count(command, "--sentences", options.sentences, "Training sentences; 0: all", 0,
              100'000'000);
    add_count(command, "--epochs", options.epochs, "Epochs of each training", 1, 1000);
    add_count(command, "--width", options.width, "Width of the trained models' states (even)", 8,
              4096);
    command
        .add_option("--config", options.config,
                    "Train as this config says, on its corpus, instead of the embedded one")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    command
        .add_option("--test-source", options.test_source,
                    "With --config: sentences to test on [its validation set]")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    command.add_option("--test-reference", options.test_reference, "Their translations")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
  }
  if (is({"variance"}))
    command
        .add_option("--model", options.model,
                    "A trained model whose queries and states are looked at")
        ->type_name("DIR");
  if (name == "by-hand") {
    command.add_option("--query", query, "The query, such as 1.2,-0.4")->type_name("S1,S2");
    command.add_option("--keys", keys, "The keys, such as 1,0;0.5,1")->type_name("H11,H12;…");
  }
}

}  // namespace

void run_lab(const LabOptions& options, const std::vector<std::string>& experiments,
             std::ostream& out) {
  check_options(options);
  set_threads(options.threads);
  fs::create_directories(options.output);
  Trainings trainings(options);
  std::vector<Report> done;
  double total = 0;
  for (const Experiment& experiment : kExperiments) {
    const std::string name = experiment.name;
    if (std::find(experiments.begin(), experiments.end(), name) == experiments.end()) continue;
    spdlog::info("{}: {}", name, experiment.summary);
    const auto start = std::chrono::steady_clock::now();
    at::manual_seed(options.seed);
    Report report = experiment.run(options, trainings);
    report.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    report.command = command_of(options, name);
    report.number = static_cast<size_t>(&experiment - kExperiments.data()) + 1;
    total += report.seconds;
    write_atomically(options.output / (name + ".json"), summary_json(report));
    write_report(report, read_summaries(options.output, all_names()), options.output);
    out << render_terminal(report, Language::english) << '\n';
    flush_results(out);
    spdlog::info("{}: {} in {}", name, (options.output / (name + ".html")).string(),
                 duration(report.seconds));
    done.push_back(std::move(report));
  }
  const std::vector<Report> known = read_summaries(options.output, all_names());
  for (const Report& report : done)  // once more, with links to those that came later
    write_atomically(options.output / (report.name + ".html"), render_page(report, known));
  write_atomically(options.output / "index.html", render_index(known));
  spdlog::info("{} in {}", (options.output / "index.html").string(), duration(total));
}

void add_lab(CLI::App& app) {
  struct Command {
    LabOptions options;
    std::string query, keys;
  };
  auto command = std::make_shared<Command>();
  LabOptions& options = command->options;
  CLI::App* lab = app.add_subcommand("lab", "The theory of attention, measured and drawn");
  lab->footer(
      "Examples:\n"
      "  softalign lab                          # lists the experiments\n"
      "  softalign lab variance --model models/zh-en\n"
      "  softalign lab --quick                  # all of them, in minutes\n"
      "  softalign lab bottleneck --config configs/multi30k-de-en.yaml\n\n"
      "Writes a page, CSV tables and SVG pictures of each into OUTPUT; OUTPUT/index.html links "
      "all\n"
      "of them. `softalign lab NAME --help` shows the knobs of one.");
  lab->add_option("-o,--output", options.output,
                  "Folder of pages, tables, pictures and models [lab]")
      ->type_name("DIR");
  lab->add_flag("--quick", options.quick, "Small sizes: everything in a few minutes");
  lab->add_flag("--retrain", options.retrain,
                "Train anew what an earlier run left in OUTPUT/models");
  lab->add_option("--seed", options.seed, "Start of all random draws [1]")->type_name("N");
  lab->add_option("--threads", options.threads, "Threads; 0: all cores")
      ->check(CLI::Range(int64_t{0}, int64_t{1024}))
      ->type_name("N");
  lab->add_option("--corpus", options.corpus, "Folder of the embedded corpus, if it isn't found")
      ->check(CLI::ExistingDirectory)
      ->type_name("DIR");
  lab->require_subcommand(0, 1);
  for (const Experiment& experiment : kExperiments) {
    CLI::App* one = lab->add_subcommand(experiment.name, experiment.summary);
    add_knobs(*one, experiment.name, options, command->query, command->keys);
  }
  add_knobs(*lab->add_subcommand("all", "Every experiment"), "all", options, command->query,
            command->keys);
  lab->final_callback([command, lab] {
    LabOptions& chosen = command->options;
    if (!command->query.empty()) chosen.query = numbers_of(command->query, "--query");
    std::istringstream keys(command->keys);
    for (std::string key; std::getline(keys, key, ';');)
      chosen.keys.push_back(numbers_of(key, "--keys"));
    const std::vector<CLI::App*> parsed = lab->get_subcommands();
    if (parsed.empty() && !chosen.quick) return list_experiments(std::cout);
    const bool all = parsed.empty() || parsed.front()->get_name() == "all";
    run_lab(chosen, all ? all_names() : std::vector<std::string>{parsed.front()->get_name()},
            std::cout);
  });
}

}  // namespace softalign
