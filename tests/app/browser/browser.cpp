#include "tests/app/browser/browser.h"

#include <httplib.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace softalign {
namespace {

using nlohmann::json;

constexpr const char* kElement =
    "element-6066-11e4-a52e-4f735466cecf";  // of the WebDriver standard

/// Where a program stands in PATH, or "".
std::string path_of(const std::string& program) {
  std::istringstream folders(std::getenv("PATH") != nullptr ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string path = folder + "/" + program;
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  return "";
}

std::string decoded_base64(const std::string& text) {
  const auto value = [](char c) {
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+'             ? 62
                                  : 63;
  };
  std::string bytes;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6U | static_cast<unsigned>(value(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return bytes;
}

}  // namespace

std::string why_no_browser() {
  if (path_of("chromedriver").empty())
    return "no chromedriver here: scripts/setup --browser installs it, and Chromium";
  if (path_of("chromium").empty()) return "no chromium here: scripts/setup --browser installs it";
  return "";
}

Browser::Browser(const BrowserOptions& options) {
  driver_.emplace(path_of("chromedriver"), std::vector<std::string>{"--port=0"});
  const std::string marker = " on port ";
  while (port_ == 0) {
    const std::string line = driver_->read_line(20);
    if (line.empty()) throw std::runtime_error("chromedriver doesn't start");
    const size_t at = line.find(marker);
    if (line.find("started successfully") != std::string::npos && at != std::string::npos)
      port_ = std::stoi(line.substr(at + marker.size()));
  }
  const std::vector<std::string> arguments{
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      "--force-device-scale-factor=1",
      "--hide-scrollbars",
      "--lang=" + options.language,
      "--user-data-dir=" + (folder_ / "profile").string(),
      std::string("--blink-settings=preferredColorScheme=") + (options.dark ? "0" : "1")};
  const json preferences{{"download.default_directory", downloads().string()},
                         {"intl.accept_languages", options.language}};
  const json capabilities{
      {"capabilities",
       {{"alwaysMatch",
         {{"goog:chromeOptions",
           {{"binary", path_of("chromium")}, {"args", arguments}, {"prefs", preferences}}},
          {"goog:loggingPrefs", {{"performance", "ALL"}, {"browser", "ALL"}}}}}}}};
  session_ = command("POST", "/session", capabilities)["sessionId"];
  devtools("Emulation.setDeviceMetricsOverride", {{"width", options.width},
                                                  {"height", options.height},
                                                  {"deviceScaleFactor", 1},
                                                  {"mobile", options.width < 600}});
  devtools("Emulation.setEmulatedMedia",
           {{"features",
             {{{"name", "prefers-color-scheme"}, {"value", options.dark ? "dark" : "light"}},
              {{"name", "prefers-reduced-motion"}, {"value", "reduce"}}}}});
  requested_addresses();  // the browser's own first page
}

Browser::~Browser() {
  try {
    command("DELETE", "/session/" + session_);
  } catch (const std::exception&) {  // it is ended below in any case
  }
}

json Browser::command(const std::string& method, const std::string& path, const json& body) {
  httplib::Client client("127.0.0.1", port_);
  client.set_read_timeout(60, 0);
  const httplib::Result answer = method == "GET" ? client.Get(path)
                                 : method == "DELETE"
                                     ? client.Delete(path)
                                     : client.Post(path, body.dump(), "application/json");
  if (!answer) throw std::runtime_error("chromedriver doesn't answer: " + path);
  json value = json::parse(answer->body)["value"];
  if (answer->status != 200)
    throw std::runtime_error(path + ": " + value.value("message", answer->body));
  return value;
}

json Browser::devtools(const std::string& method, const json& parameters) {
  return command("POST", "/session/" + session_ + "/goog/cdp/execute",
                 {{"cmd", method}, {"params", parameters}});
}

std::string Browser::element(const std::string& selector) {
  return command("POST", "/session/" + session_ + "/element",
                 {{"using", "css selector"}, {"value", selector}})[kElement];
}

void Browser::open(const std::string& url) {
  command("POST", "/session/" + session_ + "/url", {{"url", url}});
}

json Browser::value(const std::string& expression) {
  return command("POST", "/session/" + session_ + "/execute/sync",
                 {{"script", "return (" + expression + ")"}, {"args", json::array()}});
}

bool Browser::wait_for(const std::string& expression, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    const json result = value("Boolean(" + expression + ")");
    if (result == true) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

void Browser::click(const std::string& selector) {
  command("POST", "/session/" + session_ + "/element/" + element(selector) + "/click");
}

void Browser::type(const std::string& selector, const std::string& text) {
  const std::string target = "/session/" + session_ + "/element/" + element(selector);
  command("POST", target + "/clear");
  command("POST", target + "/value", {{"text", text}});
}

void Browser::press(const std::string& keys) {
  json actions = json::array();
  // One key per code point.
  for (size_t i = 0; i < keys.size();) {
    size_t end = i + 1;
    while (end < keys.size() && (static_cast<unsigned char>(keys[end]) & 0xC0U) == 0x80U) ++end;
    for (const char* kind : {"keyDown", "keyUp"})
      actions.push_back({{"type", kind}, {"value", keys.substr(i, end - i)}});
    i = end;
  }
  command("POST", "/session/" + session_ + "/actions",
          {{"actions", {{{"type", "key"}, {"id", "keyboard"}, {"actions", actions}}}}});
}

void Browser::hover(const std::string& selector) {
  const json origin{{kElement, element(selector)}};
  command("POST", "/session/" + session_ + "/actions",
          {{"actions",
            {{{"type", "pointer"},
              {"id", "mouse"},
              {"actions", {{{"type", "pointerMove"}, {"origin", origin}, {"x", 0}, {"y", 0}}}}}}}});
}

void Browser::drag_to(const std::string& selector, double share) {
  const std::string name = json(selector).dump();
  value("document.querySelector(" + name + ").scrollIntoView({block: 'center'})");
  const json box =
      value("(({x, y, width, height}) => ({x, y, width, height}))(document.querySelector(" + name +
            ").getBoundingClientRect())");
  const int y = static_cast<int>(box["y"].get<double>() + box["height"].get<double>() / 2);
  const auto x = [&](double at) {
    return static_cast<int>(box["x"].get<double>() + at * box["width"].get<double>());
  };
  const auto move = [&](double at) {
    return json{{"type", "pointerMove"}, {"origin", "viewport"}, {"x", x(at)}, {"y", y}};
  };
  command("POST", "/session/" + session_ + "/actions",
          {{"actions",
            {{{"type", "pointer"},
              {"id", "mouse"},
              {"actions",
               {move(0.02),
                {{"type", "pointerDown"}, {"button", 0}},
                move(share / 2),
                move(share),
                {{"type", "pointerUp"}, {"button", 0}}}}}}}});
}

std::string Browser::screenshot(bool whole) {
  json parameters{{"format", "png"}};
  if (whole) {
    parameters["captureBeyondViewport"] = true;
    const json size = devtools("Page.getLayoutMetrics", json::object())["cssContentSize"];
    parameters["clip"] = {
        {"x", 0}, {"y", 0}, {"width", size["width"]}, {"height", size["height"]}, {"scale", 1}};
  }
  return decoded_base64(devtools("Page.captureScreenshot", parameters)["data"]);
}

std::vector<std::string> Browser::requested_addresses() {
  std::vector<std::string> addresses;
  const json log = command("POST", "/session/" + session_ + "/se/log", {{"type", "performance"}});
  for (const json& entry : log) {
    const json message = json::parse(entry["message"].get<std::string>())["message"];
    if (message["method"] != "Network.requestWillBeSent") continue;
    const std::string url = message["params"]["request"]["url"];
    if (url.rfind("data:", 0) != 0 && url.rfind("blob:", 0) != 0) addresses.push_back(url);
  }
  return addresses;
}

std::vector<std::string> Browser::console_errors() {
  std::vector<std::string> errors;
  const json log = command("POST", "/session/" + session_ + "/se/log", {{"type", "browser"}});
  for (const json& entry : log)
    if (entry["level"] == "SEVERE") errors.push_back(entry["message"]);
  return errors;
}

}  // namespace softalign
