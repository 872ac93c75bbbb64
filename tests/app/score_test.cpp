#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

class Score : public testing::Test {
 protected:
  ProcessResult score(const std::string& sources, const std::string& targets,
                      const std::vector<std::string>& more = {}) {
    write_text(folder_ / "source", sources);
    write_text(folder_ / "target", targets);
    std::vector<std::string> arguments{"score",    tiny_model().string(),
                                       "--source", (folder_ / "source").string(),
                                       "--target", (folder_ / "target").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_softalign(arguments);
  }
  TempDir folder_;
};

std::vector<double> numbers(const std::string& text) {
  std::istringstream stream(text);
  std::vector<double> values;
  for (double value; stream >> value;) values.push_back(value);
  return values;
}

TEST_F(Score, RightTranslationsAreMoreProbable) {
  const auto values = numbers(score("red dog\nred dog\n", "rouge chien\ngrand chat\n").out);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_LT(values[0], 0);
  EXPECT_GT(values[0], values[1] + 1);
}

TEST_F(Score, S09_LineCountsMustBeEqual) {
  const ProcessResult result = score("a\nb\nc\n", "a\nb\n");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find('3'), std::string::npos);
  EXPECT_NE(result.err.find('2'), std::string::npos);
}

TEST_F(Score, S09_AMissingLastNewlineDoesNotChangeTheCount) {
  EXPECT_EQ(score("red dog\nbig cat", "rouge chien\ngrand chat\n").exit_code, 0);
}

TEST_F(Score, S30_AgreesWithTheSearch) {
  ProcessOptions options;
  options.input = "red dog\nthe cat sees the dog\nbig bird\n";
  const ProcessResult found =
      run_softalign({"translate", tiny_model().string(), "--json", "--beam", "3"}, options);
  std::istringstream stream(found.out);
  std::string targets;
  std::vector<double> expected;
  for (std::string line; std::getline(stream, line);) {
    const auto object = nlohmann::json::parse(line);
    targets += object["translation"].get<std::string>() + "\n";
    expected.push_back(object["nbest"][0]["log_prob"].get<double>());
  }
  const auto values = numbers(score(options.input, targets).out);
  ASSERT_EQ(values.size(), expected.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-4);
}

TEST_F(Score, JsonHasTokens) {
  const auto object = nlohmann::json::parse(score("red dog\n", "\n", {"--json"}).out);
  EXPECT_EQ(object["tokens"], 1);  // EOS alone
  EXPECT_LT(object["log_prob"].get<double>(), 0);
}

TEST_F(Score, S18_NumbersHaveAPointInEveryLocale) {
  write_text(folder_ / "source", "red dog\n");
  write_text(folder_ / "target", "rouge chien\n");
  ProcessOptions german;
  german.environment = {{"LC_ALL", "de_DE"}, {"LANG", "de_DE"}};
  const std::vector<std::string> arguments{"score",    tiny_model().string(),
                                           "--source", (folder_ / "source").string(),
                                           "--target", (folder_ / "target").string()};
  const std::string out = run_softalign(arguments, german).out;
  EXPECT_EQ(out, run_softalign(arguments).out);
  EXPECT_NE(out.find('.'), std::string::npos);
}

}  // namespace
}  // namespace softalign
