#include "app/commands/evaluate.h"

#include <gtest/gtest.h>

#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "data/error.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

using testing::internal::CaptureStderr;
using testing::internal::GetCapturedStderr;

class Evaluate : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::string run() {
    std::ostringstream out;
    run_evaluate(options_, out);
    return out.str();
  }

  std::string error() {
    try {
      run();
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), Error::kUser);
      return error.what();
    }
    return "no error";
  }

  TempDir folder_;
  EvaluateOptions options_;
};

// Row "two lines" of the table of metrics: 25.7000, 81.8/55.6/28.6/10.0, BP 0.7613, 11 of 14.
const std::string kHypothesis = "seven ducks crossed the wide road\nwe wait in the rain\n";
const std::string kReference =
    "seven ducks cross the wide road\nwe waited for an hour in the rain\n";

TEST_F(Evaluate, PrintsScoresInTheMannerOfSacrebleu) {
  options_.hypothesis = file("hypothesis", kHypothesis);
  options_.reference = file("reference", kReference);
  EXPECT_EQ(run(),
            "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|softalign:0.1.0 = 25.70 "
            "81.8/55.6/28.6/10.0 (BP = 0.761 ratio = 0.786 hyp_len = 11 ref_len = 14)\n"
            "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|softalign:0.1.0 = 67.83\n");
}

TEST_F(Evaluate, JsonHasTheDocumentedShape) {
  options_.hypothesis = file("hypothesis", kHypothesis);
  options_.reference = file("reference", kReference);
  options_.json = true;
  const auto json = nlohmann::json::parse(run());
  EXPECT_EQ(json.size(), 3u);
  EXPECT_EQ(json["sentences"], 2);
  EXPECT_NEAR(json["bleu"]["score"], 25.7, 0.5e-4);
  EXPECT_NEAR(json["bleu"]["precisions"][3], 10.0, 1e-9);
  EXPECT_NEAR(json["bleu"]["brevity_penalty"], 0.7613, 0.5e-4);
  EXPECT_EQ(json["bleu"]["hypothesis_length"], 11);
  EXPECT_EQ(json["bleu"]["reference_length"], 14);
  EXPECT_TRUE(json["bleu"]["signature"].is_string());
  EXPECT_NEAR(json["chrf"]["score"], 67.8289, 0.5e-4);
  EXPECT_TRUE(json["chrf"]["signature"].is_string());
}

TEST_F(Evaluate, ComparesTwoOutputsByPairedBootstrap) {
  options_.hypothesis = file("a", kHypothesis);
  options_.compare = file("b", kReference);
  options_.reference = file("reference", kReference);
  options_.resamples = 20;
  options_.json = true;
  const auto json = nlohmann::json::parse(run())["comparison"];
  EXPECT_NEAR(json["bleu"]["score"], 100, 1e-9);
  EXPECT_NEAR(json["difference"], 100 - 25.7, 0.5e-4);
  EXPECT_EQ(json["p_value"], 0);  // B is better on each sentence
  EXPECT_EQ(json["resamples"], 20);
  options_.json = false;
  EXPECT_NE(run().find("B − A = +74.30 BLEU"), std::string::npos);
}

TEST_F(Evaluate, S02_OnlyNewlinesEndLines) {
  options_.hypothesis = file("hypothesis", "a\u2028b\u0085c\x0c d e\nf g h i\n");
  options_.reference = file("reference", "a b c d e\nf g h i\n");
  options_.json = true;
  const auto json = nlohmann::json::parse(run());
  EXPECT_EQ(json["sentences"], 2);
  EXPECT_NEAR(json["bleu"]["score"], 100, 1e-9);
}

TEST_F(Evaluate, S03_S04_CarriageReturnsAndByteOrderMarksChangeNothing) {
  options_.hypothesis = file("hypothesis", kHypothesis);
  options_.reference = file("reference", kReference);
  const std::string expected = run();
  options_.hypothesis =
      file("crlf", "\xef\xbb\xbf" + std::string("seven ducks crossed the wide road\r\n"
                                                "we wait in the rain"));
  EXPECT_EQ(run(), expected);
}

TEST_F(Evaluate, S05_IllFormedBytesAreScoredAndJsonStaysValid) {
  options_.hypothesis = file("hypothesis", std::string("a\0b \xff c d\n", 10));
  options_.reference = file("reference", "a b c d\n");
  options_.json = true;
  EXPECT_EQ(nlohmann::json::parse(run())["sentences"], 1);
}

TEST_F(Evaluate, S09_DifferentLineCountsNameBothFiles) {
  options_.hypothesis = file("hypothesis", "a\nb\nc\n");
  options_.reference = file("reference", "a\nb");
  const std::string text = error();
  EXPECT_NE(text.find("hypothesis has 3 lines"), std::string::npos) << text;
  EXPECT_NE(text.find("reference has 2 lines"), std::string::npos) << text;
  options_.compare = file("other", "a\n");
  options_.hypothesis = file("hypothesis", "a\nb\n");
  EXPECT_NE(error().find("other has 1 line,"), std::string::npos);
}

TEST_F(Evaluate, S12_EmptyFilesAreAnError) {
  options_.hypothesis = file("hypothesis", "");
  options_.reference = file("reference", "");
  EXPECT_NE(error().find("reference is empty"), std::string::npos);
}

TEST_F(Evaluate, S18_NumbersDoNotFollowTheLocale) {
  struct DecimalComma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  options_.hypothesis = file("hypothesis", kHypothesis);
  options_.reference = options_.compare = file("reference", kReference);
  options_.resamples = 1000;
  const std::string text = run();
  options_.json = true;
  const std::string json = run();
  const std::locale before = std::locale::global(std::locale({}, new DecimalComma));
  EXPECT_EQ(run(), json);
  options_.json = false;
  EXPECT_EQ(run(), text);
  std::locale::global(before);
}

TEST_F(Evaluate, S34_WarnsWhereWordsCannotBeSeen) {
  options_.hypothesis = options_.reference = file("reference", "我们今天去公园。\n");
  CaptureStderr();
  const std::string by_13a = run();
  EXPECT_NE(by_13a.find("= 0.00"), std::string::npos);  // one word, so no 2-gram
  options_.bleu.tokenizer = BleuTokenizer::zh;
  EXPECT_NE(run().find("tok:zh|smooth:exp|softalign:0.1.0 = 100.00"), std::string::npos);
  GetCapturedStderr();
}

TEST_F(Evaluate, RefusesOptionsThatDoNotGoTogether) {
  options_.reference = file("reference", "a\n");
  EXPECT_NE(error().find("needs a MODEL with --source"), std::string::npos);
  options_.hypothesis = options_.reference;
  options_.by_length = true;
  EXPECT_NE(error().find("--by-length needs a MODEL"), std::string::npos);
  options_.by_length = false;
  options_.models = {"model"};
  EXPECT_NE(error().find("either a MODEL or --hypothesis"), std::string::npos);
  options_.hypothesis.clear();
  EXPECT_NE(error().find("--source is needed"), std::string::npos);
  options_.source = options_.reference;
  options_.source_words = options_.reference;
  EXPECT_NE(error().find("--gold-alignment"), std::string::npos);
  options_.source_words.clear();
  options_.output = "-";
  EXPECT_NE(error().find("--output needs a file"), std::string::npos);
}

}  // namespace
}  // namespace softalign
