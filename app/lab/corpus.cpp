#include "app/lab/corpus.h"

#include <map>

#include "app/config/experiment.h"
#include "app/log.h"
#include "data/error.h"
#include "data/unicode.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

ParallelFiles embedded_files(const fs::path& folder, const std::string& name) {
  ParallelFiles files;
  files.source = {folder / (name + ".zh")};
  files.target = {folder / (name + ".en")};
  if (!fs::exists(folder / (name + ".align"))) return files;
  files.alignment = {folder / (name + ".align")};
  files.source_words = {folder / (name + ".words.zh")};
  files.target_words = {folder / (name + ".words.en")};
  return files;
}

Corpus read_evaluated(const ParallelFiles& files) {
  ReadOptions options;
  options.training = false;
  return read_corpus(files, options);
}

EvaluationSet evaluation_set(const std::vector<SentencePair>& pairs, const fs::path& name) {
  EvaluationSet set;
  set.sources.path = set.references.path = name;
  GoldAlignment gold;
  bool aligned = !pairs.empty();
  for (const SentencePair& pair : pairs) {
    set.sources.lines.push_back(pair.source);
    set.references.lines.push_back(pair.target);
    aligned = aligned && !pair.links.empty();
    gold.links.push_back(pair.links);
    gold.source_words.lines.push_back(pair.source_words.empty() ? pair.source : pair.source_words);
    gold.target_words.lines.push_back(pair.target_words.empty() ? pair.target : pair.target_words);
  }
  if (aligned) set.gold = std::move(gold);
  return set;
}

/// `count` of them at even distances, in order; all where there are no more.
void thin_out(std::vector<SentencePair>& pairs, size_t count) {
  if (count == 0 || pairs.size() <= count) return;
  std::vector<SentencePair> kept;
  for (size_t k = 0; k < count; ++k) kept.push_back(std::move(pairs[k * pairs.size() / count]));
  pairs = std::move(kept);
}

LabCorpus read_own_corpus(const LabOptions& options) {
  const ExperimentConfig config = read_experiment(options.config);
  if (config.corpus.train.empty() || config.corpus.valid.empty())
    throw Error(options.config.string() +
                ": the lab needs corpus.train and corpus.valid of the config");
  LabCorpus corpus;
  corpus.train = read_corpus(config.corpus.train);
  corpus.valid = read_evaluated(config.corpus.valid);
  ParallelFiles test = config.corpus.valid;
  if (!options.test_source.empty()) {
    test = {};
    test.source = {options.test_source};
    test.target = {options.test_reference};
  }
  corpus.test = evaluation_set(read_evaluated(test).pairs, test.source.front());
  thin_out(corpus.train.pairs, static_cast<size_t>(options.sentences.value_or(0)));
  corpus.description = config.name;
  return corpus;
}

}  // namespace

EvaluationSet EvaluationSet::first(size_t count) const {
  EvaluationSet part = *this;
  const auto cut = [&](auto& list) {
    if (list.size() > count) list.resize(count);
  };
  cut(part.sources.lines);
  cut(part.references.lines);
  if (part.gold) {
    cut(part.gold->links);
    cut(part.gold->source_words.lines);
    cut(part.gold->target_words.lines);
  }
  return part;
}

std::vector<SentencePair> hold_out(std::vector<SentencePair>& pairs, size_t longest_kept,
                                   size_t per_length) {
  constexpr size_t kLengths = 10, kEvery = 3;
  std::map<size_t, size_t> seen, taken;
  std::vector<SentencePair> kept, held_out;
  for (SentencePair& pair : pairs) {
    const size_t length = code_points(pair.source).size();
    const size_t group = length == 0 ? 0 : (length - 1) / kLengths;
    const bool takes =
        length > longest_kept && taken[group] < per_length && seen[group]++ % kEvery == 0;
    if (takes) ++taken[group];
    (takes ? held_out : kept).push_back(std::move(pair));
  }
  pairs = std::move(kept);
  return held_out;
}

fs::path embedded_corpus() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share/softalign/zh-en";
  for (const fs::path& folder : {installed, fs::path(SOFTALIGN_EMBEDDED_CORPUS)})
    if (fs::exists(folder / "train.zh", ignored)) return folder;
  throw Error(
      "the embedded corpus was not found: name its folder (data/zh-en of the sources) "
      "with --corpus");
}

LabCorpus read_lab_corpus(const LabOptions& options) {
  if (!options.config.empty()) return read_own_corpus(options);
  const fs::path folder = options.corpus.empty() ? embedded_corpus() : options.corpus;
  LabCorpus corpus;
  corpus.train = read_corpus(embedded_files(folder, "train"));
  std::vector<SentencePair>& pairs = corpus.train.pairs;
  std::vector<SentencePair> held_out = hold_out(pairs, 20, options.quick ? 30 : 100);
  thin_out(pairs, static_cast<size_t>(options.pick(options.sentences, 0, 4000)));
  corpus.valid = read_evaluated(embedded_files(folder, "valid"));
  if (options.quick) thin_out(corpus.valid.pairs, 200);
  std::vector<SentencePair> test = read_evaluated(embedded_files(folder, "test")).pairs;
  if (options.quick) thin_out(test, 200);
  for (SentencePair& pair : held_out) test.push_back(std::move(pair));
  corpus.test = evaluation_set(test, folder / "test.zh");
  corpus.description = "zh-en";
  return corpus;
}

}  // namespace softalign
