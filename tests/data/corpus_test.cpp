#include "data/corpus.h"

#include <gtest/gtest.h>

#include <fstream>

#include "data/error.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

using namespace std::string_literals;

/// Files of a parallel corpus in a folder of their own.
class CorpusFiles {
 public:
  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  ParallelFiles pair(const std::string& source, const std::string& target) const {
    ParallelFiles files;
    files.source = {write("train.src", source)};
    files.target = {write("train.tgt", target)};
    return files;
  }

 private:
  TempDir folder_;
};

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

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Subword character_model(const std::vector<std::string>& lines) {
  SubwordConfig config;
  config.kind = SubwordKind::character;
  config.normalization = "identity";
  size_t i = 0;
  return Subword::train(
      config, [&] { return i < lines.size() ? std::optional(lines[i++]) : std::nullopt; }, 1, {});
}

TEST(Corpus, ReadsPairsAndSeveralFilesPerSide) {
  const CorpusFiles files;
  ParallelFiles parallel;
  parallel.source = {files.write("1.src", "a\nb\n"), files.write("2.src", "c")};
  parallel.target = {files.write("1.tgt", "A\n"), files.write("2.tgt", "B\nC\n")};
  const Corpus corpus = read_corpus(parallel);
  ASSERT_EQ(corpus.pairs.size(), 3u);
  EXPECT_EQ(corpus.pairs[1].source, "b");
  EXPECT_EQ(corpus.pairs[1].target, "B");
  EXPECT_EQ(corpus.report.lines, 3);
  EXPECT_EQ(corpus.report.kept, 3);
}

TEST(Corpus, S09_DifferentCountsAreAnErrorWithBoth) {
  const CorpusFiles files;
  const std::string longer = "1\n2\n3\n4\n5\n", shorter = "1\n2\n3\n4";
  for (const bool swap : {false, true}) {
    const auto parallel = swap ? files.pair(shorter, longer) : files.pair(longer, shorter);
    const std::string message = message_of([&] { read_corpus(parallel); });
    EXPECT_TRUE(has(message, swap ? "train.src has 4 lines" : "train.src has 5 lines")) << message;
    EXPECT_TRUE(has(message, swap ? "train.tgt has 5 lines" : "train.tgt has 4 lines")) << message;
  }
}

TEST(Corpus, S09_AlignmentAndWordsCountToo) {
  const CorpusFiles files;
  ParallelFiles parallel = files.pair("a\nb\n", "A\nB\n");
  parallel.alignment = {files.write("gold.align", "0-0\n")};
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "gold.align has 1 line"));
  parallel.alignment = {files.write("gold.align", "0-0\n\n\n")};
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "gold.align has 3 lines"));
  parallel.alignment.clear();
  parallel.source_words = {files.write("words", "a\nb\nc\n")};
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "words has 3 lines"));
}

TEST(Corpus, OneSideAloneIsAnError) {
  const CorpusFiles files;
  ParallelFiles parallel;
  parallel.source = {files.write("only.src", "a\n")};
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "only.src"));
  EXPECT_TRUE(read_corpus({}).pairs.empty());
}

TEST(Corpus, S02_ForeignLineEndsDoNotShiftPairs) {
  const CorpusFiles files;
  for (const std::string& other : {"\xe2\x80\xa8"s, "\xe2\x80\xa9"s, "\xc2\x85"s, "\f"s, "\v"s}) {
    const Corpus corpus = read_corpus(files.pair("a" + other + "b\nc\n", "A\nC\n"));
    ASSERT_EQ(corpus.pairs.size(), 2u);
    EXPECT_EQ(corpus.pairs[0].source, "a b");
    EXPECT_EQ(corpus.pairs[1].target, "C");
  }
}

TEST(Corpus, S03_S04_CrlfAndByteOrderMarkOnOneSideChangeNothing) {
  const CorpusFiles files;
  const Corpus corpus = read_corpus(files.pair("\xef\xbb\xbfhello\r\nworld\r\n", "hallo\nwelt\n"));
  EXPECT_EQ(corpus.pairs[0].source, "hello");
  EXPECT_EQ(corpus.pairs[1].source, "world");
}

TEST(Corpus, BlankSidesAreDroppedAndCountedInTraining) {
  const CorpusFiles files;
  const auto parallel = files.pair("a\n\n \nd\n", "A\nB\nC\n\t\n");
  const Corpus training = read_corpus(parallel);
  EXPECT_EQ(training.report.empty, 3);
  EXPECT_EQ(training.report.kept, 1);
  ReadOptions options;
  options.training = false;
  EXPECT_EQ(read_corpus(parallel, options).pairs.size(), 4u);
}

std::string repeated(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += line + std::to_string(i) + "\n";
  return text;
}

TEST(Corpus, S05_PairsOfBadBytesAreDroppedCountedAndPlaced) {
  const CorpusFiles files;
  const auto parallel = files.pair(repeated("x", 39) + "ab\xff\xfe\n", repeated("y", 40));
  const Corpus corpus = read_corpus(parallel);
  EXPECT_EQ(corpus.report.invalid_utf8, 1);
  EXPECT_EQ(corpus.report.kept, 39);
  ASSERT_TRUE(corpus.report.first_invalid);
  EXPECT_EQ(corpus.report.first_invalid->file, parallel.source[0]);
  EXPECT_EQ(corpus.report.first_invalid->line, 40);
  EXPECT_EQ(corpus.report.first_invalid->byte, 2);
  ReadOptions options;
  options.training = false;
  EXPECT_EQ(read_corpus(parallel, options).pairs[39].source, "ab\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(Corpus, S05_AWrongEncodingStopsTheRun) {
  const CorpusFiles files;
  // 5 % of 40 are 2; the third is too many.
  const std::string bad = "caf\xe9\n";
  EXPECT_NO_THROW(read_corpus(files.pair(repeated("x", 38) + bad + bad, repeated("y", 40))));
  const std::string message = message_of(
      [&] { read_corpus(files.pair(repeated("x", 37) + bad + bad + bad, repeated("y", 40))); });
  EXPECT_TRUE(has(message, "train.src:38: byte 4")) << message;
  EXPECT_TRUE(has(message, "3 of 40")) << message;
}

TEST(Corpus, DuplicatesAreCountedAndDroppedOnRequest) {
  const CorpusFiles files;
  const auto parallel = files.pair("a\na\na\nb\nc\n", "A\nA\nX\nB\nc\n");
  const Corpus kept = read_corpus(parallel);
  EXPECT_EQ(kept.report.duplicates, 1);
  EXPECT_EQ(kept.report.kept, 5);
  EXPECT_EQ(kept.report.same_on_both_sides, 1);
  ReadOptions options;
  options.drop_duplicates = true;
  const Corpus dropped = read_corpus(parallel, options);
  EXPECT_EQ(dropped.report.kept, 4);
  EXPECT_EQ(dropped.report.duplicates, 1);
}

TEST(Corpus, LinksAreReadAndCheckedAgainstTheWords) {
  const CorpusFiles files;
  ParallelFiles parallel = files.pair("a b\nc\n", "A\nC D\n");
  parallel.alignment = {files.write("gold.align", "1-0\n\n")};
  const Corpus corpus = read_corpus(parallel);
  EXPECT_EQ(corpus.pairs[0].links, (std::vector<Link>{{1, 0, true}}));
  EXPECT_TRUE(corpus.pairs[1].links.empty());
  files.write("gold.align", "1-0\n0-2\n");
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "gold.align:2: link 0-2"));
  files.write("gold.align", "1-0\n0:2\n");
  EXPECT_TRUE(has(message_of([&] { read_corpus(parallel); }), "gold.align:2: '0:2'"));
}

TEST(Corpus, S13_AnyPath) {
  const TempDir folder;
  const auto base = folder / "my dir, ünï" / "数据 1";
  std::filesystem::create_directories(base);
  std::ofstream(base / "a") << "x\n";
  std::ofstream(base / "b") << "y\n";
  ParallelFiles parallel;
  parallel.source = {base / "a"};
  parallel.target = {base / "b"};
  EXPECT_EQ(read_corpus(parallel).pairs.size(), 1u);
}

TEST(EncodedCorpus, CountsTokensUnknownsAndLongPairs) {
  const CorpusFiles files;
  const Corpus corpus = read_corpus(files.pair("ab\nabababab\naz\n", "b\nb\nbb\n"));
  const Subword subword = character_model({"ab"});
  const EncodedCorpus encoded = encode_corpus(corpus, subword, subword, 5);
  EXPECT_EQ(encoded.lines, (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(encoded.report.too_long, 1);
  EXPECT_EQ(encoded.report.kept, 2);
  EXPECT_EQ(encoded.report.source_tokens, 6);  // ▁ab, ▁a and an unknown
  EXPECT_EQ(encoded.report.source_unknown, 1);
  EXPECT_EQ(encoded.report.target_tokens, 5);
  const CorpusStatistics facts = statistics(encoded);
  EXPECT_EQ(facts.pairs, 2);
  EXPECT_EQ(facts.longest_source, 3);
  EXPECT_DOUBLE_EQ(facts.mean_target, 2.5);
  EXPECT_DOUBLE_EQ(facts.unknown_rate_source, 1.0 / 6.0);
  EXPECT_EQ(facts.source_lengths, (std::vector<int64_t>{0, 0, 0, 2}));
  EXPECT_EQ(facts.target_lengths, (std::vector<int64_t>{0, 0, 1, 1}));
  EXPECT_EQ(encode_corpus(corpus, subword, subword, 0).pairs.size(), 3u);
}

TEST(EncodedCorpus, StatisticsOfNothingAreZero) {
  const CorpusStatistics facts = statistics({});
  EXPECT_EQ(facts.longest_source, 0);
  EXPECT_EQ(facts.mean_source, 0.0);
  EXPECT_EQ(facts.unknown_rate_target, 0.0);
}

TEST(EncodedCorpus, LinksOverWordsBecomeLinksOverPieces) {
  const CorpusFiles files;
  ParallelFiles parallel = files.pair("我们来\n", "we come\n");
  parallel.source_words = {files.write("words", "我们 来\n")};
  parallel.alignment = {files.write("gold", "0-0 1-1\n")};
  const Subword chinese = character_model({"我们来"}), english = character_model({"we come"});
  const auto encoded = encode_corpus(read_corpus(parallel), chinese, english, 0);
  // Source ▁ 我 们 来 with words 0 0 0 1; target ▁ w e ▁ c o m e with words 0 0 0 1 1 1 1 1.
  std::vector<Link> expected;
  for (int64_t t = 0; t < 3; ++t) {
    for (int64_t i = 0; i < 3; ++i) expected.push_back({i, t, true});
  }
  for (int64_t t = 3; t < 8; ++t) expected.push_back({3, t, true});
  EXPECT_EQ(encoded.pairs[0].links, expected);
}

// A no-break space is no border of words in the file, but becomes a space when the text is cleaned.
TEST(EncodedCorpus, LinksCountTheWordsOfTheFileNotOfTheCleanedText) {
  const CorpusFiles files;
  ParallelFiles parallel = files.pair(
      "a\xc2\xa0"
      "b c\n",
      "x\n");
  parallel.alignment = {files.write("gold", "1-0\n")};
  const Subword subword = character_model({"a b c x"});
  const auto encoded = encode_corpus(read_corpus(parallel), subword, subword, 0);
  // ▁ a ▁ b | ▁ c against ▁ x
  EXPECT_EQ(encoded.pairs[0].links,
            (std::vector<Link>{{4, 0, true}, {5, 0, true}, {4, 1, true}, {5, 1, true}}));
}

TEST(Corpus, OverlapCountsExactText) {
  const CorpusFiles files;
  const Corpus train = read_corpus(files.pair("a\nb\n", "A\nB\n"));
  const Corpus test = read_corpus(files.pair("a\na\nx\nz\n", "A\nX\nB\nZ\n"));
  const Overlap common = overlap(train, test);
  EXPECT_EQ(common.source, 2);
  EXPECT_EQ(common.target, 2);
  EXPECT_EQ(common.both, 1);
}

}  // namespace
}  // namespace softalign
