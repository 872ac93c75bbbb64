#pragma once

#include <cstdint>
#include <string>

#include "app/render/heatmap.h"

namespace softalign {

struct Rgb {
  uint8_t red = 0, green = 0, blue = 0;
};

/// The scale of all pictures: one hue, whose lightness in OKLab (Ottosson 2020) falls evenly with
/// the weight on light ground and rises evenly on dark ground. `weight` in [0, 1].
Rgb heat_colour(double weight, Theme theme);

/// Black or white: what reads better on heat_colour(weight, theme).
Rgb text_colour(double weight, Theme theme);

/// "#rrggbb"
std::string to_css(Rgb colour);

/// Pictures with style sheets use levels 0 … kHeatLevels instead of one colour per cell.
constexpr int kHeatLevels = 50;
int heat_level(double weight);

}  // namespace softalign
