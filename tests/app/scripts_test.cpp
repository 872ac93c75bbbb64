#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

struct Outcome {
  int exit_code = -1;
  std::string output;  // both streams
};

Outcome run(const std::string& command) {
  FILE* pipe = popen(("cd / && " + command + " 2>&1 </dev/null").c_str(), "r");
  Outcome outcome;
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    outcome.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

std::string script(const std::string& name) {
  return std::string("'") + SOFTALIGN_ROOT + "/scripts/" + name + "'";
}

class Script : public testing::TestWithParam<std::string> {};

TEST_P(Script, ExplainsItself) {
  const Outcome outcome = run(script(GetParam()) + " --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output.rfind("usage: scripts/" + GetParam(), 0), 0u) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Scripts, Script, testing::Values("setup", "build", "test", "demo"),
                         [](const auto& name) { return name.param; });

// scripts/test hands its arguments to ctest.
class ScriptWithOptions : public Script {};

TEST_P(ScriptWithOptions, StopsOnAnUnknownOption) {
  const Outcome outcome = run(script(GetParam()) + " --no-such-option");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_NE(outcome.output.find("--no-such-option"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Scripts, ScriptWithOptions, testing::Values("setup", "build", "demo"),
                         [](const auto& name) { return name.param; });

/// Programs that stand before the system's in PATH.
class Setup : public testing::Test {
 protected:
  void stand_in(const std::string& name, const std::string& body) {
    const auto path = folder_ / name;
    FILE* file = fopen(path.c_str(), "w");
    ASSERT_NE(file, nullptr);
    fputs(("#!/bin/sh\n" + body + "\n").c_str(), file);
    fclose(file);
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }
  Outcome setup(const std::string& arguments = "") {
    return run("PATH='" + folder_.path().string() + "':$PATH " + script("setup") + " " + arguments);
  }
  TempDir folder_;
};

TEST_F(Setup, DoesNothingWhereAllIsThere) {
  stand_in("dpkg-query", "echo installed");
  stand_in("apt-get", "echo apt-get was called; exit 1");
  stand_in("update-alternatives", "");
  const Outcome outcome = setup();
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.output, "setup: everything is there\n");
}

TEST_F(Setup, DryRunSaysWhatItWouldInstall) {
  stand_in("dpkg-query", "case \"$*\" in *libedit-dev) exit 1;; *) echo installed;; esac");
  stand_in("apt-get", "echo apt-get was called; exit 1");
  stand_in("update-alternatives", "");
  const Outcome outcome = setup("--dry-run");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("missing: libedit-dev\n"), std::string::npos) << outcome.output;
  EXPECT_NE(outcome.output.find("would run: env DEBIAN_FRONTEND=noninteractive apt-get install "
                                "--yes --no-install-recommends libedit-dev\n"),
            std::string::npos)
      << outcome.output;
  EXPECT_EQ(outcome.output.find("apt-get was called"), std::string::npos);
}

TEST_F(Setup, InstallsWhatIsMissingAndNothingElse) {
  const std::string log = (folder_ / "log").string();
  stand_in("dpkg-query", "case \"$*\" in *libspdlog-dev) exit 1;; *) echo installed;; esac");
  stand_in("apt-get", "echo \"$@\" >>'" + log + "'");
  // More than a pipe holds: who stops reading early would end it with a signal.
  stand_in("apt-cache", "echo '  Candidate: 1.0'; yes ' 1.0 500' | head -n 20000");
  stand_in("sudo", "[ \"$1\" = -n ] && shift; exec \"$@\"");
  stand_in("update-alternatives", "");
  const Outcome outcome = setup();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
  EXPECT_EQ(run("cat '" + log + "'").output,
            "update\ninstall --yes --no-install-recommends libspdlog-dev\n");
}

TEST_F(Setup, NamesPackagesThatTheReleaseLacks) {
  stand_in("dpkg-query", "case \"$*\" in *libtorch-dev) exit 1;; *) echo installed;; esac");
  stand_in("apt-get", "");
  stand_in("sudo", "");
  stand_in("apt-cache", "echo '  Candidate: (none)'");
  const Outcome outcome = setup();
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.output.find("doesn't offer libtorch-dev"), std::string::npos);
}

}  // namespace
}  // namespace softalign
