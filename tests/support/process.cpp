#include "tests/support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>

extern char** environ;

namespace softalign {
namespace {

using Clock = std::chrono::steady_clock;

void close_quietly(int& descriptor) {
  if (descriptor >= 0) close(descriptor);
  descriptor = -1;
}

}  // namespace

std::string softalign_binary() { return SOFTALIGN_BINARY; }

RunningProcess::RunningProcess(const std::string& program,
                               const std::vector<std::string>& arguments,
                               const ProcessOptions& options) {
  std::signal(SIGPIPE, SIG_IGN);
  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) != 0 || pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    throw std::runtime_error("pipe failed");
  std::vector<std::string> words{program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings;
  for (const auto& [name, value] : options.environment) settings.push_back(name + "=" + value);
  std::vector<char*> argv, envp;
  for (auto& setting : settings) envp.push_back(setting.data());  // the first of a name wins
  for (char** entry = environ; *entry; ++entry) envp.push_back(*entry);
  envp.push_back(nullptr);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("fork failed");
  if (pid_ == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    dup2(err[1], 2);
    std::signal(SIGPIPE, SIG_DFL);
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(126);
    execve(program.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  input_ = in[1];
  output_ = out[0];
  error_ = err[0];
}

RunningProcess::~RunningProcess() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  close_quietly(input_);
  close_quietly(output_);
  close_quietly(error_);
}

void RunningProcess::write(const std::string& bytes) {
  // Output is read meanwhile, so that neither side waits for the other.
  fcntl(input_, F_SETFL, O_NONBLOCK);
  for (size_t done = 0; done < bytes.size() && input_ >= 0;) {
    const ssize_t n = ::write(input_, bytes.data() + done, bytes.size() - done);
    if (n > 0)
      done += static_cast<size_t>(n);
    else if (n < 0 && errno == EAGAIN)
      collect(0.01);
    else
      close_input();  // it reads no more
  }
}

void RunningProcess::close_input() { close_quietly(input_); }
void RunningProcess::close_output() { close_quietly(output_); }
void RunningProcess::signal(int number) { kill(pid_, number); }

bool RunningProcess::collect(double seconds) {
  pollfd waiting[2] = {{output_, POLLIN, 0}, {error_, POLLIN, 0}};
  if (output_ < 0 && error_ < 0) return false;
  poll(waiting, 2, static_cast<int>(seconds * 1000));
  char buffer[65536];
  for (int i = 0; i < 2; ++i) {
    if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
    const ssize_t n = read(waiting[i].fd, buffer, sizeof buffer);
    if (n > 0)
      (i == 0 ? result_.out : result_.err).append(buffer, static_cast<size_t>(n));
    else if (n == 0 || errno != EINTR)
      close_quietly(i == 0 ? output_ : error_);
  }
  return true;
}

std::string RunningProcess::read_line(double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (true) {
    const size_t newline = result_.out.find('\n', read_until_);
    if (newline != std::string::npos) {
      const std::string line = result_.out.substr(read_until_, newline - read_until_);
      read_until_ = newline + 1;
      return line;
    }
    if (Clock::now() >= end || !collect(0.05)) return "";
  }
}

bool RunningProcess::wait_for_error_text(const std::string& text, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  while (result_.err.find(text) == std::string::npos)
    if (Clock::now() >= end || !collect(0.05)) return result_.err.find(text) != std::string::npos;
  return true;
}

ProcessResult RunningProcess::finish() {
  close_input();
  while (collect(1)) {
  }
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  result_.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result_;
}

ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments,
                          const ProcessOptions& options) {
  RunningProcess process(program, arguments, options);
  process.write(options.input);
  return process.finish();
}

ProcessResult run_softalign(const std::vector<std::string>& arguments,
                            const ProcessOptions& options) {
  return run_process(softalign_binary(), arguments, options);
}

}  // namespace softalign
