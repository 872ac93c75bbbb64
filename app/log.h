#pragma once

#include <cstdint>
#include <string>

namespace softalign {

enum class Verbosity { quiet, normal, verbose };

/// Makes spdlog's default logger write to standard error: warnings and errors only when quiet,
/// debug messages too when verbose. Colour only on a terminal, without NO_COLOR. Commands then
/// use spdlog::info, warn, debug.
void set_up_log(Verbosity verbosity);
/// Whether set_up_log was told to be quiet.
bool is_quiet();

/// True if the file descriptor is a terminal that shows colour: not with NO_COLOR, not TERM=dumb.
bool shows_colour(int descriptor);
/// Columns of the terminal at this file descriptor, or 80.
int64_t terminal_columns(int descriptor);

/// One line at the foot of the terminal that is redrawn in place; nothing where standard error
/// isn't a terminal or the log is quiet. Log messages must come between clear() and show().
class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool visible() const { return visible_; }
  /// [████    ] text, cut to the terminal's width. progress in [0, 1].
  void show(double progress, const std::string& text);
  void clear();

 private:
  bool visible_;
  bool drawn_ = false;
};

/// "42 s", "3 min 20 s", "1 h 05 min".
std::string duration(double seconds);
/// 1234567 as "1,234,567".
std::string grouped(int64_t number);
/// Fixed-point text with a point whatever the locale.
std::string fixed(double value, int decimals);

}  // namespace softalign
