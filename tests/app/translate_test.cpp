#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

ProcessResult translate(const std::string& input, std::vector<std::string> arguments = {}) {
  arguments.insert(arguments.begin(), {"translate", tiny_model().string(), "--threads", "1"});
  ProcessOptions options;
  options.input = input;
  return run_softalign(arguments, options);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<nlohmann::json> objects_of(const std::string& text) {
  std::vector<nlohmann::json> objects;
  for (const std::string& line : lines_of(text)) objects.push_back(nlohmann::json::parse(line));
  return objects;
}

TEST(Translate, WordsThatItHasLearnt) {
  const ProcessResult result = translate("red dog\n", {"--beam", "3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "rouge chien\n");
}

TEST(Translate, S01_BlankLinesStayInPlace) {
  const auto lines = lines_of(translate("red dog\n\n\nred dog\n", {"--batch", "2"}).out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0], lines[3]);
  EXPECT_EQ(lines[1] + lines[2], "");
  EXPECT_EQ(translate("\n\n").out, "\n\n");
}

TEST(Translate, S02_OnlyNewlinesEndLines) {
  for (const char* inner : {"\u2028", "\u2029", "\u0085", "\f", "\v"}) {
    const std::string out = translate("red" + std::string(inner) + "dog\ncat\n").out;
    EXPECT_EQ(std::count(out.begin(), out.end(), '\n'), 2);
  }
}

TEST(Translate, S03_CarriageReturnsAreNotText) {
  const std::string expected = translate("red dog\nbig cat\n").out;
  EXPECT_EQ(translate("red dog\r\nbig cat\r\n").out, expected);
}

TEST(Translate, S04_AByteOrderMarkIsNotText) {
  EXPECT_EQ(translate("\xef\xbb\xbfred dog\n").out, translate("red dog\n").out);
}

TEST(Translate, S05_IllFormedBytesAreAnswered) {
  const std::string input =
      "ab\xff\xfe"
      "cd\n\xc3\n\xed\xa0\x80\n\xc0\xaf\n" +
      std::string("red\0dog\n", 8);
  EXPECT_EQ(lines_of(translate(input).out).size(), 5u);
  const auto objects = objects_of(translate(input, {"--json"}).out);  // parse() refuses bad UTF-8
  ASSERT_EQ(objects.size(), 5u);
  EXPECT_NE(objects[4]["source"].get<std::string>().find("dog"), std::string::npos);
}

TEST(Translate, S06_AVeryLongLineIsCutWithAWarning) {
  std::string endless;
  for (int i = 0; i < 10'000; ++i) endless += "dog ";
  const ProcessResult result =
      translate("red dog\n" + endless + "\nred dog\n", {"--max-length", "20"});
  const auto lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0], lines[2]);
  EXPECT_NE(result.err.find("line 2"), std::string::npos);
  EXPECT_NE(result.err.find("1000 tokens"), std::string::npos);
}

TEST(Translate, S07_NormalFormsTranslateAlike) {
  EXPECT_EQ(translate("cafe\xcc\x81 dog\n").out, translate("caf\xc3\xa9 dog\n").out);
}

TEST(Translate, S08_SpecialTokensAreOrdinaryText) {
  const auto objects =
      objects_of(translate("red </s> dog\n<pad>\n<unk>\n<s>\n▁\n", {"--json"}).out);
  ASSERT_EQ(objects.size(), 5u);
  const auto tokens = objects[0]["source_tokens"].get<std::vector<std::string>>();
  EXPECT_EQ(std::count(tokens.begin(), tokens.end(), "</s>"), 1);  // the real one, at the end
  EXPECT_EQ(tokens.back(), "</s>");
}

TEST(Translate, S26_OrderComesBack) {
  std::vector<ToyPair> pairs = toy_pairs(200, 7);
  std::string input;
  for (size_t i = 0; i < pairs.size(); ++i) input += (i % 4 == 1 ? "" : pairs[i].source) + "\n";
  const std::string expected = translate(input, {"--batch", "1"}).out;
  ASSERT_EQ(lines_of(expected).size(), pairs.size());
  for (const char* batch : {"7", "64"})
    EXPECT_EQ(translate(input, {"--batch", batch}).out, expected);
}

TEST(Translate, S27_MoreOutputsThanHypothesesAreRefused) {
  const ProcessResult result = translate("red dog\n", {"--nbest", "5", "--beam", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find('5'), std::string::npos);
  EXPECT_NE(result.err.find('3'), std::string::npos);
}

TEST(Translate, S27_AWideBeamWorks) {
  EXPECT_EQ(translate("red dog\n", {"--beam", "100"}).exit_code, 0);
}

TEST(Translate, S28_NbestInMosesManner) {
  const auto lines =
      lines_of(translate("red dog\n\nbig cat\n", {"--nbest", "3", "--beam", "4"}).out);
  ASSERT_EQ(lines.size(), 7u);
  EXPECT_EQ(lines[0].find("0 ||| rouge chien ||| -"), 0u) << lines[0];
  EXPECT_EQ(lines[3].find("1 |||  ||| 0"), 0u) << lines[3];
  EXPECT_EQ(lines[4].find("2 ||| grand chat ||| -"), 0u) << lines[4];
}

TEST(Translate, S29_AnOutputWithoutEndIsSaidToBeCut) {
  const ProcessResult result = translate("red dog\nthe cat sees the dog\n", {"--max-length", "1"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(lines_of(result.out).size(), 2u);
  EXPECT_NE(result.err.find("line 2"), std::string::npos);
}

TEST(Translate, S32_UnknownCharacters) {
  const ProcessResult result = translate("the 你 cat\n", {"--json"});
  EXPECT_EQ(result.out.find("⁇"), std::string::npos);
  EXPECT_EQ(result.out.find("  "), std::string::npos);
  std::string shown;
  const auto object = objects_of(result.out).front();
  for (const auto& token : object["source_tokens"]) shown += token.get<std::string>();
  EXPECT_NE(shown.find("你"), std::string::npos);
}

TEST(Translate, S33_TheSameTwice) {
  EXPECT_EQ(translate("the cat sees the dog\n", {"--json"}).out,
            translate("the cat sees the dog\n", {"--json"}).out);
}

TEST(Translate, S35_AConversationByPipe) {
  RunningProcess process(softalign_binary(), {"translate", tiny_model().string()});
  for (const auto& [source, target] : std::vector<std::pair<std::string, std::string>>{
           {"red dog", "rouge chien"}, {"big cat", "grand chat"}}) {
    process.write(source + "\nhalf a li");  // what follows must not delay the answer
    EXPECT_EQ(process.read_line(60), target);
    process.write("ne\n");
    EXPECT_NE(process.read_line(60), "");
  }
  EXPECT_EQ(process.finish().exit_code, 0);
}

TEST(Translate, S36_AClosedPipeEndsQuietly) {
  RunningProcess process(softalign_binary(), {"translate", tiny_model().string()});
  process.write("red dog\n");
  process.read_line(60);
  process.close_output();
  process.write("red dog\n");
  const ProcessResult result = process.finish();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(Translate, S36_NoInputGivesNoOutput) {
  const ProcessResult result = translate("");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
}

TEST(Translate, S36_AFifoGivesWhatTheFileGives) {
  const TempDir folder;
  write_text(folder / "file", "red dog\nbig cat\n");
  ASSERT_EQ(mkfifo((folder / "fifo").c_str(), 0600), 0);
  std::thread writer([&] { write_text(folder / "fifo", "red dog\nbig cat\n"); });
  const std::string from_fifo = translate("", {"--input", (folder / "fifo").string()}).out;
  writer.join();
  EXPECT_EQ(from_fifo, translate("", {"--input", (folder / "file").string()}).out);
  EXPECT_EQ(from_fifo, "rouge chien\ngrand chat\n");
}

TEST(Translate, OutputFilesAppearWhole) {
  const TempDir folder;
  const std::string output = (folder / "new" / "out.txt").string();
  EXPECT_EQ(translate("red dog\n", {"--output", output}).out, "");
  EXPECT_EQ(read_text(output), "rouge chien\n");
}

TEST(Translate, JsonHasWhatIsPromised) {
  const auto object =
      objects_of(translate("red dog\n", {"--json", "--beam", "3", "--nbest", "2"}).out).front();
  EXPECT_EQ(object["source"], "red dog");
  EXPECT_EQ(object["translation"], "rouge chien");
  EXPECT_EQ(object["nbest"].size(), 2u);
  EXPECT_EQ(object["nbest"][0]["translation"], "rouge chien");
  ASSERT_EQ(object["attention"].size(), object["target_tokens"].size());
  for (const auto& row : object["attention"]) {
    ASSERT_EQ(row.size(), object["source_tokens"].size());
    double sum = 0;
    for (const double weight : row) sum += weight;
    EXPECT_NEAR(sum, 1.0, 1e-4);
  }
}

TEST(Translate, AttentionIsDumpedByTheFilesEnding) {
  const TempDir folder;
  const auto dump = [&](const std::string& name) {
    EXPECT_EQ(
        translate("red dog\n\nbig cat\n", {"--attention", (folder / name).string()}).exit_code, 0);
    return read_text(folder / name);
  };
  EXPECT_EQ(objects_of(dump("a.jsonl")).size(), 3u);
  EXPECT_EQ(
      dump("a.tsv").find("sentence\tstep\ttarget_token\tsource_index\tsource_token\tweight\n0\t"),
      0u);
  EXPECT_NE(dump("a.html").find("<html"), std::string::npos);
  dump("a.svg");
  EXPECT_NE(read_text(folder / "a-1.svg").find("<svg"), std::string::npos);
  EXPECT_NE(read_text(folder / "a-2.svg").find("<svg"), std::string::npos);
  EXPECT_EQ(translate("red dog\n", {"--attention", (folder / "a.png").string()}).exit_code, 2);
}

TEST(Translate, AnEnsembleOfOneModelTwiceIsThatModel) {
  const std::string input = "the cat sees the dog\nred bird\n";
  const ProcessResult result =
      run_softalign({"translate", tiny_model().string(), tiny_model().string(), "--threads", "1"},
                    {input, {}, {}});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, translate(input).out);
}

TEST(Translate, APrefixBeginsTheOutput) {
  EXPECT_EQ(translate("red dog\n", {"--prefix", "petit"}).out.substr(0, 5), "petit");
}

TEST(Translate, S17_RangesAreNamed) {
  for (const std::vector<std::string>& wrong :
       std::vector<std::vector<std::string>>{{"--beam", "0"},
                                             {"--beam", "2.5"},
                                             {"--threads", "-1"},
                                             {"--batch", "1e99"},
                                             {"--temperature", "nan"},
                                             {"--length-penalty", "-1"},
                                             {"--length-penalty-kind", "long"},
                                             {"--seed", "99999999999999999999"}}) {
    const ProcessResult result = translate("red dog\n", wrong);
    EXPECT_EQ(result.exit_code, 2) << wrong[0] << ' ' << wrong[1];
    EXPECT_NE(result.err, "");
    EXPECT_EQ(result.out, "");
  }
}

}  // namespace
}  // namespace softalign
