#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>

#include "data/error.h"
#include "data/file.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// Runs `action` in a child process; its return value is the child's exit code. −signal if killed.
int in_child(const std::function<int()>& action) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(action());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

TEST(WriteAtomically, CreatesAndReplaces) {
  const TempDir folder;
  const fs::path path = folder / "new" / "deeper" / "file";
  write_atomically(path, "one");
  EXPECT_EQ(read_bytes(path), "one");
  write_atomically(path, std::string(300000, 'x'));
  EXPECT_EQ(read_bytes(path), std::string(300000, 'x'));
  EXPECT_EQ(names_in(path.parent_path()), std::set<std::string>{"file"});
}

TEST(WriteAtomically, S13_AnyName) {
  const TempDir folder;
  const fs::path path = folder / "my dir, ünï" / "数据 1";
  write_atomically(path, "x");
  EXPECT_EQ(read_bytes(path), "x");
}

TEST(WriteAtomically, RelativeNameWithoutFolder) {
  const TempDir folder;
  const int code = in_child([&folder] {
    if (::chdir(folder.path().c_str()) != 0) return 9;
    write_atomically("plain", "x");
    return 0;
  });
  EXPECT_EQ(code, 0);
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"plain"});
}

TEST(WriteAtomically, LinkAndPermissionsStay) {
  const TempDir folder;
  write(folder / "real", "old");
  fs::permissions(folder / "real", fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", folder / "link");
  write_atomically(folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder / "link"));
  EXPECT_EQ(read_bytes(folder / "real"), "new");
  EXPECT_EQ(fs::status(folder / "real").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST(WriteAtomically, FolderIsTheUsersMistake) {
  const TempDir folder;
  EXPECT_THROW(write_atomically(folder.path(), "x"), Error);
}

TEST(WriteAtomically, S20_FullDeviceIsReported) {
  try {
    write_atomically("/dev/full", "hello");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), Error::kMachine);
    EXPECT_NE(std::string(error.what()).find("/dev/full"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

// A limit of the file size stands for a full disk: writing fails in the middle.
TEST(WriteAtomically, S20_FailureKeepsTheOldFileAndLeavesNothing) {
  const TempDir folder;
  write(folder / "file", "old");
  const int code = in_child([&folder] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{100000, 100000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_atomically(folder / "file", std::string(1 << 20, 'x'));
    } catch (const Error& error) {
      return error.exit_code();
    }
    return 0;
  });
  EXPECT_EQ(code, Error::kMachine);
  EXPECT_EQ(read_bytes(folder / "file"), "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"file"});
}

void fill_with(const fs::path& folder, const std::string& text) {
  write(folder / "a", text);
  fs::create_directories(folder / "inner");
  write(folder / "inner" / "b", text);
}

void replace_with(const fs::path& path, const std::string& text) {
  replace_folder(path, [&text](const fs::path& folder) { fill_with(folder, text); });
}

void expect_content(const fs::path& path, const std::string& text) {
  EXPECT_EQ(read_bytes(path / "a"), text);
  EXPECT_EQ(read_bytes(path / "inner" / "b"), text);
}

TEST(ReplaceFolder, CreatesAndReplaces) {
  const TempDir folder;
  const fs::path path = folder / "models" / "last";
  replace_with(path, "one");
  expect_content(path, "one");
  write(path / "stale", "x");
  replace_with(path / "", "two");  // a slash at the end
  expect_content(path, "two");
  EXPECT_FALSE(fs::exists(path / "stale"));
  EXPECT_EQ(names_in(path.parent_path()), std::set<std::string>{"last"});
}

TEST(ReplaceFolder, S20_FailureKeepsTheOldFolderAndLeavesNothing) {
  const TempDir folder;
  replace_with(folder / "last", "old");
  const auto fail = [](const fs::path& fresh) {
    write(fresh / "a", "half");
    throw Error("full", Error::kMachine);
  };
  EXPECT_THROW(replace_folder(folder / "last", fail), Error);
  expect_content(folder / "last", "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"last"});
}

TEST(ReplaceFolder, S20_DeathWhileFillingKeepsTheOldFolder) {
  const TempDir folder;
  replace_with(folder / "last", "old");
  const int code = in_child([&folder] {
    replace_folder(folder / "last", [](const fs::path& fresh) {
      write(fresh / "a", "half");
      ::raise(SIGKILL);
    });
    return 0;
  });
  EXPECT_EQ(code, -SIGKILL);
  expect_content(folder / "last", "old");
  EXPECT_EQ(names_in(folder.path()).size(), 2u);
  recover_folder(folder / "last");
  expect_content(folder / "last", "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"last"});
}

// Where folders can't be exchanged, a death between the two renames leaves both under other names.
TEST(ReplaceFolder, S20_DeathBetweenTwoRenamesIsRepaired) {
  const TempDir folder;
  fs::create_directories(folder / ".last.old");
  fs::create_directories(folder / ".last.new");
  fill_with(folder / ".last.old", "old");
  fill_with(folder / ".last.new", "new");
  recover_folder(folder / "last");
  expect_content(folder / "last", "old");
  EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"last"});
}

TEST(ReplaceFolder, RecoveringNothingIsFine) {
  const TempDir folder;
  recover_folder(folder / "last");
  EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(ReplaceFolder, S20_KilledAtRandomMomentsTheFolderIsWhole) {
  const TempDir folder;
  const fs::path path = folder / "last";
  replace_with(path, "0");
  for (int round = 1; round <= 12; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      for (int i = 0;; ++i) replace_with(path, std::to_string(i));
    }
    ::usleep(static_cast<useconds_t>(1499 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const std::string text = read_bytes(path / "a");
    EXPECT_FALSE(text.empty());
    expect_content(path, text);
    recover_folder(path);
    EXPECT_EQ(names_in(folder.path()), std::set<std::string>{"last"});
  }
}

}  // namespace
}  // namespace softalign
