#include "app/commands/inspect.h"

#include <ATen/Parallel.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "app/blas.h"
#include "app/log.h"
#include "app/model_check.h"
#include "app/model_directory.h"
#include "app/threads.h"
#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"
#include "model/seq2seq.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

/// Numbers of weights by part, in order of registration; parts of encoder and decoder apart.
ordered_json parameters_by_part(Seq2Seq& model) {
  ordered_json parts = ordered_json::object();
  for (const auto& parameter : model->named_parameters()) {
    const std::string& name = parameter.key();
    size_t end = name.find('.');
    if (name.rfind("encoder.", 0) == 0 || name.rfind("decoder.", 0) == 0)
      end = name.find('.', end + 1);
    const std::string part = name.substr(0, end);
    parts[part] = parts.value(part, int64_t{0}) + parameter.value().numel();
  }
  return parts;
}

ordered_json vocabulary(const Subword& subword) {
  ordered_json examples = ordered_json::array();
  for (int64_t id = kEos + 1; id < std::min<int64_t>(subword.size(), kEos + 11); ++id)
    examples.push_back(subword.piece(id));
  return {{"pieces", subword.size()}, {"digest", subword.digest()}, {"first", examples}};
}

/// Start, last report and best validation of log.jsonl; null without a log.
ordered_json training_summary(const ModelDirectory& directory) {
  if (!fs::exists(directory.log())) return nullptr;
  ordered_json summary = ordered_json::object();
  for (const auto& line : read_lines(directory.log())) {
    const auto record = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!record.is_object() || !record.contains("type")) continue;  // cut off by a kill
    if (record["type"] == "start") {
      summary["seed"] = record.value("seed", uint64_t{0});
      summary["threads"] = record.value("threads", int64_t{0});
    } else if (record["type"] == "report") {
      for (const char* key : {"step", "epoch", "seconds", "loss", "target_tokens_per_second"})
        if (record.contains(key)) summary[key] = record[key];
    } else if (record["type"] == "validation") {
      summary["validations"] = summary.value("validations", int64_t{0}) + 1;
      if (!record.value("best", false)) continue;
      ordered_json best = ordered_json::object();
      for (const char* key : {"step", "epoch", "perplexity", "accuracy", "bleu", "chrf"})
        if (record.contains(key)) best[key] = record[key];
      summary["best"] = best;
    }
  }
  return summary;
}

ordered_json describe(const ModelDirectory& directory, const LoadedModel& model) {
  const Translator& translator = *model.translator;
  Seq2Seq& network = model.translator->models().front();
  ordered_json settings = ordered_json::object();
  for (const auto& [key, value] : flat_values(model.config))
    if (key.rfind("model.", 0) == 0 || key.rfind("subword.", 0) == 0) settings[key] = value;
  return {{"name", model.config.name},
          {"parameters", network->parameter_count()},
          {"parameters_by_part", parameters_by_part(network)},
          {"weights_bytes", fs::file_size(directory.best())},
          {"source_vocabulary", vocabulary(translator.source_subword())},
          {"target_vocabulary", vocabulary(translator.target_subword())},
          {"settings", settings},
          {"training", training_summary(directory)},
          {"blas", loaded_blas().name},
          {"threads", at::get_num_threads()}};
}

std::string text_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_integer()) return grouped(value.get<int64_t>());
  if (value.is_number()) return fixed(value.get<double>(), 3);
  return value.dump();
}

void print_rows(const ordered_json& rows, std::ostream& out) {
  size_t width = 0;
  for (const auto& [key, value] : rows.items()) width = std::max(width, key.size());
  for (const auto& [key, value] : rows.items())
    out << "  " << key << std::string(width - key.size() + 2, ' ') << text_of(value) << '\n';
}

void print(const ordered_json& facts, std::ostream& out) {
  out << facts["name"].get<std::string>() << ": " << text_of(facts["parameters"]) << " parameters, "
      << text_of(facts["weights_bytes"]) << " bytes of weights\n\nparameters\n";
  print_rows(facts["parameters_by_part"], out);
  out << "\nvocabulary\n";
  for (const std::string side : {"source", "target"}) {
    const auto& subword = facts[side + "_vocabulary"];
    out << "  " << side << "  " << text_of(subword["pieces"]) << " pieces:";
    for (const auto& piece : subword["first"]) out << ' ' << piece.get<std::string>();
    out << " …\n";
  }
  out << "\nsettings\n";
  print_rows(facts["settings"], out);
  if (facts["training"].is_object()) {
    ordered_json training = facts["training"];
    const ordered_json best = training.value("best", ordered_json::object());
    training.erase("best");
    out << "\ntraining\n";
    print_rows(training, out);
    if (!best.empty()) out << "\nbest validation\n";
    print_rows(best, out);
  }
  out << "\nmachine\n  BLAS     " << facts["blas"].get<std::string>() << "\n  threads  "
      << text_of(facts["threads"]) << '\n';
}

}  // namespace

void run_inspect(const InspectOptions& options, std::ostream& out) {
  set_threads(0);
  const ModelDirectory directory{options.model};
  LoadedModel model = load_model({options.model});
  ordered_json facts = describe(directory, model);
  if (const Blas blas = loaded_blas(); blas.slow)
    spdlog::warn(
        "LibTorch runs on {}, which makes it slow here; install OpenBLAS with OpenMP "
        "(libopenblas0-openmp)",
        blas.name);

  std::vector<ModelProof> proofs;
  if (options.check) proofs = check_model(directory, model);
  if (options.json) {
    for (const auto& proof : proofs)
      facts["checks"].push_back(
          {{"name", proof.name}, {"passed", proof.passed}, {"detail", proof.detail}});
    out << facts.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
  } else {
    print(facts, out);
    if (options.check) out << "\nchecks\n";
    for (const auto& proof : proofs)
      out << "  " << (proof.passed ? "passed  " : "FAILED  ") << proof.name << " (" << proof.detail
          << ")\n";
  }
  const auto failed = std::count_if(proofs.begin(), proofs.end(),
                                    [](const ModelProof& proof) { return !proof.passed; });
  if (failed > 0) {
    out.flush();
    throw Error(options.model.string() + ": " + std::to_string(failed) + " of " +
                    std::to_string(proofs.size()) + " checks failed",
                Error::kMachine);
  }
}

void add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = app.add_subcommand("inspect", "Show what a model is made of, and check it");
  inspect->footer(
      "Examples:\n"
      "  softalign inspect models/zh-en\n"
      "  softalign inspect models/zh-en --check");
  inspect->add_option("MODEL", options->model, "Model directory")->required();
  inspect->add_flag("--check", options->check,
                    "Prove on this model: files intact, batch mates don't matter, score equals "
                    "search, weights sum to 1");
  inspect->add_flag("--json", options->json, "One JSON object");
  inspect->callback([options] { run_inspect(*options, std::cout); });
}

}  // namespace softalign
