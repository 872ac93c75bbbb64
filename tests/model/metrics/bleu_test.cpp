#include "model/metrics/bleu.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "data/error.h"

namespace softalign {
namespace {

using Words = std::vector<std::string>;

Words words(std::string_view line, BleuTokenizer tokenizer, bool lowercase = false) {
  return tokenize(line, {tokenizer, lowercase});
}

TEST(Tokenizer13a, SeparatesPunctuationButNotApostropheOrHyphen) {
  EXPECT_EQ(
      words("It's a well-known (old) trick: \"yes\"!", BleuTokenizer::mteval13a),
      (Words{"It's", "a", "well-known", "(", "old", ")", "trick", ":", "\"", "yes", "\"", "!"}));
}

TEST(Tokenizer13a, KeepsPeriodsAndCommasBetweenDigits) {
  EXPECT_EQ(words("1,234.5 km, about 3.", BleuTokenizer::mteval13a),
            (Words{"1,234.5", "km", ",", "about", "3", "."}));
  EXPECT_EQ(words(".5 and U.S. and 7,x", BleuTokenizer::mteval13a),
            (Words{".", "5", "and", "U", ".", "S", ".", "and", "7", ",", "x"}));
}

TEST(Tokenizer13a, SplitsAHyphenAfterADigit) {
  EXPECT_EQ(words("1990-91 and A-4", BleuTokenizer::mteval13a),
            (Words{"1990", "-", "91", "and", "A-4"}));
}

TEST(Tokenizer13a, UnescapesEntitiesOneAfterTheOther) {
  EXPECT_EQ(words("&quot;a&quot; &amp;lt; <skipped>b", BleuTokenizer::mteval13a),
            (Words{"\"", "a", "\"", "<", "b"}));
}

TEST(Tokenizer13a, LeavesAChineseSentenceInOnePiece) {
  EXPECT_EQ(words("我喜欢茶。", BleuTokenizer::mteval13a), Words{"我喜欢茶。"});
}

TEST(TokenizerZh, SeparatesChineseCharactersAndWesternPunctuation) {
  EXPECT_EQ(words("我喝tea，3.5元!", BleuTokenizer::zh),
            (Words{"我", "喝", "tea", "，", "3.5", "元", "!"}));
}

TEST(TokenizerZh, KeepsTheRangesOfSacrebleu) {
  EXPECT_EQ(words("他说“好”", BleuTokenizer::zh), (Words{"他", "说", "“", "好", "”"}));
  EXPECT_EQ(words("\U00020001\U00020002", BleuTokenizer::zh), Words{"\U00020001\U00020002"});
}

TEST(TokenizerNone, SplitsAtUnicodeWhiteSpaceOnly) {
  EXPECT_EQ(words("a,b  c\u00a0d\u3000e\u2028f\u200bg", BleuTokenizer::none),
            (Words{"a,b", "c", "d", "e", "f\u200bg"}));
}

TEST(Tokenizer, LowercasesBeyondAscii) {
  EXPECT_EQ(words("Äpfel ÉTÉ", BleuTokenizer::none, true), (Words{"äpfel", "été"}));
}

TEST(Tokenizer, AcceptsIllFormedBytes) {
  for (const auto& [tokenizer, name] : kBleuTokenizerNames) {
    EXPECT_EQ(words("\xff\xfe x", tokenizer).size(), 2u) << name;
    EXPECT_EQ(words("x \xe3", tokenizer, true).size(), 2u) << name;
  }
}

TEST(Bleu, S34_CorpusScoreAddsUpCounts) {
  // Papineni's sums by hand: matches 4 + 1, 3 + 0, 2 + 0, 1 + 0 of 4 + 4, 3 + 3, 2 + 2, 1 + 1, so
  // (5/8 · 3/6 · 2/4 · 1/2)^¼ = 0.528…; the mean of the sentences' scores would be something else.
  const BleuScore score = bleu({"a b c d", "a x y z"}, {"a b c d", "a b c d"});
  EXPECT_NEAR(score.score, 100 * 0.52863, 1e-2);
  EXPECT_DOUBLE_EQ(score.precisions[0], 62.5);
  EXPECT_DOUBLE_EQ(score.precisions[3], 50.0);
}

TEST(Bleu, SumOfSentenceStatisticsIsTheCorpus) {
  const std::vector<std::string> hypotheses{"a b c d e", "", "f g a b"};
  const std::vector<std::string> references{"a b c x e", "q", "f g a b c"};
  BleuStatistics sum;
  for (size_t i = 0; i < hypotheses.size(); ++i)
    sum += bleu_statistics(hypotheses[i], references[i], {});
  EXPECT_DOUBLE_EQ(bleu(sum, {}).score, bleu(hypotheses, references).score);
}

TEST(Bleu, EmptyCorpusIsZero) {
  const BleuScore score = bleu(std::vector<std::string>{}, std::vector<std::string>{});
  EXPECT_EQ(score.score, 0);
  EXPECT_EQ(score.brevity_penalty, 1);
}

TEST(Bleu, SignatureNamesEveryChoice) {
  EXPECT_EQ(bleu(BleuStatistics{}, {})
                .signature.rfind("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|softalign:", 0),
            0u);
  EXPECT_EQ(bleu(BleuStatistics{}, {BleuTokenizer::zh, true})
                .signature.rfind("nrefs:1|case:lc|eff:no|tok:zh|smooth:exp|softalign:", 0),
            0u);
}

TEST(Bleu, LowercaseOptionIgnoresCase) {
  const std::vector<std::string> upper{"Seven Ducks Cross The Road"};
  const std::vector<std::string> lower{"seven ducks cross the road"};
  EXPECT_DOUBLE_EQ(bleu(upper, lower, {BleuTokenizer::mteval13a, true}).score, 100);
  EXPECT_EQ(bleu(upper, lower).score, 0);
}

TEST(Bleu, S09_RefusesListsOfDifferentSize) {
  EXPECT_THROW(bleu(Words{"a"}, Words{"a", "b"}), Error);
}

}  // namespace
}  // namespace softalign
