#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace softalign {

/// A line of the terminal with editing and history (libedit). One at a time; standard input and
/// output must be a terminal.
class LineEditor {
 public:
  /// The history is read from and added to `history`, if it can be; empty: none is kept on disk.
  LineEditor(const std::string& prompt, std::filesystem::path history);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line, or nothing at Ctrl-D. Ctrl-C clears the line.
  std::optional<std::string> next();

 private:
  class Terminal;
  std::unique_ptr<Terminal> terminal_;
};

/// softalign/history in the user's folder for such things (XDG_STATE_HOME, else ~/.local/state);
/// empty if there is none.
std::filesystem::path history_file();

}  // namespace softalign
