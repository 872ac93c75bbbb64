#include "app/lab/table.h"

#include <gtest/gtest.h>

#include <cmath>

namespace softalign {
namespace {

Table example() {
  return {
      "example",
      {"A table.", "一张表。"},
      {{"d", same("$d$"), 0}, {"score", {"score", "打分"}, 0}, {"ms", {"time", "时间"}, 2, true}},
      {{16.0, same("dot, \"plain\""), 1.25}, {1024.0, Text{"additive", "加性"}, std::nan("")}}};
}

TEST(LabTable, CsvIsQuotedAndMarksMeasuredTimes) {
  EXPECT_EQ(to_csv(example()),
            "d,score,ms_measured\n16,\"dot, \"\"plain\"\"\",1.25\n1024,additive,\n");
}

TEST(LabTable, LinesUpInATerminalInBothLanguages) {
  EXPECT_EQ(to_terminal(example(), Language::english),
            "   d  score         time*\n"
            "─────────────────────────\n"
            "  16  dot, \"plain\"   1.25\n"
            "1024  additive          –\n"
            "* measured: differs from run to run\n");
  // Wide characters take two columns.
  EXPECT_NE(to_terminal(example(), Language::chinese).find("1024  加性              –\n"),
            std::string::npos)
      << to_terminal(example(), Language::chinese);
}

TEST(LabTable, HtmlIsEscaped) {
  Table table = example();
  table.rows[0][1] = same("<script>");
  const std::string html = to_html(table, Language::english);
  EXPECT_EQ(html.find("<script>"), std::string::npos);
  EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
  EXPECT_NE(html.find("<p class=\"caption\">A table.</p>"), std::string::npos);
}

}  // namespace
}  // namespace softalign
