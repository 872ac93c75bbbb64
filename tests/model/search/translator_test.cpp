#include "model/search/translator.h"

#include <gtest/gtest.h>

#include "data/error.h"
#include "tests/model/search/small_models.h"

namespace softalign {
namespace {

const std::vector<std::string> kText = {
    "the cat sees the dog", "a dog eats bread",    "the bird sees a house", "green birds eat",
    "the small house",      "cats and dogs sleep", "the big green bird",    "bread and water",
    "a house by the water", "the dog eats a bird"};

Subword small_subword() {
  SubwordConfig config;
  config.kind = SubwordKind::character;
  config.vocabulary_size = 40;
  size_t line = 0;
  return Subword::train(
      config,
      [&]() -> std::optional<std::string> {
        if (line == kText.size()) return std::nullopt;
        return kText[line++];
      },
      1, [](const std::string&) {});
}

class TranslatorTest : public testing::Test {
 protected:
  /// Untrained, but with outputs that differ from source to source.
  Translator translator(uint64_t seed = 1) {
    std::vector<Seq2Seq> models{random_model(small_config(subword_.size()), seed)};
    return Translator(std::move(models), subword_, subword_);
  }

  /// As `translator`, but every output is UNK UNK … until the limit.
  Translator translator_to_unknown() {
    Seq2Seq model = random_model(small_config(subword_.size()), 1);
    const at::NoGradGuard guard;
    model->named_parameters()["output_bias"][kUnk].fill_(1000.0);
    return Translator({model}, subword_, subword_);
  }

  TranslateOptions options(int64_t beam = 2) {
    TranslateOptions options;
    options.search.beam = beam;
    options.search.max_length = 10;
    return options;
  }

  Subword subword_ = small_subword();
};

TEST_F(TranslatorTest, S01_BlankLinesStayInPlace) {
  Translator translate = translator();
  const auto found = translate.translate({"", "the cat", " \t ", "the cat", ""}, options());
  ASSERT_EQ(found.size(), 5u);
  for (const size_t blank : {0, 2, 4}) {
    EXPECT_EQ(found[blank].best().text, "");
    EXPECT_TRUE(found[blank].source_tokens.empty());
    EXPECT_TRUE(found[blank].best().finished);
  }
  EXPECT_EQ(found[1].best().ids, found[3].best().ids);
  EXPECT_FALSE(found[1].best().ids.empty());
  EXPECT_EQ(translate.translate({"", ""}, options()).size(), 2u);
  EXPECT_TRUE(translate.translate({}, options()).empty());
}

TEST_F(TranslatorTest, S05_IllFormedBytesAreRepaired) {
  Translator translate = translator();
  const auto found = translate.translate({"ab\xff\xfe"
                                          "cd",
                                          std::string("a\0b", 3)},
                                         options());
  EXPECT_EQ(found[0].source,
            "ab\uFFFD\uFFFD"
            "cd");
  EXPECT_FALSE(found[1].best().ids.empty());
}

TEST_F(TranslatorTest, S06_LongLinesAreCutAndSaidToBe) {
  TranslateOptions cut = options();
  cut.max_source_tokens = 20;
  std::string endless;
  for (int i = 0; i < 10'000; ++i) endless += "the cat ";
  const auto found = translator().translate({"the cat", endless, "the cat"}, cut);
  EXPECT_FALSE(found[0].source_cut);
  EXPECT_TRUE(found[1].source_cut);
  EXPECT_EQ(found[1].source_tokens.size(), 21u);  // with EOS
  EXPECT_EQ(found[0].best().ids, found[2].best().ids);
}

TEST_F(TranslatorTest, S26_OrderComesBackForEveryBatchSize) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < 80; ++i)
    lines.push_back(i % 4 == 3 ? "" : kText[i % kText.size()].substr(0, 3 + i % 17));
  Translator translate = translator();
  TranslateOptions with = options(3);
  with.search.nbest = 2;
  with.batch_sentences = 1;
  const auto expected = translate.translate(lines, with);
  for (const int64_t batch : {7, 64}) {
    with.batch_sentences = batch;
    const auto found = translate.translate(lines, with);
    ASSERT_EQ(found.size(), lines.size());
    for (size_t i = 0; i < lines.size(); ++i) {
      EXPECT_EQ(found[i].source, lines[i]);
      ASSERT_EQ(found[i].nbest.size(), expected[i].nbest.size());
      for (size_t k = 0; k < found[i].nbest.size(); ++k) {
        EXPECT_EQ(found[i].nbest[k].text, expected[i].nbest[k].text);
        EXPECT_NEAR(found[i].nbest[k].score, expected[i].nbest[k].score, 1e-5);
      }
    }
  }
}

TEST_F(TranslatorTest, SamplesDoNotDependOnBatches) {
  TranslateOptions with = options();
  with.search.sample = true;
  with.batch_sentences = 64;
  Translator translate = translator();
  const auto together = translate.translate(kText, with);
  for (size_t i = 0; i < kText.size(); ++i) {
    with.first_line = static_cast<int64_t>(i);
    EXPECT_EQ(translate.translate({kText[i]}, with).front().best().ids, together[i].best().ids);
  }
}

TEST_F(TranslatorTest, TokensAndAttentionFitTogether) {
  const Translation found = translator().translate({"the cat"}, options()).front();
  EXPECT_EQ(found.source_tokens.back(), "</s>");
  ASSERT_EQ(found.best().attention.size(), found.best().tokens.size());
  for (const auto& row : found.best().attention) EXPECT_EQ(row.size(), found.source_tokens.size());
}

TEST_F(TranslatorTest, S30_ScoresAreThoseOfTheSearch) {
  Translator translate = translator();
  const auto found = translate.translate(kText, options(3));
  std::vector<std::vector<int64_t>> ids;
  for (const Translation& translation : found) ids.push_back(translation.best().ids);
  const auto scored = translate.score_ids(kText, ids, options(3));
  for (size_t i = 0; i < kText.size(); ++i) {
    EXPECT_NEAR(scored[i].log_prob, found[i].best().log_prob, 1e-4);
    EXPECT_EQ(scored[i].tokens, static_cast<int64_t>(ids[i].size()));
    EXPECT_EQ(scored[i].pair.best().tokens, found[i].best().tokens);
  }
}

TEST_F(TranslatorTest, S30_AnEmptyTargetIsEosAlone) {
  Translator translate = translator();
  const auto empty = translate.score({"the cat", ""}, {"", ""}, options());
  const auto eos = translate.score_ids({"the cat", ""}, {{kEos}, {kEos}}, options());
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(empty[i].tokens, 1);
    EXPECT_LT(empty[i].log_prob, 0);
    EXPECT_DOUBLE_EQ(empty[i].log_prob, eos[i].log_prob);
  }
}

TEST_F(TranslatorTest, ScoringNeedsAsManyTargetsAsSources) {
  EXPECT_THROW(translator().score({"a", "b"}, {"a"}, options()), Error);
}

TEST_F(TranslatorTest, S32_UnknownSourceTextIsShownAsItIs) {
  const Translation found = translator().translate({"the 你 cat"}, options()).front();
  std::string shown;
  for (const std::string& token : found.source_tokens) shown += token;
  EXPECT_NE(shown.find("你"), std::string::npos);
  EXPECT_EQ(shown.find("unk"), std::string::npos);
}

TEST_F(TranslatorTest, S32_UnknownOutputIsReplacedBySourceText) {
  Translator translate = translator_to_unknown();
  const std::string text = translate.translate({"dog"}, options()).front().best().text;
  EXPECT_NE(text.find("dog"), std::string::npos);
  EXPECT_EQ(text.find("⁇"), std::string::npos);
  TranslateOptions keep = options();
  keep.keep_unknown = true;
  EXPECT_NE(translate.translate({"dog"}, keep).front().best().text.find("<unk>"),
            std::string::npos);
}

TEST_F(TranslatorTest, PrefixesBeginTheOutput) {
  const auto found =
      translator().translate({"the cat", "a dog", ""}, options(), {"bird", "", "bird"});
  EXPECT_EQ(found[0].best().text.substr(0, 4), "bird");
  EXPECT_EQ(found[2].best().text, "");
}

TEST_F(TranslatorTest, UnknownCharactersOfAPrefixStay) {
  const auto found = translator().translate({"the cat"}, options(), {"你"});
  EXPECT_EQ(found[0].best().text.find("你"), 0u);
}

}  // namespace
}  // namespace softalign
