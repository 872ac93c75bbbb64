// softalign_bench: the pieces on Google Benchmark, and whole translations where a model is given.
//   softalign_bench [--model=DIR --source=FILE] [--sentences=N] [--threads=N] [--benchmark_…]
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "app/threads.h"
#include "data/error.h"
#include "tests/bench/bench.h"

int main(int argc, char** argv) {
  std::string model, source, sentences = "200", threads = "1";
  const std::vector<std::pair<std::string, std::string*>> own{
      {"--model=", &model}, {"--source=", &source}, {"--sentences=", &sentences},
      {"--threads=", &threads}};
  std::vector<char*> rest;
  for (int i = 0; i < argc; ++i) {
    const std::string argument = argv[i];
    const auto option = std::find_if(own.begin(), own.end(), [&](const auto& known) {
      return argument.rfind(known.first, 0) == 0;
    });
    if (option == own.end())
      rest.push_back(argv[i]);
    else
      *option->second = argument.substr(option->first.size());
  }
  int count = static_cast<int>(rest.size());
  benchmark::Initialize(&count, rest.data());
  if (benchmark::ReportUnrecognizedArguments(count, rest.data())) return 2;
  if (model.empty() != source.empty()) {
    std::cerr << "softalign_bench: --model and --source belong together\n";
    return 2;
  }
  try {
    softalign::set_threads(std::atoll(threads.c_str()));
    if (!model.empty()) softalign::register_translation(model, source, std::atoll(sentences.c_str()));
    benchmark::RunSpecifiedBenchmarks();
  } catch (const softalign::Error& error) {
    std::cerr << "softalign_bench: " << error.what() << '\n';
    return error.exit_code();
  }
  return 0;
}
