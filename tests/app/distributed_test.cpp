#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A port of the loopback interface that nothing listens on.
std::string free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return std::to_string(ntohs(address.sin_port));
}

ProcessOptions place(int rank, const std::string& port) {
  ProcessOptions options;
  options.environment = {{"RANK", std::to_string(rank)},
                         {"WORLD_SIZE", "2"},
                         {"MASTER_ADDR", "127.0.0.1"},
                         {"MASTER_PORT", port}};
  return options;
}

/// {loss, perplexity of a validation} of every record that has one.
std::vector<double> curve(const fs::path& model) {
  std::vector<double> values;
  std::istringstream lines(read_text(model / "log.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    const auto record = nlohmann::json::parse(line);
    if (record["type"] == "report") values.push_back(record["loss"]);
    if (record["type"] == "validation") values.push_back(record["perplexity"]);
  }
  return values;
}

class Distributed : public testing::Test {
 protected:
  TempDir folder_;

  void SetUp() override {
#ifndef SOFTALIGN_GLOO
    GTEST_SKIP() << "built without Gloo";
#endif
  }

  std::vector<std::string> arguments(const fs::path& config, const std::string& output,
                                     const std::string& threads,
                                     const std::vector<std::string>& more = {}) {
    std::vector<std::string> all{"train",     config.string(),
                                 "--output",  (folder_ / output).string(),
                                 "--threads", threads};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  /// Both ranks, to their end.
  std::vector<ProcessResult> run_two(const fs::path& config, const std::string& output,
                                     const std::vector<std::string>& more = {}) {
    const std::string port = free_port();
    RunningProcess first(softalign_binary(), arguments(config, output, "1", more), place(0, port));
    RunningProcess second(softalign_binary(), arguments(config, output, "1", more), place(1, port));
    std::vector<ProcessResult> results;
    results.push_back(first.finish());
    results.push_back(second.finish());
    return results;
  }
};

TEST_F(Distributed, TwoProcessesAreOneWithTwoThreads) {
  const auto config = write_toy_experiment(
      folder_.path(), 200, "  max_steps: 30\n  report_every: 5\n  accumulate: 2\n");
  const auto two = run_two(config, "two", {"--set", "model.dropout.embedding=0.2"});
  for (const ProcessResult& result : two) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(contains(two[0].err, "2 processes train together")) << two[0].err;
  EXPECT_EQ(two[1].err, "");  // the first speaks for all
  const auto one = run_softalign(
      arguments(config, "one", "2", {"--set", "model.dropout.embedding=0.2"}));
  ASSERT_EQ(one.exit_code, 0) << one.err;

  const auto actual = curve(folder_ / "two"), expected = curve(folder_ / "one");
  ASSERT_EQ(actual.size(), expected.size());
  ASSERT_GE(actual.size(), 6U);
  for (size_t i = 0; i < actual.size(); ++i) EXPECT_NEAR(actual[i], expected[i], 1e-4) << i;
}

TEST_F(Distributed, ALostPeerEndsTheOthersAndAnotherNumberOfThemGoesOn) {
  const auto config = write_toy_experiment(
      folder_.path(), 200, "  max_steps: 100000\n  checkpoint_every: 5\n  report_every: 5\n");
  const std::string port = free_port();
  RunningProcess first(softalign_binary(), arguments(config, "model", "1"), place(0, port));
  auto second = std::make_unique<RunningProcess>(
      softalign_binary(), arguments(config, "model", "1"), place(1, port));
  ASSERT_TRUE(first.wait_for_error_text("step 20 ", 60));
  second->signal(SIGKILL);
  const ProcessResult left = first.finish();
  EXPECT_EQ(left.exit_code, 1) << left.err;
  EXPECT_TRUE(contains(left.err, "lost a peer")) << left.err;
  EXPECT_TRUE(contains(left.err, "--resume")) << left.err;

  const auto state = nlohmann::json::parse(read_text(folder_ / "model" / "last" / "state.json"));
  const auto step = state["state"]["position"]["step"].get<int64_t>();
  EXPECT_GE(step, 15);
  const std::string end = "training.max_steps=" + std::to_string(step + 10);
  const auto alone = run_softalign(arguments(config, "model", "1", {"--resume", "--set", end}));
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_TRUE(contains(alone.err, "stopped at step " + std::to_string(step + 10))) << alone.err;
}

TEST_F(Distributed, AnInterruptedPeerStopsAllOfThemWithTheirStateSaved) {
  const auto config =
      write_toy_experiment(folder_.path(), 200, "  max_steps: 100000\n  report_every: 5\n");
  const std::string port = free_port();
  RunningProcess first(softalign_binary(), arguments(config, "model", "1"), place(0, port));
  RunningProcess second(softalign_binary(), arguments(config, "model", "1"), place(1, port));
  ASSERT_TRUE(first.wait_for_error_text("step 10 ", 60));
  second.signal(SIGINT);
  const ProcessResult a = first.finish(), b = second.finish();
  EXPECT_TRUE(contains(a.err, "go on with")) << a.err;
  EXPECT_EQ(b.exit_code, 130) << b.err;
  const auto both = run_two(config, "model", {"--resume", "--set", "training.max_steps=1"});
  for (const ProcessResult& result : both) EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(Distributed, APlaceThatMakesNoSenseIsNamed) {
  const auto config = write_toy_experiment(folder_.path(), 20, "  max_steps: 1\n");
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"RANK", "2"}, {"RANK", "first"}, {"WORLD_SIZE", "0"}, {"MASTER_PORT", "70000"},
      {"MASTER_ADDR", ""}};
  for (const auto& [name, value] : wrong) {
    ProcessOptions options = place(0, "29500");
    options.environment[name] = value;
    const auto result = run_softalign(arguments(config, "model", "1"), options);
    EXPECT_EQ(result.exit_code, 2) << name << "=" << value;
    EXPECT_TRUE(contains(result.err, name)) << result.err;
  }
  EXPECT_FALSE(fs::exists(folder_ / "model"));
}

TEST_F(Distributed, APeerThatNeverComesIsNotWaitedForForever) {
  const auto config = write_toy_experiment(folder_.path(), 20, "  max_steps: 1\n");
  const auto result =
      run_softalign(arguments(config, "model", "1", {"--set", "training.peer_timeout=2"}),
                    place(0, free_port()));
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_TRUE(contains(result.err, "within 2 s")) << result.err;
}

}  // namespace
}  // namespace softalign
