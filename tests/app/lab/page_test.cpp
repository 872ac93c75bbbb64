#include "app/lab/page.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/lab/summary.h"
#include "data/file.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

Report example(const std::string& name = "variance") {
  Report report;
  report.name = name;
  report.number = 4;
  report.title = {"Variance & <more>", "方差"};
  report.claim = {"The variance is $d$.", "方差等于 $d$。"};
  report.formula = "<math></math>";
  report.measured = {"Random pairs.", "随机向量对。"};
  report.verdicts = {{"slope", {"It is 1.", "等于 1。"}, true, {"1.00", "1.00"}},
                     {"other", {"It is 2.", "等于 2。"}, false, {"1.00", "1.00"}}};
  report.blocks.push_back(
      Table{"numbers", {"Numbers", "数值"}, {{"d", same("$d$"), 0}}, {{1.0}, {2.0}}});
  report.blocks.push_back(
      Plot{"curve", {"A curve", "曲线"}, {}, {}, {{same("c"), {point(0, 1), point(1, 2)}}}});
  report.blocks.push_back(Picture{"picture", {"A picture", "图"}, "<svg/>"});
  report.command = "softalign lab variance --quick";
  report.seconds = 3;
  return report;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(LabPage, SpeaksBothLanguagesAndEscapesThem) {
  const std::string page = render_page(example(), {});
  EXPECT_TRUE(has(page, "Variance &amp; &lt;more&gt;"));
  EXPECT_TRUE(has(page, "<p lang=\"en\" class=\"claim\">The variance is <i>d</i>.</p>"));
  EXPECT_TRUE(has(page, "<p lang=\"zh\" class=\"claim\">方差等于 <i>d</i>。</p>"));
  EXPECT_TRUE(has(page, "softalign lab variance --quick"));
}

TEST(LabPage, SaysWhatIsConfirmedAndWhatIsnt) {
  const std::string page = render_page(example(), {});
  EXPECT_TRUE(has(page, "✓ confirmed"));
  EXPECT_TRUE(has(page, "✗ not confirmed"));
  EXPECT_TRUE(has(page, "✗ 未证实"));
  const std::string text = render_terminal(example(), Language::english);
  EXPECT_TRUE(has(text, "confirmed: It is 1."));
  EXPECT_TRUE(has(text, "NOT CONFIRMED: It is 2."));
}

TEST(LabPage, NeedsNothingFromOutside) {
  const std::string page = render_page(example(), {example(), example("scores")});
  for (const std::string part : {"http://", "https://", "src=", "@import"}) {
    std::string rest = page;
    // Names of XML vocabularies are no addresses.
    for (const std::string name :
         {"http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"})
      for (size_t at = rest.find(name); at != std::string::npos; at = rest.find(name))
        rest.erase(at, name.size());
    EXPECT_FALSE(has(rest, part)) << part;
  }
  EXPECT_TRUE(has(page, "<a href=\"scores.html\">scores</a>"));
}

TEST(LabPage, IndexLinksAll) {
  const std::string index = render_index({example(), example("scores")});
  EXPECT_TRUE(has(index, "<a href=\"variance.html\">"));
  EXPECT_TRUE(has(index, "<a href=\"scores.html\">"));
}

TEST(LabPage, WritesEveryTableAndPictureAsAFile) {
  const TempDir folder;
  write_report(example(), {}, folder.path());
  EXPECT_EQ(read_bytes(folder / "numbers.csv"), "d\n1\n2\n");
  EXPECT_TRUE(has(read_bytes(folder / "curve.svg"), "A curve"));
  EXPECT_TRUE(has(read_bytes(folder / "curve.zh.svg"), "曲线"));
  EXPECT_EQ(read_bytes(folder / "picture.svg"), "<svg/>");
  EXPECT_TRUE(has(read_bytes(folder / "variance.html"), "href=\"numbers.csv\""));
}

TEST(LabSummary, ComesBackAsItWas) {
  const TempDir folder;
  write_atomically(folder / "variance.json", summary_json(example()));
  write_atomically(folder / "scores.json", "{\"name\": 3}");
  const std::vector<Report> reports =
      read_summaries(folder.path(), {"scores", "variance", "alignment"});
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].title.zh, "方差");
  EXPECT_EQ(reports[0].number, 4u);
  ASSERT_EQ(reports[0].verdicts.size(), 2u);
  EXPECT_FALSE(reports[0].verdicts[1].confirmed);
  EXPECT_EQ(reports[0].verdicts[1].words.en, "1.00");
}

}  // namespace
}  // namespace softalign
