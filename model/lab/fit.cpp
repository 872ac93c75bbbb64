#include "model/lab/fit.h"

#include <algorithm>
#include <cmath>

#include "data/error.h"

namespace softalign {
namespace {

std::vector<double> logarithms(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    if (!(value > 0)) throw Error("an exponent can be fitted to positive numbers only");
    result.push_back(std::log(value));
  }
  return result;
}

}  // namespace

Line fit_line(const std::vector<double>& x, const std::vector<double>& y,
              const std::vector<double>& errors) {
  if (x.size() != y.size() || (!errors.empty() && errors.size() != x.size()))
    throw Error("a line can be fitted to as many x as y only");
  const auto weight = [&](size_t i) { return errors.empty() ? 1 : 1 / (errors[i] * errors[i]); };
  double total = 0, mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    total += weight(i);
    mean_x += weight(i) * x[i];
    mean_y += weight(i) * y[i];
  }
  mean_x /= total;
  mean_y /= total;
  double squares = 0, products = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    squares += weight(i) * (x[i] - mean_x) * (x[i] - mean_x);
    products += weight(i) * (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (!(squares > 0)) throw Error("a line can be fitted to two different x at least");
  const double slope = products / squares;
  return {slope, mean_y - slope * mean_x};
}

double fit_exponent(const std::vector<double>& x, const std::vector<double>& y) {
  return fit_line(logarithms(x), logarithms(y)).slope;
}

double falls_below(const std::vector<double>& x, const std::vector<double>& y, double level) {
  for (size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!(y[i] < level)) continue;
    if (i == 0) return x[0];
    const double share = (y[i - 1] - level) / (y[i - 1] - y[i]);
    return x[i - 1] * std::pow(x[i] / x[i - 1], share);
  }
  return 0;
}

}  // namespace softalign
