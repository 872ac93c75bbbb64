#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/commands/evaluate.h"
#include "app/model_directory.h"
#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"
#include "model/search/translator.h"
#include "model/training/checkpoint.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

/// A model directory with random weights over single characters.
void write_model(const std::filesystem::path& folder, uint64_t seed) {
  ExperimentConfig config;
  config.subword.source.kind = config.subword.target.kind = SubwordKind::character;
  const std::vector<std::string> lines{"a b c d e f g h", "我 们 好 吗", "h g f e d c b a"};
  const auto train = [&](const SubwordConfig& subword) {
    size_t next = 0;
    return Subword::train(
        subword,
        [&]() -> std::optional<std::string> {
          return next < lines.size() ? std::optional(lines[next++]) : std::nullopt;
        },
        1, [](const std::string&) {});
  };
  const Vocabularies subwords{train(config.subword.source), train(config.subword.target)};
  config.model.source_vocabulary = subwords.source.size();
  config.model.target_vocabulary = subwords.target.size();
  config.model.source_embedding = config.model.target_embedding = 8;
  config.model.encoder.hidden = config.model.decoder.hidden = 8;
  config.translation.search.beam = 2;
  const ModelDirectory directory{folder};
  std::filesystem::create_directories(folder);
  save_vocabularies(directory, false, subwords);
  write_atomically(directory.config(), to_yaml(config, false));
  at::manual_seed(seed);
  save_weights(Seq2Seq(config.model), directory.best(),
               {{"source_vocabulary", subwords.source.digest()},
                {"target_vocabulary", subwords.target.digest()}});
}

class EvaluateModel : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    models_ = std::make_unique<TempDir>();
    write_model(*models_ / "one", 1);
    write_model(*models_ / "two", 2);
  }
  static void TearDownTestSuite() { models_.reset(); }

  EvaluateModel() {
    options_.models = {*models_ / "one"};
    options_.json = true;
    options_.threads = 1;
  }

  std::filesystem::path file(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  nlohmann::json run() {
    std::ostringstream out;
    run_evaluate(options_, out);
    return nlohmann::json::parse(out.str());
  }

  std::string error() {
    try {
      run();
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  static std::unique_ptr<TempDir> models_;
  TempDir folder_;
  EvaluateOptions options_;
};

std::unique_ptr<TempDir> EvaluateModel::models_;

TEST_F(EvaluateModel, ScoresWhatTranslateWrites) {
  options_.source = file("source", "a b c\n\nd e\n");
  options_.reference = file("reference", "c b a\nx\ne d\n");
  options_.output = folder_ / "output";
  const auto json = run();
  EXPECT_EQ(json["sentences"], 3);

  LoadedModel model = load_model(options_.models);
  TranslateOptions translate;
  translate.search = model.config.translation.search;
  const auto expected = model.translator->translate({"a b c", "", "d e"}, translate);
  std::string text;
  for (const Translation& translation : expected) text += translation.best().text + "\n";
  EXPECT_EQ(read_bytes(options_.output), text);

  EvaluateOptions by_file;
  by_file.hypothesis = options_.output;
  by_file.reference = options_.reference;
  by_file.json = true;
  std::ostringstream out;
  run_evaluate(by_file, out);
  EXPECT_EQ(json["chrf"], nlohmann::json::parse(out.str())["chrf"]);
}

TEST_F(EvaluateModel, PerplexityIsOfTheGivenReferences) {
  options_.models = {*models_ / "one", *models_ / "two"};  // an ensemble
  options_.source = file("source", "a b c\n我 们\n\n");
  options_.reference = file("reference", "c b\n好 吗 a\n\n");
  LoadedModel model = load_model(options_.models);
  const auto scored = model.translator->score({"a b c", "我 们"}, {"c b", "好 吗 a"}, {});
  const double tokens = static_cast<double>(scored[0].tokens + scored[1].tokens);
  const double expected = std::exp(-(scored[0].log_prob + scored[1].log_prob) / tokens);
  const double perplexity = run()["perplexity"];
  EXPECT_NEAR(perplexity, expected, 1e-4 * expected);
}

TEST_F(EvaluateModel, TokenAccuracyCountsTheMostProbableTokens) {
  options_.source = file("source", "a b c\nd\n");
  options_.reference = file("reference", "c b a\nh h h h\n");
  LoadedModel loaded = load_model(options_.models);
  Seq2Seq& model = loaded.translator->models().front();
  const at::NoGradGuard no_grad;
  int64_t correct = 0, tokens = 0;
  const std::vector<std::pair<std::string, std::string>> pairs{{"a b c", "c b a"},
                                                               {"d", "h h h h"}};
  for (const auto& [source, target] : pairs) {
    const SourceBatch batch =
        make_source_batch({loaded.translator->source_subword().encode(source)});
    Memory memory = model->encode(batch.ids, batch.lengths);
    DecoderState state = model->start(memory);
    std::vector<int64_t> ids = loaded.translator->target_subword().encode(target);
    ids.push_back(kEos);
    int64_t previous = kBos;
    for (const int64_t id : ids) {
      auto step = model->step(at::full({1}, previous, at::kLong), state, memory);
      const at::Tensor log_probs = model->log_probs(step.attended.attentional_state).flatten();
      correct += log_probs.argmax().item<int64_t>() == id ? 1 : 0;
      ++tokens;
      state = step.state;
      previous = id;
    }
  }
  EXPECT_NEAR(run()["token_accuracy"], static_cast<double>(correct) / static_cast<double>(tokens),
              1e-12);
}

TEST_F(EvaluateModel, AlignmentErrorRateOfASourceOfOneWord) {
  // Every target word can only look at the one source word: A = {00, 01, 02}. With S = {00} and
  // P = {00, 01}: precision 2/3, recall 1, AER 1 − (1 + 2)/(3 + 1).
  options_.source = file("source", "我们\n");
  options_.reference = file("reference", "a b c\n");
  options_.source_words = file("words", "我们\n");
  options_.gold_alignment = file("gold", "0-0 0?1\n");
  const auto json = run()["alignment"];
  EXPECT_NEAR(json["precision"], 2.0 / 3, 1e-12);
  EXPECT_NEAR(json["recall"], 1, 1e-12);
  EXPECT_NEAR(json["aer"], 0.25, 1e-12);
}

TEST_F(EvaluateModel, AlignmentCountsTheTokenisedWordsWhereTheyAreGiven) {
  options_.source = file("source", "我们\n");
  options_.reference = file("reference", "ab\n");
  options_.gold_alignment = file("gold", "1-1\n");
  EXPECT_NE(error().find("gold:1: the link 1-1 points beside the words: the source has 1"),
            std::string::npos);
  options_.source_words = file("source_words", "我 们\n");
  options_.target_words = file("target_words", "a b\n");
  EXPECT_TRUE(run()["alignment"]["aer"].is_number());
}

TEST_F(EvaluateModel, ByLengthPutsEverySentenceIntoOneBucket) {
  options_.source = file("source", "a b\na b c d e f g h a b c d e f g h\na\n");
  options_.reference = file("reference", "b a\nh g f e d c b a h g f e d c b a\n\n");
  options_.by_length = true;
  const auto buckets = run()["by_length"];
  int64_t sentences = 0;
  for (const auto& bucket : buckets) {
    sentences += bucket["sentences"].get<int64_t>();
    EXPECT_EQ(bucket["unit"], "source pieces");
    EXPECT_TRUE(bucket["bleu"].is_number());
  }
  EXPECT_EQ(sentences, 3);
  EXPECT_GE(buckets.size(), 2u);
  EXPECT_EQ(buckets[0]["first"], 0);
  EXPECT_EQ(buckets[0]["last"], 10);
}

TEST_F(EvaluateModel, BatchSizeChangesNothing) {
  options_.source = file("source", "a b c\nd e f g h\n\nh\n我 们\n");
  options_.reference = file("reference", "c\ne d\nx\nh\n好\n");
  options_.batch = 1;
  const auto alone = run();
  options_.batch = 64;
  const auto together = run();
  EXPECT_EQ(alone["bleu"], together["bleu"]);
  EXPECT_NEAR(alone["perplexity"], together["perplexity"], 1e-3);
}

TEST_F(EvaluateModel, S09_GoldAlignmentsBelongLineByLine) {
  options_.source = file("source", "a\nb\n");
  options_.reference = file("reference", "a\nb\n");
  options_.gold_alignment = file("gold", "0-0\n");
  const std::string text = error();
  EXPECT_NE(text.find("source has 2 lines"), std::string::npos) << text;
  EXPECT_NE(text.find("gold has 1 line"), std::string::npos) << text;
  options_.gold_alignment = file("gold", "0-0\n0:0\n");
  EXPECT_NE(error().find("gold:2:"), std::string::npos);
}

TEST_F(EvaluateModel, S12_BlankPairsAloneHaveNoPerplexity) {
  options_.source = file("source", "\n\n");
  options_.reference = file("reference", "\n\n");
  const auto json = run();
  EXPECT_FALSE(json.contains("perplexity"));
  EXPECT_EQ(json["bleu"]["score"], 0);
}

}  // namespace
}  // namespace softalign
