#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/process.h"
#include "tests/support/temp_dir.h"

namespace softalign {

/// Why no browser can be driven here, or "" if one can: chromedriver (Debian's chromium-driver) and
/// its Chromium must be there.
std::string why_no_browser();

struct BrowserOptions {
  int width = 1280, height = 900;
  std::string language = "en-GB";
  bool dark = false;
};

/// A headless Chromium, driven through chromedriver's WebDriver protocol (W3C). It can't be used
/// where why_no_browser() has something to say.
class Browser {
 public:
  explicit Browser(const BrowserOptions& options = {});
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  void open(const std::string& url);
  /// The value of a JavaScript expression in the page; promises are waited for.
  nlohmann::json value(const std::string& expression);
  /// Waits until the expression is true; false after `seconds`.
  bool wait_for(const std::string& expression, double seconds = 20);
  void click(const std::string& selector);
  void type(const std::string& selector, const std::string& text);
  /// Keys to whatever has the focus. "\uE004" is Tab, as WebDriver spells special keys.
  void press(const std::string& keys);
  void hover(const std::string& selector);
  /// Presses at the element's left edge, and lets go at `share` of its width.
  void drag_to(const std::string& selector, double share);
  /// The screen as PNG bytes: what a person sees, or with `whole` all of the page.
  std::string screenshot(bool whole = false);
  /// Every address that was asked for since the last call, data: and blob: left out.
  std::vector<std::string> requested_addresses();
  /// Errors that the page wrote to its console, a violated security policy among them.
  std::vector<std::string> console_errors();
  std::filesystem::path downloads() const { return folder_ / "downloads"; }

 private:
  nlohmann::json command(const std::string& method, const std::string& path,
                         const nlohmann::json& body = nlohmann::json::object());
  nlohmann::json devtools(const std::string& method, const nlohmann::json& parameters);
  std::string element(const std::string& selector);

  TempDir folder_;
  std::optional<RunningProcess> driver_;
  int port_ = 0;
  std::string session_;
};

/// Special keys of WebDriver.
constexpr const char* kTab = "\uE004";
constexpr const char* kEnter = "\uE007";
constexpr const char* kEscape = "\uE00C";
constexpr const char* kArrowLeft = "\uE012";
constexpr const char* kArrowUp = "\uE013";
constexpr const char* kArrowRight = "\uE014";
constexpr const char* kArrowDown = "\uE015";

}  // namespace softalign
