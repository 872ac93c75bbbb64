#include <gtest/gtest.h>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

TEST(EvaluateCommand, ScoresAHypothesisFile) {
  const TempDir folder;
  write_text(folder / "hypothesis", "Wait: is it 2,500.75 (gross)?\n");
  write_text(folder / "reference", "Wait : is it 2,500.75 ( gross ) ?\n");
  const ProcessResult result =
      run_softalign({"evaluate", "--hypothesis", (folder / "hypothesis").string(), "--reference",
                     (folder / "reference").string()});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find(" = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 "
                            "hyp_len = 9 ref_len = 9)\n"),
            std::string::npos)
      << result.out;
}

TEST(EvaluateCommand, ReadsAHypothesisFromStandardInput) {
  const TempDir folder;
  write_text(folder / "reference", "Ducks CROSS the road today\n");
  ProcessOptions options;
  options.input = "ducks cross the road today\n";
  const ProcessResult result =
      run_softalign({"evaluate", "--hypothesis", "-", "--reference",
                     (folder / "reference").string(), "--lowercase", "--tokenize", "none"},
                    options);
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("case:lc|eff:no|tok:none|smooth:exp"), std::string::npos);
  EXPECT_NE(result.out.find(" = 100.00 "), std::string::npos);
}

TEST(EvaluateCommand, S34_HelpSaysThat13aDoesNotSegmentChinese) {
  const ProcessResult result = run_softalign({"evaluate", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_NE(result.out.find("13a doesn't segment Chinese"), std::string::npos) << result.out;
}

TEST(EvaluateCommand, S09_S17_WrongInputIsExitCode2) {
  const TempDir folder;
  write_text(folder / "one", "a\n");
  write_text(folder / "two", "a\nb\n");
  const std::string one = (folder / "one").string(), two = (folder / "two").string();
  const std::vector<std::vector<std::string>> mistakes{
      {"evaluate"},
      {"evaluate", "--reference", one},
      {"evaluate", "--hypothesis", one, "--reference", two},
      {"evaluate", "--hypothesis", one, "--reference", one + ".missing"},
      {"evaluate", "--hypothesis", one, "--reference", one, "--tokenize", "14b"},
      {"evaluate", "--hypothesis", one, "--reference", one, "--compare", one, "--resamples", "0"},
      {"evaluate", one, "--source", one, "--reference", one},
      {"evaluate", one, "--source", one, "--reference", one, "--beam", "0"}};
  for (const auto& arguments : mistakes) {
    const ProcessResult result = run_softalign(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

}  // namespace
}  // namespace softalign
