#pragma once

#include <cstdint>
#include <vector>

namespace softalign {

/// y ≈ intercept + slope · x.
struct Line {
  double slope = 0, intercept = 0;
};

/// Least squares, each point weighted by 1/error² (empty `errors`: all alike). Throws Error unless
/// the lists are equally long and have two different x.
Line fit_line(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& errors = {});

/// The exponent p of y ≈ c · xᵖ: the slope of log y against log x. All numbers must be positive.
double fit_exponent(const std::vector<double>& x, const std::vector<double>& y);

/// Where y, from above to below `level`, crosses it first, between neighbours on a logarithmic x
/// axis; 0 if it never does. x ascends and is positive.
double falls_below(const std::vector<double>& x, const std::vector<double>& y, double level);

}  // namespace softalign
