#include "app/log.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "data/unicode.h"

namespace softalign {

void set_up_log(Verbosity verbosity) {
  const auto mode =
      shows_colour(STDERR_FILENO) ? spdlog::color_mode::always : spdlog::color_mode::never;
  auto logger = std::make_shared<spdlog::logger>(
      "softalign", std::make_shared<spdlog::sinks::stderr_color_sink_mt>(mode));
  logger->set_level(verbosity == Verbosity::quiet     ? spdlog::level::warn
                    : verbosity == Verbosity::verbose ? spdlog::level::debug
                                                      : spdlog::level::info);
  logger->set_pattern(verbosity == Verbosity::verbose ? "%H:%M:%S.%e %^%l%$ %v" : "%^%l%$ %v");
  spdlog::set_default_logger(std::move(logger));
}

bool is_quiet() { return spdlog::default_logger_raw()->level() >= spdlog::level::warn; }

bool shows_colour(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(descriptor) != 0 && (!no_colour || *no_colour == '\0') && terminal &&
         std::string_view(terminal) != "dumb";
}

int64_t terminal_columns(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

ProgressLine::ProgressLine() : visible_(isatty(STDERR_FILENO) != 0 && !is_quiet()) {}

void ProgressLine::show(double progress, const std::string& text) {
  if (!visible_) return;
  constexpr int kBarWidth = 24;
  const int filled = static_cast<int>(std::lround(std::clamp(progress, 0.0, 1.0) * kBarWidth));
  std::string line = "[";
  for (int i = 0; i < kBarWidth; ++i) line += i < filled ? "█" : " ";
  line += "] " + text;
  while (display_width(line) >= terminal_columns(STDERR_FILENO) && !line.empty()) {
    do line.pop_back();
    while (!line.empty() && (line.back() & 0xC0) == 0x80);
    if (!line.empty() && (line.back() & 0xC0) == 0xC0)
      line.pop_back();  // the lead byte that is left
  }
  std::cerr << "\r\x1b[K" << line << std::flush;
  drawn_ = true;
}

void ProgressLine::clear() {
  if (drawn_) std::cerr << "\r\x1b[K" << std::flush;
  drawn_ = false;
}

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(std::llround(std::max(0.0, seconds)));
  const auto two_digits = [](int64_t n) { return (n < 10 ? "0" : "") + std::to_string(n); };
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + two_digits(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + two_digits(whole / 60 % 60) + " min";
}

std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  const size_t first = digits.front() == '-' ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3;) digits.insert(i -= 3, ",");
  return digits;
}

std::string fixed(double value, int decimals) {
  char buffer[400];
  const auto result =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, decimals);
  return {buffer, result.ptr};
}

}  // namespace softalign
