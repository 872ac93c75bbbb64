#include <benchmark/benchmark.h>

#include <memory>
#include <string>
#include <vector>

#include "app/model_directory.h"
#include "data/file.h"
#include "model/search/translator.h"
#include "tests/bench/bench.h"

namespace softalign {
namespace {

struct Text {
  std::vector<std::string> lines;
  std::shared_ptr<LoadedModel> fast, reference;
};

void translate(benchmark::State& state, const Text& text) {
  LoadedModel& model = state.range(2) != 0 ? *text.fast : *text.reference;
  TranslateOptions options;
  options.search = model.config.translation.search;
  options.search.beam = state.range(0);
  options.batch_sentences = state.range(1);
  options.attention = false;
  double tokens = 0;
  for (auto _ : state)
    for (const Translation& translation : model.translator->translate(text.lines, options))
      tokens += static_cast<double>(translation.best().ids.size());
  state.counters["tokens/s"] = benchmark::Counter(tokens, benchmark::Counter::kIsRate);
  state.counters["sentences/s"] = benchmark::Counter(
      static_cast<double>(text.lines.size()) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

}  // namespace

void register_translation(const std::filesystem::path& model, const std::filesystem::path& source,
                          int64_t sentences) {
  auto text = std::make_shared<Text>();
  text->lines = read_lines(source);
  if (static_cast<int64_t>(text->lines.size()) > sentences)
    text->lines.resize(static_cast<size_t>(sentences));
  text->fast = std::make_shared<LoadedModel>(load_model({model}, Kernels::fast));
  text->reference = std::make_shared<LoadedModel>(load_model({model}, Kernels::reference));
  benchmark::RegisterBenchmark("translate", [text](benchmark::State& s) { translate(s, *text); })
      ->ArgNames({"beam", "batch", "fast"})
      ->ArgsProduct({{1, 5}, {1, 32}, {0, 1}})
      ->Iterations(1)
      ->Unit(benchmark::kMillisecond)
      ->UseRealTime();
}

}  // namespace softalign
