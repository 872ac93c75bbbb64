#pragma once

#include <string>

namespace softalign {

/// Six significant digits, no trailing zeros, a decimal point in every locale; "nan", "inf".
std::string short_number(double value);

}  // namespace softalign
