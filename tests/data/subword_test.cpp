#include "data/subword.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/error.h"
#include "data/file.h"
#include "data/sampler.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

using namespace std::string_literals;

constexpr SubwordKind kKinds[] = {SubwordKind::unigram, SubwordKind::bpe, SubwordKind::character};

std::string train_note;  // NOLINT: the last note of the trainer

Subword train(SubwordConfig config, const std::vector<std::string>& lines) {
  size_t i = 0;
  train_note.clear();
  return Subword::train(
      config, [&] { return i < lines.size() ? std::optional(lines[i++]) : std::nullopt; }, 1,
      [](const std::string& note) { train_note = note; });
}

std::vector<std::string> animal_lines() {
  const std::vector<std::string> subjects = {"the cat", "the dog", "a bird", "the small horse"};
  const std::vector<std::string> verbs = {"sees", "likes", "follows", "is not seen by"};
  std::vector<std::string> lines;
  for (const auto& a : subjects) {
    for (const auto& verb : verbs) {
      for (const auto& b : subjects) lines.push_back(a + " " + verb + " " + b + ".");
    }
  }
  return lines;
}

SubwordConfig config_of(SubwordKind kind, int64_t size, const std::string& rule = "identity") {
  SubwordConfig config;
  config.kind = kind;
  config.vocabulary_size = size;
  config.normalization = rule;
  return config;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), Error::kUser);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(Subword, SpecialIdsAreTheSameInEveryVocabulary) {
  for (const SubwordKind kind : kKinds) {
    const Subword subword = train(config_of(kind, 60), animal_lines());
    EXPECT_EQ(subword.piece(kPad), "<pad>");
    EXPECT_EQ(subword.piece(kUnk), "<unk>");
    EXPECT_EQ(subword.piece(kBos), "<s>");
    EXPECT_EQ(subword.piece(kEos), "</s>");
    EXPECT_LE(subword.size(), 60);
  }
}

TEST(Subword, DecodeIsTheInverseOfEncode) {
  constexpr uint64_t kSeed = 17;
  SCOPED_TRACE("seed " + std::to_string(kSeed));
  for (const SubwordKind kind : kKinds) {
    const Subword subword = train(config_of(kind, 60), animal_lines());
    std::mt19937_64 random(kSeed);
    const std::string letters = "catdogbirhesmlknwy.";
    for (int round = 0; round < 200; ++round) {
      std::string text;
      for (uint64_t word = uniform(6, random) + 1; word > 0; --word) {
        for (uint64_t k = uniform(7, random) + 1; k > 0; --k) {
          text += letters[uniform(letters.size(), random)];
        }
        if (word > 1) text += ' ';
      }
      const auto pieces = subword.encode_pieces(text);
      const auto unknown = [&pieces](size_t i) { return pieces[i].surface; };
      EXPECT_EQ(subword.decode(subword.encode(text), unknown), text);
      const auto sampled = subword.sample(text, 0.3, random);
      if (std::count(sampled.begin(), sampled.end(), kUnk) == 0) {
        EXPECT_EQ(subword.decode(sampled), text);
      }
    }
  }
}

TEST(Subword, PiecesHaveTheIdsOfEncode) {
  const Subword subword = train(config_of(SubwordKind::unigram, 60), animal_lines());
  const std::string text = "the cat likes \xe4\xbd\xa0\xe5\xa5\xbd birds";
  std::vector<int64_t> ids;
  for (const Piece& piece : subword.encode_pieces(text)) ids.push_back(piece.id);
  EXPECT_EQ(ids, subword.encode(text));
}

TEST(Subword, S32_UnknownCharactersKeepTheirText) {
  const Subword subword = train(config_of(SubwordKind::unigram, 60), animal_lines());
  const auto pieces = subword.encode_pieces("the \xe4\xbd\xa0 cat");
  const auto unknown = std::find_if(pieces.begin(), pieces.end(),
                                    [](const Piece& piece) { return piece.id == kUnk; });
  ASSERT_NE(unknown, pieces.end());
  EXPECT_EQ(unknown->surface, "\xe4\xbd\xa0");
  const auto ids = subword.encode("the \xe4\xbd\xa0 cat");
  EXPECT_EQ(subword.decode(ids), "the cat");
  EXPECT_EQ(subword.decode(ids, [](size_t) { return "you"s; }), "the you cat");
}

TEST(Subword, S08_SpecialTokensInTheTextAreText) {
  for (const SubwordKind kind : kKinds) {
    auto lines = animal_lines();
    lines.push_back("a </s> b <pad> <unk> <s> c");
    const Subword subword = train(config_of(kind, 100), lines);
    for (const auto& text : {"a </s> b"s, "<pad>"s, "<unk>"s, "<s>"s, "</s>"s}) {
      const auto ids = subword.encode(text);
      for (const int64_t id : ids) EXPECT_GT(id, kEos) << text;
      EXPECT_EQ(subword.decode(ids), text);
      std::mt19937_64 random(1);
      for (const int64_t id : subword.sample(text, 0.5, random)) EXPECT_GT(id, kEos) << text;
    }
  }
}

TEST(Subword, S08_TheSpaceMarkInTheTextIsText) {
  auto lines = animal_lines();
  lines.push_back(
      "a\xe2\x96\x81"
      "b _ c");
  const Subword subword = train(config_of(SubwordKind::unigram, 100), lines);
  EXPECT_EQ(subword.decode(subword.encode("a\xe2\x96\x81"
                                          "b")),
            "a_b");
  EXPECT_EQ(subword.decode(subword.encode("\xe2\x96\x81")), "_");
}

TEST(Subword, ReservedSignsOfTheTrainerLoseNoLine) {
  const std::vector<std::string> lines = {"\xe2\x96\x85 x", "\xe2\x81\x87 y", "a\tz"};
  const Subword subword = train(config_of(SubwordKind::character, 100), lines);
  for (const char* text : {"x", "y", "z"}) EXPECT_GT(subword.encode(text).back(), kEos) << text;
}

TEST(Subword, S11_TooLargeAVocabularyBecomesWhatIsPossible) {
  for (const SubwordKind kind : kKinds) {
    const Subword subword = train(config_of(kind, 5000), {"hello"});
    // <pad> <unk> <s> </s> h e l o ▁ are 9; BPE adds merges.
    if (kind != SubwordKind::bpe) {
      EXPECT_EQ(subword.size(), 9);
    }
    EXPECT_NE(train_note.find("5000"), std::string::npos);
    EXPECT_NE(train_note.find(std::to_string(subword.size())), std::string::npos);
    EXPECT_EQ(subword.decode(subword.encode("hello")), "hello");
  }
}

TEST(Subword, S11_TooSmallAVocabularyNamesTheLeastSize) {
  // 26 letters, ▁ and four special pieces.
  const std::string pangram = "the quick brown fox jumps over a lazy dog";
  for (const SubwordKind kind : kKinds) {
    const std::string message = message_of([&] { train(config_of(kind, 10), {pangram}); });
    EXPECT_NE(message.find("10"), std::string::npos) << message;
    EXPECT_NE(message.find("31"), std::string::npos) << message;
    const Subword least = train(config_of(kind, 31), {pangram});
    EXPECT_EQ(least.size(), 31);
    EXPECT_TRUE(train_note.empty());
  }
}

TEST(Subword, S11_OneCharacterIsEnough) {
  for (const SubwordKind kind : kKinds) {
    const Subword subword = train(config_of(kind, 100), {"", "a", " "});
    EXPECT_EQ(subword.decode(subword.encode("a a")), "a a");
  }
}

TEST(Subword, NoTextIsAnError) {
  for (const auto& lines : {std::vector<std::string>{}, {"", "  ", "\t"}}) {
    EXPECT_NE(message_of([&] { train({}, lines); }).find("no text"), std::string::npos);
  }
  EXPECT_NE(message_of([] {
              train(config_of(SubwordKind::unigram, 50, "nmt_nfkc"), {"\xff"});
            }).find("no text"),
            std::string::npos);
}

TEST(Subword, UnknownNormalizationIsNamed) {
  const auto message = message_of([] { train(config_of(SubwordKind::bpe, 50, "nfcc"), {"a"}); });
  EXPECT_NE(message.find("'nfcc'"), std::string::npos) << message;
  EXPECT_NE(message.find("nmt_nfkc"), std::string::npos) << message;
}

TEST(Subword, S06_LongLinesCount) {
  std::string line;
  for (int i = 0; i < 5000; ++i) line += "word ";
  const Subword subword = train(config_of(SubwordKind::unigram, 100), {line + "Z"});
  EXPECT_GT(subword.encode("Z").back(), kEos);
}

TEST(Subword, S07_TheRuleDecidesAboutFullWidthPunctuation) {
  const std::vector<std::string> lines = {"你好，世界！", "你们好，朋友！"};
  const Subword kept = train(config_of(SubwordKind::character, 100), lines);
  EXPECT_EQ(kept.decode(kept.encode("你好，世界！")), "你好，世界！");
  const Subword folded = train(config_of(SubwordKind::character, 100, "nmt_nfkc"), lines);
  EXPECT_EQ(folded.decode(folded.encode("你好，世界！")), "你好,世界!");
}

TEST(Subword, S07_ComposedAndDecomposedAreTheSame) {
  const Subword subword = train(config_of(SubwordKind::unigram, 100), {"un caf\xc3\xa9 noir"});
  EXPECT_EQ(subword.encode("cafe\xcc\x81"), subword.encode("caf\xc3\xa9"));
  EXPECT_EQ(subword.encode("ca\xe2\x80\x8b"
                           "f\xc3\xa9"),
            subword.encode("caf\xc3\xa9"));
}

TEST(Subword, DigitsCanBeSplit) {
  SubwordConfig config = config_of(SubwordKind::bpe, 100);
  config.split_digits = true;
  const Subword subword = train(config, {"in 1984 and 1984 and 1984"});
  for (int64_t id = 4; id < subword.size(); ++id) {
    const std::string piece = subword.piece(id);
    EXPECT_LE(
        std::count_if(piece.begin(), piece.end(), [](char c) { return c >= '0' && c <= '9'; }), 1)
        << piece;
  }
}

TEST(Subword, WordsAreSeparatedBySpaces) {
  const Subword subword = train(config_of(SubwordKind::character, 100), animal_lines());
  const auto pieces = subword.encode_pieces("a cat.");
  std::vector<int64_t> words;
  std::string surfaces;
  for (const Piece& piece : pieces) words.push_back(piece.word), surfaces += piece.surface + "|";
  EXPECT_EQ(surfaces, "|a||c|a|t|.|");  // ▁ a ▁ c a t .
  EXPECT_EQ(words, (std::vector<int64_t>{0, 0, 1, 1, 1, 1, 1}));
}

TEST(Subword, EveryPieceOfChineseIsAWord) {
  const Subword subword = train(config_of(SubwordKind::character, 100), {"我有 abc 只猫。"});
  const auto pieces = subword.encode_pieces("我有abc只猫。");
  std::vector<int64_t> words;
  for (const Piece& piece : pieces) words.push_back(piece.word);
  EXPECT_EQ(words, (std::vector<int64_t>{0, 0, 1, 2, 2, 2, 3, 4, 5}));  // ▁ 我 有 a b c 只 猫 。
}

TEST(Subword, PiecesFindTheirWordsInTokenisedText) {
  const Subword subword = train(config_of(SubwordKind::character, 100), {"我们喜欢音乐。", "a b."});
  const auto pieces = subword.encode_pieces("我们喜欢音乐。");
  EXPECT_EQ(subword.words_of_pieces(pieces, "我们 喜欢 音乐 。"),
            (std::vector<int64_t>{0, 0, 0, 1, 1, 2, 2, 3}));
  const auto latin = subword.encode_pieces("a b.");
  EXPECT_EQ(subword.words_of_pieces(latin, "a b ."), (std::vector<int64_t>{0, 0, 1, 1, 2}));
}

TEST(Subword, WordsAreFoundWhereNormalisingChangesTheText) {
  const Subword subword =
      train(config_of(SubwordKind::character, 100, "nmt_nfkc"), {"abc,你好! 1/2 ffi fi m"});
  // ﬁ (one ligature) becomes f i, ， becomes a comma.
  const auto pieces = subword.encode_pieces("\xef\xac\x81m，你好！");
  std::string surfaces;
  for (const Piece& piece : pieces) surfaces += piece.surface;
  EXPECT_EQ(surfaces, "fim,你好!");
  EXPECT_EQ(subword.words_of_pieces(pieces, "\xef\xac\x81m ， 你好 ！"),
            (std::vector<int64_t>{0, 0, 0, 0, 1, 2, 2, 3}));
}

TEST(Subword, WordsAreFoundAroundTextThatDiffers) {
  const Subword subword = train(config_of(SubwordKind::character, 100), {"abcdefg xyz"});
  const auto pieces = subword.encode_pieces("abc de fg");  // ▁abc▁de▁fg
  // The tokenised line has another spelling in the middle and a word of its own at the end.
  EXPECT_EQ(subword.words_of_pieces(pieces, "abc xy fg z"),
            (std::vector<int64_t>{0, 0, 0, 0, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(subword.words_of_pieces(pieces, ""), std::vector<int64_t>(pieces.size(), 0));
  EXPECT_TRUE(subword.words_of_pieces({}, "a b").empty());
}

TEST(Subword, SamplingVariesButReadsTheSame) {
  for (const SubwordKind kind : {SubwordKind::unigram, SubwordKind::bpe}) {
    const Subword subword = train(config_of(kind, 60), animal_lines());
    const std::string text = "the small horse follows the cat.";
    std::mt19937_64 random(1), again(1);
    std::vector<std::vector<int64_t>> samples;
    for (int i = 0; i < 20; ++i) {
      samples.push_back(subword.sample(text, 0.3, random));
      EXPECT_EQ(subword.sample(text, 0.3, again), samples.back());
      EXPECT_EQ(subword.decode(samples.back()), text);
    }
    std::sort(samples.begin(), samples.end());
    EXPECT_GT(std::unique(samples.begin(), samples.end()) - samples.begin(), 3);
  }
}

TEST(Subword, SamplingAtItsLimitIsEncode) {
  const auto lines = animal_lines();
  const Subword unigram = train(config_of(SubwordKind::unigram, 60), lines);
  const Subword bpe = train(config_of(SubwordKind::bpe, 60), lines);
  std::mt19937_64 random(1);
  for (const std::string& line : {lines[0], lines[20], "the xyz \xe4\xbd\xa0\xe5\xa5\xbd cats"s}) {
    EXPECT_EQ(unigram.sample(line, 1000.0, random), unigram.encode(line));
    EXPECT_EQ(bpe.sample(line, 0.0, random), bpe.encode(line));
  }
}

TEST(Subword, BytesComeBackAndTheSameCorpusGivesTheSameModel) {
  for (const SubwordKind kind : kKinds) {
    const Subword subword = train(config_of(kind, 60), animal_lines());
    const TempDir folder;
    write_atomically(folder / "my dir, ünï" / "数据.spm", subword.bytes());
    const Subword loaded = Subword::load(folder / "my dir, ünï" / "数据.spm");
    EXPECT_EQ(loaded.bytes(), subword.bytes());
    EXPECT_EQ(loaded.digest(), sha256(subword.bytes()));
    EXPECT_EQ(loaded.encode("the cat"), subword.encode("the cat"));
    EXPECT_EQ(train(config_of(kind, 60), animal_lines()).bytes(), subword.bytes());
  }
}

TEST(Subword, S21_OtherFilesAreRefusedByName) {
  const std::string bytes = train(config_of(SubwordKind::bpe, 60), animal_lines()).bytes();
  for (const std::string& other : {""s, "hello world\n"s, "\x1f\x8b\x08"s, bytes.substr(0, 100),
                                   bytes.substr(0, bytes.size() / 2), std::string(500, '\0')}) {
    const auto message = message_of([&] { Subword::from_bytes(other, "some.spm"); });
    EXPECT_NE(message.find("some.spm"), std::string::npos) << message;
  }
  EXPECT_NE(message_of([] { Subword::load("/nonexistent/x.spm"); }).find("/nonexistent/x.spm"),
            std::string::npos);
}

TEST(Subword, S21_ATruncatedModelNeverCrashes) {
  const std::string bytes = train(config_of(SubwordKind::character, 60), {"hello"}).bytes();
  for (size_t size = 0; size < bytes.size(); ++size) {
    try {
      Subword::from_bytes(bytes.substr(0, size), "cut").encode("hello");
    } catch (const Error&) {
    }
  }
}

}  // namespace
}  // namespace softalign
