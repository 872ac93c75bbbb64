#pragma once

#include <string>
#include <vector>

#include "app/lab/report.h"

namespace softalign {

/// A standalone, well-formed SVG picture without scripts, light and dark by the reader's
/// preference. Curves carry their names at their ends, and differ by marker as well as by colour.
std::string render_plot(const Plot& plot, Language language);

/// Round numbers from `low` to `high`, about so many; on a logarithmic axis powers of 2 or of 10.
std::vector<double> axis_ticks(double low, double high, Scale scale, int about);

}  // namespace softalign
