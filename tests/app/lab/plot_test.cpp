#include "app/lab/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/app/well_formed.h"

namespace softalign {
namespace {

Plot example() {
  Plot plot{"example",
            {"Curves & <lines>", "曲线"},
            {{"width $d$", "宽度 $d$"}, Scale::logarithmic, {}, {}, {}},
            {{"time", "时间"}, Scale::logarithmic, {}, {}, {}},
            {}};
  plot.series.push_back(
      {{"theory", "理论"}, {point(1, 1), point(4096, 4096)}, Series::Style::theory});
  plot.series.push_back(
      {{"measured", "实测"}, {point(1, 1.1), {64, 60, 50, 70}, point(4096, 4000)}});
  return plot;
}

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(LabPlot, IsWellFormedInBothLanguages) {
  for (const Language language : {Language::english, Language::chinese})
    EXPECT_EQ(xml_fault(render_plot(example(), language)), "");
  EXPECT_NE(render_plot(example(), Language::chinese).find("实测"), std::string::npos);
}

TEST(LabPlot, DrawsEveryPointAndErrorBar) {
  const std::string svg = render_plot(example(), Language::english);
  EXPECT_EQ(count(svg, "<circle"), 3u);  // markers of the one measured curve
  EXPECT_EQ(count(svg, "<path fill=\"none\" class=\"lp-l0\""), 1u);
  EXPECT_EQ(count(svg, "stroke-dasharray"), 1u);
  EXPECT_EQ(count(svg, "<line class=\"lp-l0\""), 3u);  // one bar with its two ends
}

TEST(LabPlot, WhatALogarithmCantShowIsLeftOut) {
  Plot plot = example();
  plot.series[1].points.push_back(point(8192, 0));
  plot.series[1].points.push_back(point(8192, std::nan("")));
  const std::string svg = render_plot(plot, Language::english);
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_EQ(count(svg, "<circle"), 3u);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
}

TEST(LabPlot, OneConstantCurveAndNoneAtAllCanBeDrawn) {
  Plot plot = example();
  plot.series = {{same("flat"), {point(1, 5), point(2, 5)}}};
  EXPECT_EQ(xml_fault(render_plot(plot, Language::english)), "");
  plot.series.clear();
  EXPECT_EQ(render_plot(plot, Language::english).find("nan"), std::string::npos);
}

TEST(AxisTicks, AreRoundNumbersInsideTheRange) {
  EXPECT_EQ(axis_ticks(0, 10, Scale::linear, 5), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_EQ(axis_ticks(1, 4096, Scale::logarithmic, 13).size(), 13u);  // powers of two
  EXPECT_EQ(axis_ticks(1, 4096, Scale::logarithmic, 7),
            (std::vector<double>{1, 4, 16, 64, 256, 1024, 4096}));
  EXPECT_EQ(axis_ticks(0.5e-3, 3, Scale::logarithmic, 6),
            (std::vector<double>{0.001, 0.01, 0.1, 1}));
  for (const double tick : axis_ticks(3, 45, Scale::logarithmic, 6)) {
    EXPECT_GE(tick, 3);
    EXPECT_LE(tick, 45);
  }
}

}  // namespace
}  // namespace softalign
