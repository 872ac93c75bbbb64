#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace softalign {

/// The one exception of this program: something that the user can read and act on.
/// The exit code is 2 where the user's input was wrong and 1 where the machine failed
/// (full disk, lost peer). Anything else that reaches main is a bug of ours.
class Error : public std::runtime_error {
 public:
  static constexpr int kUser = 2;
  static constexpr int kMachine = 1;

  explicit Error(const std::string& message, int exit_code = kUser)
      : std::runtime_error(message), exit_code_(exit_code) {}

  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

/// "file:line: message", the form that editors jump to. Lines count from 1.
inline Error error_at(const std::filesystem::path& file, int64_t line, const std::string& message) {
  return Error(file.string() + ":" + std::to_string(line) + ": " + message);
}

}  // namespace softalign
