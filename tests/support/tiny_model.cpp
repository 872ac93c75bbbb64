#include "tests/support/tiny_model.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "tests/support/process.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

const std::vector<std::pair<std::string, std::string>> kLexicon = {
    {"red", "rouge"},    {"dog", "chien"},  {"cat", "chat"},    {"sees", "voit"},
    {"house", "maison"}, {"big", "grand"},  {"the", "le"},      {"bird", "oiseau"},
    {"eats", "mange"},   {"bread", "pain"}, {"small", "petit"}, {"green", "vert"}};

// What it takes to learn the whole lexicon.
const std::string kEnough = "  max_epochs: 20\n  validate_every: 200\n";

/// ctest runs every test in a process of its own, so the model lies beside the binary, and is made
/// again when the binary has changed. Processes wait for the one that makes it.
struct SharedModel {
  fs::path folder = softalign_binary() + "-tiny-model";
  fs::path experiment = folder / "experiment", model = folder / "model";

  SharedModel() {
    const std::string lock_file = folder.string() + ".lock";
    const int lock = open(lock_file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (lock < 0 || flock(lock, LOCK_EX) != 0) throw std::runtime_error(lock_file + ": no lock");
    const fs::path stamp = folder / "stamp";
    const std::string binary =
        std::to_string(fs::last_write_time(softalign_binary()).time_since_epoch().count());
    if (read_text(stamp) != binary) {
      fs::remove_all(folder);
      fs::create_directories(experiment);
      const auto config = write_toy_experiment(experiment, 1500, kEnough);
      const ProcessResult result =
          run_softalign({"train", config.string(), "--output", model.string(), "--threads", "1"});
      if (result.exit_code != 0) throw std::runtime_error("tiny model: " + result.err);
      write_text(stamp, binary);
    }
    close(lock);
  }
};

const SharedModel& shared_model() {
  static const SharedModel model;
  return model;
}

}  // namespace

std::vector<ToyPair> toy_pairs(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::set<std::string> seen;
  std::vector<ToyPair> pairs;
  while (pairs.size() < count) {
    ToyPair pair;
    const auto words = 1 + random() % 6;
    for (unsigned i = 0; i < words; ++i) {
      const auto& [source, target] = kLexicon[random() % kLexicon.size()];
      pair.source += (i ? " " : "") + source;
      pair.target += (i ? " " : "") + target;
    }
    if (seen.insert(pair.source).second) pairs.push_back(std::move(pair));
  }
  return pairs;
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

void write_lines(const std::filesystem::path& file, const std::vector<std::string>& lines) {
  std::string text;
  for (const auto& line : lines) text += line + "\n";
  write_text(file, text);
}

std::string read_text(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::filesystem::path write_toy_experiment(const std::filesystem::path& folder, size_t pairs,
                                           const std::string& training) {
  const size_t valid = 10;
  const auto all = toy_pairs(pairs + valid);
  std::vector<std::string> sides[4];
  for (size_t i = 0; i < all.size(); ++i) {
    sides[i < pairs ? 0 : 2].push_back(all[i].source);
    sides[i < pairs ? 1 : 3].push_back(all[i].target);
  }
  const char* names[] = {"train.src", "train.tgt", "valid.src", "valid.tgt"};
  for (int i = 0; i < 4; ++i) write_lines(folder / names[i], sides[i]);
  const auto config = folder / "toy.yaml";
  write_text(config,
             "corpus:\n"
             "  train: {source: train.src, target: train.tgt}\n"
             "  valid: {source: valid.src, target: valid.tgt}\n"
             "subword: {kind: bpe, vocabulary_size: 100}\n"
             "model:\n"
             "  embedding: 32\n"
             "  encoder: {hidden: 32, layer_norm: true}\n"
             "  decoder: {hidden: 32, layer_norm: true}\n"
             "  attention: {score: general, input_feeding: true}\n"
             "training:\n"
             "  learning_rate: 0.01\n"
             "  batch_tokens: 256\n" +
                 (training.empty() ? "  max_epochs: 12\n" : training));
  return config;
}

const std::filesystem::path& tiny_model() { return shared_model().model; }
const std::filesystem::path& tiny_experiment() { return shared_model().experiment; }

}  // namespace softalign
