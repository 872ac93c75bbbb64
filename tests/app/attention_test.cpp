#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/app/well_formed.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

using Json = nlohmann::json;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Json> objects_of(const std::string& text) {
  std::vector<Json> objects;
  for (const std::string& line : lines_of(text)) objects.push_back(Json::parse(line));
  return objects;
}

/// What `attention` answers, with the shared model and nothing on standard error but notes.
ProcessResult attention(std::vector<std::string> arguments, const ProcessOptions& options = {}) {
  arguments.insert(arguments.begin(), {"attention", tiny_model().string()});
  ProcessResult result = run_softalign(arguments, options);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result;
}

TEST(AttentionOptions, AreRefusedWhereTheyDontGoTogether) {
  const std::vector<std::vector<std::string>> wrong{{},
                                                    {"--source", "a", "--input", "b"},
                                                    {"--source", "a", "--reference", "b"},
                                                    {"--input", "a", "--target", "b"},
                                                    {"--input", "-", "--reference", "-"},
                                                    {"--source", "a", "--format", "png"},
                                                    {"--source", "a", "--beam", "0"},
                                                    {"--source", "a", "--threads", "-1"}};
  for (std::vector<std::string> arguments : wrong) {
    arguments.insert(arguments.begin(), {"attention", "model"});
    const ProcessResult result = run_softalign(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

TEST(AttentionOptions, S09_CountsOfLinesMustAgree) {
  const TempDir folder;
  write_text(folder / "a.src", "one\ntwo\nthree\n");
  write_text(folder / "a.tgt", "un\ndeux\n");
  const ProcessResult result =
      run_softalign({"attention", "model", "--input", (folder / "a.src").string(), "--reference",
                     (folder / "a.tgt").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("a.src has 3 lines"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("a.tgt 2"), std::string::npos) << result.err;
}

TEST(AttentionOptions, OneSvgPictureHoldsOneSentence) {
  const ProcessResult result =
      run_softalign({"attention", "model", "--input", "-", "--format", "svg"}, {"a\nb\n", {}, {}});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("--format html"), std::string::npos) << result.err;
}

TEST(Attention, DumpsAgreeAndBlankLinesStayInPlace) {  // S01, S26
  const auto pairs = toy_pairs(3, 7);
  const ProcessOptions input{
      pairs[0].source + "\n\n" + pairs[1].source + "\n" + pairs[2].source + "\n", {}, {}};
  const auto objects = objects_of(attention({"--input", "-", "--format", "json"}, input).out);
  ASSERT_EQ(objects.size(), 4U);
  EXPECT_EQ(objects[1]["translation"], "");
  EXPECT_TRUE(objects[1]["attention"].empty());
  for (size_t k = 0; k < objects.size(); ++k) {
    const Json& map = objects[k];
    ASSERT_EQ(map["attention"].size(), map["target_tokens"].size());
    for (size_t t = 0; t < map["attention"].size(); ++t) {
      const Json& row = map["attention"][t];
      ASSERT_EQ(row.size(), map["source_tokens"].size());
      double sum = 0;
      for (size_t i = 0; i < row.size(); ++i) sum += row[i].get<double>();
      EXPECT_NEAR(sum, 1, 1e-4);
    }
    if (k != 1) {
      EXPECT_EQ(map["source_tokens"].back(), "</s>");
    }
  }
  EXPECT_EQ(objects[0]["source"], pairs[0].source);
  EXPECT_EQ(objects[3]["source"], pairs[2].source);

  const auto lines = lines_of(attention({"--input", "-"}, input).out);  // tsv: not a terminal
  ASSERT_EQ(lines.front(), "sentence\tstep\ttarget_token\tsource_index\tsource_token\tweight");
  size_t weights = 0;
  for (const Json& map : objects) weights += map["source_tokens"].size() * map["attention"].size();
  EXPECT_EQ(lines.size(), weights + 1);
  std::istringstream last(lines.back());
  std::vector<std::string> fields;
  for (std::string field; std::getline(last, field, '\t');) fields.push_back(field);
  ASSERT_EQ(fields.size(), 6U);
  EXPECT_EQ(fields[0], "3");
  EXPECT_EQ(fields[2], objects[3]["target_tokens"].back());
  EXPECT_EQ(fields[4], "</s>");
  EXPECT_EQ(std::stod(fields[5]), objects[3]["attention"].back().back().get<double>());

  const auto links = lines_of(attention({"--input", "-", "--format", "pharaoh"}, input).out);
  ASSERT_EQ(links.size(), 4U);
  EXPECT_EQ(links[1], "");
  EXPECT_NE(links[0].find('-'), std::string::npos);
}

TEST(Attention, OfAGivenTranslationHasItsTokens) {
  const auto out = attention({"--source", "no such words", "--target", "tout à fait zażółć",
                              "--words", "--format", "json"})
                       .out;
  const Json map = objects_of(out).at(0);
  EXPECT_EQ(map["translation"], "tout à fait zażółć");
  EXPECT_EQ(map["source_tokens"], (Json{"no", "such", "words"}));  // S32: the real text
  EXPECT_EQ(map["target_tokens"], (Json{"tout", "à", "fait", "zażółć"}));
  EXPECT_LT(map["score"].get<double>(), 0);
}

TEST(Attention, S39_PicturesAreFilesThatShowMarkupAsText) {
  const TempDir folder;
  const std::string text = "<script>alert(1)</script> & \"x\" 'y'";
  write_text(folder / "input", text + "\nb\n");
  const auto svg = folder / "maps 数据" / "map-%d.svg";  // S13; the folder is made
  EXPECT_EQ(attention({"--input", (folder / "input").string(), "-o", svg.string()}).out, "");
  for (const char* name : {"map-1.svg", "map-2.svg"})
    EXPECT_EQ(xml_fault(read_text(svg.parent_path() / name)), "");
  EXPECT_NE(read_text(svg.parent_path() / "map-1.svg").find("&lt;script&gt;alert(1)"),
            std::string::npos);

  const auto page = folder / "page.html";
  attention({"--input", (folder / "input").string(), "-o", page.string()});
  const std::string html = read_text(page);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp;"), std::string::npos);

  const ProcessResult shown = attention({"--source", text, "--format", "terminal"});
  EXPECT_EQ(shown.out.substr(0, text.size()), text);
  EXPECT_EQ(shown.out.find('\x1b'), std::string::npos);  // not a terminal, so no colour
}

}  // namespace
}  // namespace softalign
