#include "app/rank.h"

#include <charconv>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "data/error.h"

namespace softalign {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

int64_t number(const char* name, const std::string& text, int64_t least, int64_t most) {
  int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, fault] = std::from_chars(text.data(), end, value);
  if (fault != std::errc() || parsed != end || value < least || value > most)
    throw Error("the environment variable " + std::string(name) + " is \"" + text +
                "\": a number from " + std::to_string(least) + " to " + std::to_string(most) +
                " was expected");
  return value;
}

std::string required(const char* name) {
  const auto value = variable(name);
  if (!value)
    throw Error("WORLD_SIZE is set, but " + std::string(name) +
                " is not: start the processes with scripts/launch, torchrun or a wrapper that "
                "sets RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or unset WORLD_SIZE to train "
                "in one process");
  return *value;
}

}  // namespace

GroupConfig group_from_environment() {
  constexpr int64_t kMostProcesses = 65536, kMostPort = 65535;
  GroupConfig config;
  const auto size = variable("WORLD_SIZE");
  if (!size) return config;
  config.size = number("WORLD_SIZE", *size, 1, kMostProcesses);
  if (config.size == 1) return config;
  config.rank = number("RANK", required("RANK"), 0, config.size - 1);
  config.address = required("MASTER_ADDR");
  config.interface = variable("GLOO_SOCKET_IFNAME").value_or("");
  config.port = number("MASTER_PORT", required("MASTER_PORT"), 1, kMostPort);
  return config;
}

int64_t processes_here() {
  const auto count = variable("LOCAL_WORLD_SIZE");
  return count ? number("LOCAL_WORLD_SIZE", *count, 1, std::numeric_limits<int32_t>::max()) : 1;
}

}  // namespace softalign
