#include "app/render/colour.h"

#include <algorithm>
#include <cmath>

namespace softalign {
namespace {

double lightness(double weight, Theme theme) {
  return theme == Theme::light ? 0.965 - 0.585 * weight : 0.255 + 0.625 * weight;
}

uint8_t to_byte(double linear) {
  const double clipped = std::clamp(linear, 0.0, 1.0);
  const double encoded =
      clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * std::pow(clipped, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(255 * encoded));
}

/// OKLab to sRGB, https://bottosson.github.io/posts/oklab/
Rgb from_oklch(double lightness, double chroma, double hue_degrees) {
  const double hue = hue_degrees * 3.14159265358979323846 / 180;
  const double a = chroma * std::cos(hue), b = chroma * std::sin(hue);
  const double l = std::pow(lightness + 0.3963377774 * a + 0.2158037573 * b, 3);
  const double m = std::pow(lightness - 0.1055613458 * a - 0.0638541728 * b, 3);
  const double s = std::pow(lightness - 0.0894841775 * a - 1.2914855480 * b, 3);
  return {to_byte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          to_byte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          to_byte(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

/// Relative luminance of WCAG 2.
double luminance(Rgb colour) {
  const auto linear = [](uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

}  // namespace

Rgb heat_colour(double weight, Theme theme) {
  constexpr double kHue = 250;
  // Little colour at the pale end, most in the middle, where the screen can show it.
  const double chroma = theme == Theme::light ? 0.008 + 0.30 * weight - 0.18 * weight * weight
                                              : 0.018 + 0.32 * weight - 0.24 * weight * weight;
  return from_oklch(lightness(weight, theme), chroma, kHue);
}

Rgb text_colour(double weight, Theme theme) {
  // Contrast with black and with white is equal, 4.58, where (L + 0.05)² = 1.05 · 0.05 (WCAG 2).
  constexpr double kMiddle = 0.1791;
  return luminance(heat_colour(weight, theme)) > kMiddle ? Rgb{0, 0, 0} : Rgb{255, 255, 255};
}

std::string to_css(Rgb colour) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string css = "#";
  for (const uint8_t byte : {colour.red, colour.green, colour.blue}) {
    css += kDigits[byte / 16];
    css += kDigits[byte % 16];
  }
  return css;
}

int heat_level(double weight) { return static_cast<int>(std::lround(weight * kHeatLevels)); }

}  // namespace softalign
