#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(CommandLine, HelpIsOnStandardOutputWithAnExample) {
  const auto main_help = run_softalign({"--help"});
  EXPECT_EQ(main_help.exit_code, 0);
  EXPECT_EQ(main_help.err, "");
  for (const std::string command :
       {"train", "translate", "attention", "score", "evaluate", "inspect"}) {
    EXPECT_TRUE(contains(main_help.out, command)) << command;
    const auto help = run_softalign({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_TRUE(contains(help.out, "softalign " + command)) << help.out;
  }
}

TEST(CommandLine, VersionIsPrinted) {
  const auto result = run_softalign({"--version"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out.rfind("softalign ", 0), 0u) << result.out;
}

TEST(CommandLine, MistakesAreExit2WithOneMessage) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{},
                                                    {"trian"},
                                                    {"train", "--no-such"},
                                                    {"inspect"},
                                                    {"train"},
                                                    {"train", "x.yaml", "--threads", "-1"},
                                                    {"train", "x.yaml", "--seed", "many"},
                                                    {"train", "x.yaml", "--resume", "--force"}}) {
    const auto result = run_softalign(arguments);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err, "");
  }
}

TEST(CommandLine, QuietSilencesEverythingButWarnings) {
  const TempDir folder;
  const auto config = write_toy_experiment(folder.path(), 50, "  max_steps: 2\n");
  const auto result = run_softalign(
      {"train", config.string(), "--output", (folder / "m").string(), "--threads", "1", "--quiet"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_FALSE(contains(result.err, "info ")) << result.err;
}

TEST(CommandLine, S36_AClosedReaderEndsQuietly) {
  RunningProcess process(softalign_binary(), {"train", "--list-keys"});
  process.close_output();
  const auto result = process.finish();
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_EQ(result.err, "");
}

TEST(CommandLine, AFullDiskIsExit1) {
  if (access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const auto result = run_process(
      "/bin/sh", {"-c", "exec \"$0\" train --list-keys > /dev/full", softalign_binary()});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_TRUE(contains(result.err, "could not be written")) << result.err;
}

TEST(CommandLine, NothingButTextGoesToAPipe) {
  const auto result = run_softalign({"inspect", "no-such-model"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_FALSE(contains(result.err, "\x1b")) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

}  // namespace
}  // namespace softalign
