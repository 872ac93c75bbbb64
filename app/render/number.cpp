#include "app/render/number.h"

#include <array>
#include <charconv>
#include <cmath>

namespace softalign {

std::string short_number(double value) {
  if (std::isnan(value)) return "nan";
  if (value == 0) return "0";  // no "-0"
  std::array<char, 32> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                 std::chars_format::general, 6);
  return std::string(digits.data(), end.ptr);
}

}  // namespace softalign
