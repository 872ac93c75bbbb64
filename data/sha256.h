#pragma once

#include <string>
#include <string_view>

namespace softalign {

/// SHA-256 of `bytes` as 64 lower-case hexadecimal digits (FIPS 180-4).
std::string sha256(std::string_view bytes);

}  // namespace softalign
