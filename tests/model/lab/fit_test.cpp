#include "model/lab/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "data/error.h"

namespace softalign {
namespace {

TEST(FitLine, FindsTheLineThroughPointsOnIt) {
  const Line line = fit_line({1, 2, 5, 9}, {5, 7, 13, 21});  // 3 + 2x
  EXPECT_NEAR(line.slope, 2, 1e-12);
  EXPECT_NEAR(line.intercept, 3, 1e-12);
}

// Normal equations by hand: x̄ = 2, ȳ = 3, Sxy = 3, Sxx = 2.
TEST(FitLine, LeastSquares) {
  const Line line = fit_line({1, 2, 3}, {2, 2, 5});
  EXPECT_NEAR(line.slope, 1.5, 1e-12);
  EXPECT_NEAR(line.intercept, 0, 1e-12);
}

TEST(FitLine, APointWithALargeErrorHardlyCounts) {
  const Line line = fit_line({1, 2, 3}, {1, 2, 30}, {0.1, 0.1, 1e6});
  EXPECT_NEAR(line.slope, 1, 1e-6);
}

TEST(FitLine, RefusesListsThatDontFit) {
  EXPECT_THROW(fit_line({1, 2}, {1}), Error);
  EXPECT_THROW(fit_line({2, 2}, {1, 3}), Error);
  EXPECT_THROW(fit_line({1, 2}, {1, 3}, {1}), Error);
}

TEST(FitExponent, FindsThePower) {
  std::vector<double> x, y;
  for (const double n : {3.0, 10.0, 50.0, 700.0}) {
    x.push_back(n);
    y.push_back(0.25 * std::pow(n, 1.7));
  }
  EXPECT_NEAR(fit_exponent(x, y), 1.7, 1e-12);
  EXPECT_THROW(fit_exponent({1, 2}, {0, 1}), Error);
}

TEST(FallsBelow, InterpolatesOnALogarithmicAxis) {
  EXPECT_NEAR(falls_below({1, 4, 16}, {1, 0.75, 0.25}, 0.5), 8, 1e-9);  // halfway from 4 to 16
  EXPECT_EQ(falls_below({1, 4, 16}, {1, 0.9, 0.8}, 0.5), 0);
  EXPECT_EQ(falls_below({2, 4}, {0.1, 0.05}, 0.5), 2);
}

}  // namespace
}  // namespace softalign
