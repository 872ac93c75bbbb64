#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "app/render/colour.h"
#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "tests/app/golden.h"
#include "tests/app/render_examples.h"
#include "tests/app/well_formed.h"

namespace softalign {
namespace {

size_t count(const std::string& text, const std::string& what) {
  size_t found = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

std::vector<Heatmap> all_maps() {
  return {reordering_map(), latin_map(),        arabic_map(), single_map(),
          markup_map(),     no_attention_map(), Heatmap{},    diagonal_map(40, 50)};
}

nlohmann::json island(const std::string& page) {
  const std::string start = "<script type=\"application/json\" id=\"maps\">";
  const size_t begin = page.find(start) + start.size();
  return nlohmann::json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(WellFormed, NoticesWhatIsNot) {
  EXPECT_EQ(xml_fault("<a b=\"c\"><d/>x &amp; y</a>\n"), "");
  for (const char* bad : {"<a>", "<a></b>", "<a b=c/>", "<a>&</a>", "<a b=\"<\"/>", "<a/><b/>", "x",
                          "<a b=\"1\" b=\"2\"/>", "<a>\x01</a>"})
    EXPECT_NE(xml_fault(bad), "") << bad;
}

TEST(Svg, S39_IsWellFormedWhateverTheText) {
  for (const Heatmap& map : all_maps()) EXPECT_EQ(xml_fault(render_svg(map)), "") << map.source;
  const std::string svg = render_svg(markup_map());
  EXPECT_EQ(count(svg, "<script"), 0U);
  EXPECT_NE(svg.find(">&lt;script&gt;alert(1)&lt;/script&gt;<"), std::string::npos);
}

TEST(Svg, NamesTheWeightOfEveryCell) {
  const std::string svg = render_svg(reordering_map());
  EXPECT_EQ(count(svg, "<title>"), 9U * 8U + 1U);
  EXPECT_NE(svg.find("<title>▁read ← 看: 0.9</title>"), std::string::npos);
}

TEST(Svg, LabelsOfRightToLeftScriptsEndAtTheGrid) {
  Heatmap map = arabic_map();
  // Slanted above the grid: the text's left end, the end of its reading direction, is there.
  EXPECT_NE(render_svg(map).find("direction=\"rtl\""), std::string::npos);
  EXPECT_NE(render_svg(map).find("rotate(-45)\" text-anchor=\"end\">كتابا<"), std::string::npos);
  std::swap(map.source_tokens, map.target_tokens);
  const std::string svg = render_svg(map);
  const size_t label = svg.find(">كتابا<");
  // Left of the grid: the text's right end, where its reading starts.
  EXPECT_EQ(svg.substr(label - 20, 20), " text-anchor=\"start\"");
}

TEST(Svg, LooksAsBefore) { expect_golden("reordering.svg", render_svg(reordering_map())); }

TEST(Svg, IsDarkForReadersWhoLikeItDark) {
  EXPECT_NE(render_svg(single_map()).find("@media (prefers-color-scheme:dark)"), std::string::npos);
}

TEST(Html, S39_TextIsNeverMarkup) {
  const std::string page = render_html(all_maps(), "</title><script>alert(2)</script>");
  EXPECT_EQ(count(page, "<script"), 2U);
  EXPECT_EQ(count(page, "</script"), 2U);
  EXPECT_EQ(count(page, "<title"), 1U);
  EXPECT_EQ(count(page, "<img"), 0U);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;x&quot; &#39;y&#39;"),
            std::string::npos);
  EXPECT_EQ(island(page)[4]["sources"][0]["text"], "<script>alert(1)</script>");
  EXPECT_EQ(island(page)[4]["targets"][0]["text"], "</script>");
}

TEST(Html, AsksForNothingFromOutside) {
  const std::string page = render_html(all_maps(), "x");
  for (const char* outside : {"http:", "https:", "src=", "url(", "@import", "fetch("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
}

TEST(Html, HoldsEverySentenceAndWeight) {
  const std::string page = render_html(all_maps(), "x");
  EXPECT_EQ(count(page, "<article "), all_maps().size());
  const auto maps = island(page);
  ASSERT_EQ(maps.size(), all_maps().size());
  EXPECT_EQ(maps[0]["attention"][1][4], 0.9);
  EXPECT_EQ(maps[0]["targets"][3]["text"], "·s");
  EXPECT_EQ(maps[7]["attention"].size(), 50U);
  EXPECT_EQ(maps[7]["attention"][49].size(), 40U);
  EXPECT_NE(page.find("<p dir=\"auto\">قرأت كتابا.</p>"), std::string::npos);
}

TEST(JsonForScript, CannotEndItsElement) {
  EXPECT_EQ(json_for_script("\"</script>\u2028<!--\""), "\"\\u003c/script>\\u2028\\u003c!--\"");
}

double luminance(Rgb colour) {  // relative luminance of WCAG 2
  const auto linear = [](uint8_t byte) {
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
}

TEST(Colours, GoOneWayAndNumbersOnThemAreReadable) {
  for (const Theme theme : {Theme::light, Theme::dark}) {
    double before = theme == Theme::light ? 2 : -1;
    for (int level = 0; level <= kHeatLevels; ++level) {
      const double weight = static_cast<double>(level) / kHeatLevels;
      const double ground = luminance(heat_colour(weight, theme));
      const double text = luminance(text_colour(weight, theme));
      EXPECT_TRUE(theme == Theme::light ? ground < before : ground > before) << weight;
      before = ground;
      const double contrast = (std::max(ground, text) + 0.05) / (std::min(ground, text) + 0.05);
      EXPECT_GE(contrast, 4.5) << weight;  // WCAG 2, level AA
    }
  }
}

}  // namespace
}  // namespace softalign
