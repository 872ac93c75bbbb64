#include "tests/app/golden.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "data/file.h"

namespace softalign {

void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path = std::filesystem::path(SOFTALIGN_GOLDEN_DIR) / name;
  if (std::getenv("SOFTALIGN_UPDATE_GOLDEN") != nullptr) {
    write_atomically(path, actual);
    return;
  }
  EXPECT_EQ(actual, read_bytes(path)) << "If the change is meant: SOFTALIGN_UPDATE_GOLDEN=1";
}

}  // namespace softalign
