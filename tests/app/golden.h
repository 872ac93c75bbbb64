#pragma once

#include <string>

namespace softalign {

/// Compares with tests/app/golden/`name`. With SOFTALIGN_UPDATE_GOLDEN=1 in the environment the
/// file is written instead; read the difference before you commit it.
void expect_golden(const std::string& name, const std::string& actual);

}  // namespace softalign
