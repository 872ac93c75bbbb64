#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

namespace softalign {

struct ProcessResult {
  int exit_code = -1;  // 128 + signal if a signal ended it, as a shell says
  std::string out, err;
};

struct ProcessOptions {
  std::string input;                               // bytes for standard input, then end of file
  std::map<std::string, std::string> environment;  // added to ours
  std::string folder;                              // where it runs; empty: ours
};

/// Runs the built binary (or `program`) to its end. An argument is passed as it is, without a
/// shell. For the binary: `run_softalign({"translate", model}, {"hello\n"})`.
ProcessResult run_process(const std::string& program, const std::vector<std::string>& arguments,
                          const ProcessOptions& options = {});
ProcessResult run_softalign(const std::vector<std::string>& arguments,
                            const ProcessOptions& options = {});

/// A process that is talked to while it runs: signals, conversations by pipe.
class RunningProcess {
 public:
  RunningProcess(const std::string& program, const std::vector<std::string>& arguments,
                 const ProcessOptions& options = {});
  ~RunningProcess();  // kills it if it still runs
  RunningProcess(const RunningProcess&) = delete;
  RunningProcess& operator=(const RunningProcess&) = delete;

  pid_t pid() const { return pid_; }
  void write(const std::string& bytes);
  void close_input();
  /// Waits for one line of standard output (without its end), at most `seconds`; "" if none came.
  std::string read_line(double seconds);
  /// Waits until standard error contains `text`, at most `seconds`.
  bool wait_for_error_text(const std::string& text, double seconds);
  void close_output();
  void signal(int number);
  /// Closes the input, collects the rest of the output and waits for the end.
  ProcessResult finish();

 private:
  /// Reads what is there on both pipes, waiting at most so long; false if both are at their end.
  bool collect(double seconds);

  pid_t pid_ = -1;
  int input_ = -1, output_ = -1, error_ = -1;
  ProcessResult result_;
  size_t read_until_ = 0;
};

/// The path of the built binary.
std::string softalign_binary();

}  // namespace softalign
