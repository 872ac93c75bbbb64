#include "app/interactive.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "app/model_directory.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

/// A conversation with the small model; `say` gives its answer.
class Talk {
 public:
  explicit Talk(size_t models = 1)
      : model_(load_model(std::vector<std::filesystem::path>(models, tiny_model()))),
        conversation_(*model_.translator, options(), "") {
    style_.colour = false;
  }

  std::string say(const std::string& line) {
    std::ostringstream out;
    conversation_.answer(line, style_, out);
    return out.str();
  }

 private:
  static TranslateOptions options() {
    TranslateOptions options;
    options.search.beam = 3;
    return options;
  }

  LoadedModel model_;
  Conversation conversation_;
  TerminalStyle style_;
};

TEST(Interactive, WalksStepByStep) {
  Talk talk;
  EXPECT_NE(talk.say(":step").find("translate a sentence first"), std::string::npos);
  talk.say("the red dog");
  const std::string first = talk.say(":step"), second = talk.say(":step");
  EXPECT_EQ(first.rfind("step 1 of ", 0), 0U) << first;
  EXPECT_EQ(second.rfind("step 2 of ", 0), 0U) << second;
  EXPECT_NE(first.find('['), std::string::npos);  // the word that is written
  EXPECT_NE(first.find("could be:"), std::string::npos);
  EXPECT_EQ(talk.say(":step 1"), first);
  EXPECT_EQ(talk.say(":step"), second);
  for (const char* wrong : {":step 0", ":step 99", ":step x", ":why 99"})
    EXPECT_NE(talk.say(wrong).find("expected the number of a token"), std::string::npos) << wrong;
}

TEST(Interactive, ExplainsATokenByNumbersThatAddUp) {
  Talk talk;
  talk.say("the red dog");
  std::istringstream lines(talk.say(":why 2"));
  double sum = 0, all = 0, largest = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::string token;
    double e = 0, exponential = 0, weight = 0;
    if (fields >> token >> e >> exponential >> weight) {
      sum += exponential;
      largest = std::max(largest, weight);
    } else if (token == "all") {
      std::istringstream total(line);
      total >> token >> all;
    }
  }
  EXPECT_GT(largest, 0.3);
  EXPECT_GT(all, 0.99);
  EXPECT_NEAR(sum, all, 0.05 * all);  // weights below half a per cent aren't shown
  EXPECT_NEAR(1 / all, largest, 2e-3);
}

TEST(Interactive, ComparesTwoSentencesOrModels) {
  Talk talk;
  talk.say("the red dog");
  const std::string both = talk.say(":compare the red cat");
  EXPECT_NE(both.find("the red dog →"), std::string::npos) << both;
  EXPECT_NE(both.find("the red cat →"), std::string::npos) << both;
  EXPECT_NE(talk.say(":compare").find("several models"), std::string::npos);
  Talk two(2);
  two.say("the red dog");
  const std::string models = two.say(":compare");
  EXPECT_NE(models.find("model 1:"), std::string::npos) << models;
  EXPECT_NE(models.find("model 2:"), std::string::npos) << models;
  EXPECT_NE(two.say(":step").find("one model"), std::string::npos);
}

TEST(Interactive, ShowsTheBeamAsATree) {
  Talk talk;
  talk.say("the red dog");
  const std::string tree = talk.say(":beam-tree");
  EXPECT_NE(tree.find("└ "), std::string::npos) << tree;
  EXPECT_NE(tree.find("score "), std::string::npos);
  EXPECT_NE(tree.find("dropped"), std::string::npos);
}

}  // namespace
}  // namespace softalign
