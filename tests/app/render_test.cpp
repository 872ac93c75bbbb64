#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <locale>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/render/heatmap.h"
#include "app/render/json.h"
#include "app/render/label.h"
#include "app/render/number.h"
#include "data/unicode.h"
#include "tests/app/golden.h"
#include "tests/app/render_examples.h"

namespace softalign {
namespace {

using Strings = std::vector<std::string>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_colour(const std::string& text) {
  std::string plain;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b')
      i = text.find('m', i);
    else
      plain += text[i];
  }
  return plain;
}

TerminalStyle plain_style(int64_t columns = 80) {
  TerminalStyle style;
  style.colour = false;
  style.columns = columns;
  return style;
}

Strings texts(const std::vector<Label>& labels) {
  Strings texts;
  for (const Label& label : labels) texts.push_back(label.text);
  return texts;
}

/// The lines of the only panel that begin with a target label.
std::vector<std::string> grid_rows(const std::string& picture, size_t rows) {
  std::vector<std::string> lines = lines_of(without_colour(picture));
  const auto gap = std::find(lines.begin(), lines.end(), "");  // before the legend
  return {gap - static_cast<std::ptrdiff_t>(rows), gap};
}

TEST(Labels, DropTheWordMarkAndShowHowPiecesGoOn) {
  EXPECT_EQ(texts(labels_of({"▁sleep", "ing", "▁cat", "s", ".", "</s>"}, false)),
            (Strings{"sleep", "·ing", "cat", "·s", ".", "⏎"}));
  EXPECT_EQ(texts(labels_of({"▁", "我", "喜欢", "cat", "s", "。"}, false)),
            (Strings{"␣", "我", "喜欢", "cat", "·s", "。"}));
}

TEST(Labels, WholeWordsStayAsTheyAre) {
  EXPECT_EQ(texts(labels_of({"sleeping", "cats."}, true)), (Strings{"sleeping", "cats."}));
}

TEST(Labels, S08_EosIsOnlyTheLastToken) {
  EXPECT_EQ(texts(labels_of({"▁a", "</s>", "▁b", "</s>"}, false)).back(), "⏎");
  EXPECT_EQ(texts(labels_of({"▁a", "</s>", "▁b", "</s>"}, false))[1], "</s>");
}

TEST(Labels, CutTokensKeepToTheirWidth) {
  const Label label = labels_of({"▁图书馆图书馆"}, false).front();
  EXPECT_EQ(label.width, 12);
  EXPECT_EQ(shortened(label, 12).text, "图书馆图书馆");
  EXPECT_EQ(shortened(label, 8).text, "图书馆…");
  EXPECT_EQ(shortened(label, 7).text, "图书馆…");
}

TEST(Labels, ControlCharactersCanReachNoTerminal) {
  const Label label = labels_of({"▁a\x1b[2J\xe2\x80\xae"
                                 "b\xff"},
                                false)
                          .front();
  EXPECT_EQ(label.text, "a\uFFFD[2Jb\uFFFD");
}

TEST(Words, BeginAtTheMarkAndAtEveryPieceOfAScriptWithoutSpaces) {
  using Ids = std::vector<int64_t>;
  EXPECT_EQ(words_of_tokens({"▁sleep", "ing", "▁cat", "s", ".", "</s>"}), (Ids{0, 0, 1, 1, 1}));
  EXPECT_EQ(words_of_tokens({"▁我", "喜欢", "猫", "。", "</s>"}), (Ids{0, 1, 2, 3}));
  EXPECT_EQ(words_of_tokens({"▁", "我", "GPS", "2", "猫", "</s>"}), (Ids{0, 0, 1, 1, 2}));
  EXPECT_EQ(words_of_tokens({"▁cat", "<unk>", "▁a"}), (Ids{0, 1, 2}));
  EXPECT_EQ(words_of_tokens({}), Ids{});
}

TEST(Terminal, ColumnsLineUpForWideCharacters) {
  for (const Heatmap& map : {reordering_map(), latin_map(), arabic_map()}) {
    for (const bool colour : {false, true}) {
      TerminalStyle style = plain_style();
      style.colour = colour;
      const auto rows = grid_rows(render_terminal(map, style), map.target_tokens.size());
      for (const std::string& row : rows)
        EXPECT_EQ(display_width(row), display_width(rows.front())) << row;
      EXPECT_LE(display_width(rows.front()), 80);
    }
  }
}

TEST(Terminal, EverySourceTokenStandsAboveItsColumn) {
  const Heatmap map = reordering_map();
  const auto lines = lines_of(render_terminal(map, plain_style()));
  const auto rows = grid_rows(render_terminal(map, plain_style()), map.target_tokens.size());
  // 我 is what "I" looks at; its character begins over the full tile of the first row.
  const std::string& header = lines.front();
  const size_t full = rows.front().find("█");
  ASSERT_NE(full, std::string::npos);
  const int64_t tile = display_width(rows.front().substr(0, full));
  const int64_t label = display_width(header.substr(0, header.find("我")));
  EXPECT_GE(label, tile);
  EXPECT_LE(label + 2, tile + display_width("█████85"));
}

TEST(Terminal, LooksAsBefore) {
  expect_golden("terminal_shades.txt", render_terminal(reordering_map(), plain_style()));
  expect_golden("terminal_latin.txt", render_terminal(latin_map(), plain_style()));
  TerminalStyle colours;
  colours.heading = true;
  expect_golden("terminal_colour.txt", render_terminal(reordering_map(), colours));
}

TEST(Terminal, WithoutColourThereIsNoEscapeSequence) {
  for (const Heatmap& map : {reordering_map(), markup_map(), no_attention_map(), Heatmap{}})
    EXPECT_EQ(render_terminal(map, plain_style()).find('\x1b'), std::string::npos);
}

TEST(Terminal, WidePicturesAreSplitIntoPanels) {
  const Heatmap map = diagonal_map(40, 50);
  const std::string picture = render_terminal(map, plain_style());
  size_t rows = 0, panels = 0;
  for (const std::string& line : lines_of(picture)) {
    EXPECT_LE(display_width(line), 80) << line;
    rows += line.find("t49  ") != std::string::npos ? 1 : 0;
    panels += line.find(" of 40") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(panels, 2U);
  EXPECT_EQ(rows, panels);
  for (size_t i = 0; i < map.source_tokens.size(); ++i)
    EXPECT_NE(picture.find("s" + std::to_string(i)), std::string::npos) << i;
  EXPECT_NE(picture.find("of 40"), std::string::npos);
  EXPECT_EQ(render_terminal(map, plain_style(300)).find("of 40"), std::string::npos);
}

TEST(Terminal, ANarrowTerminalStillGetsAPicture) {
  for (const int64_t columns : {-5, 0, 1, 12, 20})
    EXPECT_NE(render_terminal(reordering_map(), plain_style(columns)).find("of 8"),
              std::string::npos);
}

TEST(Terminal, ARightToLeftLabelIsEndedBeforeTheNumbers) {
  Heatmap map = arabic_map();
  std::swap(map.source_tokens, map.target_tokens);
  map.weights = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  EXPECT_NE(render_terminal(map, plain_style()).find("كتابا\u200E  "), std::string::npos);
}

TEST(Pictures, SayWhenThereIsNoAttention) {
  const std::string note(kNoAttention);
  EXPECT_EQ(render_terminal(no_attention_map(), plain_style()), note + "\n");
  EXPECT_NE(render_svg(no_attention_map()).find(escape_markup(note)), std::string::npos);
  EXPECT_NE(render_html({no_attention_map()}, "x").find(note), std::string::npos);
  EXPECT_NE(render_tsv({no_attention_map()}).find("0\t0\t▁Yes\t0\t▁好\t0\n"), std::string::npos);
}

TEST(Pictures, S01_AnEmptySentenceIsDrawnAsNothing) {
  EXPECT_EQ(render_terminal({}, plain_style()), "(nothing to attend to)\n");
  EXPECT_EQ(render_tsv({{}}), kTsvHeader);
  EXPECT_EQ(render_pharaoh({}), "");
  EXPECT_EQ(to_json(merge_words({})),
            "{\"source\":\"\",\"translation\":\"\",\"score\":null,\"source_tokens\":[],"
            "\"target_tokens\":[],\"attention\":[]}");
}

TEST(Pictures, WeightsOutsideTheirRangeAreSafe) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Heatmap map = single_map();
  map.source_tokens = {"▁a", "▁b", "▁c", "▁d", "▁e"};
  map.weights = {{nan, 2.0F, -1.0F, inf}};  // and the fifth is missing
  const Strings drawn{"0", "1", "0", "1", "0"};
  for (size_t i = 0; i < drawn.size(); ++i)
    EXPECT_EQ(short_number(drawn_weight(map, 0, i)), drawn[i]);
  EXPECT_NE(render_terminal(map, plain_style()).find("100"), std::string::npos);
  EXPECT_EQ(render_terminal(map, plain_style()).find("nan"), std::string::npos);
  EXPECT_EQ(render_svg(map).find("nan"), std::string::npos);
  const auto json = nlohmann::json::parse(to_json(map));
  EXPECT_TRUE(json["attention"][0][0].is_null());
  EXPECT_TRUE(json["attention"][0][3].is_null());
  EXPECT_EQ(json["attention"][0][1], 2);
}

TEST(Tsv, HasOneLinePerWeight) {
  Heatmap map = single_map();
  map.source_tokens = {"▁好", "</s>"};
  map.weights = {{0.875F, 0.125F}};
  EXPECT_EQ(render_tsv({map, map}),
            "sentence\tstep\ttarget_token\tsource_index\tsource_token\tweight\n"
            "0\t0\t▁Yes\t0\t▁好\t0.875\n"
            "0\t0\t▁Yes\t1\t</s>\t0.125\n"
            "1\t0\t▁Yes\t0\t▁好\t0.875\n"
            "1\t0\t▁Yes\t1\t</s>\t0.125\n");
}

TEST(Tsv, EscapesWhatWouldBreakALine) {
  Heatmap map = single_map();
  map.source_tokens = {"a\tb\nc\rd\\e"};
  EXPECT_EQ(tsv_lines(map, 7), "7\t0\t▁Yes\t0\ta\\tb\\nc\\rd\\\\e\t1\n");
}

TEST(Json, S05_IsValidWhateverTheText) {
  Heatmap map = single_map();
  map.source = std::string("a\0b", 3) + "\xff\xfe \"\\\n\x1f\x7f";
  map.score = -1.25;
  const auto json = nlohmann::json::parse(to_json(map));
  EXPECT_EQ(json["source"].get<std::string>(),
            std::string("a\0b", 3) + "\uFFFD\uFFFD \"\\\n\x1f\x7f");
  EXPECT_EQ(json["score"], -1.25);
  EXPECT_EQ(json["attention"][0][0], 1);
  EXPECT_EQ(to_json(map).find('\n'), std::string::npos);
}

TEST(Numbers, HaveSixDigitsAndNoMore) {
  EXPECT_EQ(short_number(0.1F), "0.1");
  EXPECT_EQ(short_number(1.0 / 3), "0.333333");
  EXPECT_EQ(short_number(-12.3456789), "-12.3457");
  EXPECT_EQ(short_number(1.5e-9), "1.5e-09");
  EXPECT_EQ(short_number(-0.0), "0");
  EXPECT_EQ(json_number(std::nan("")), "null");
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Pictures, S18_DontDependOnTheLocale) {
  const Heatmap map = diagonal_map(40, 50);
  const auto all = [&] {
    return to_json(map) + render_tsv({map}) + render_svg(map) + render_html({map}, "x") +
           render_terminal(map, {});
  };
  const std::string classic = all();
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const std::string comma = all();
  std::locale::global(before);
  EXPECT_EQ(comma, classic);
}

/// "unknown cat" → "ein Katze", in pieces, 0.2 of each row on EOS.
Heatmap piece_map() {
  Heatmap map;
  map.source = "unknown cat";
  map.target = "ein Katze";
  map.source_tokens = {"▁un", "known", "▁cat", "</s>"};
  map.target_tokens = {"▁ein", "▁Kat", "ze", "</s>"};
  map.weights = {{0.1F, 0.1F, 0.6F, 0.2F},
                 {0.0F, 0.2F, 0.6F, 0.2F},
                 {0.5F, 0.2F, 0.1F, 0.2F},
                 {0.0F, 0.0F, 0.0F, 1.0F}};
  return map;
}

TEST(Words, SumOverTheSourceWordAndAverageOverTheTargetWord) {
  const Heatmap words = merge_words(piece_map());
  EXPECT_EQ(words.source_tokens, (Strings{"unknown", "cat"}));
  EXPECT_EQ(words.target_tokens, (Strings{"ein", "Katze"}));
  ASSERT_EQ(words.weights.size(), 2U);
  // ein: (0.2, 0.6) / 0.8.   Katze: ((0.2, 0.6) + (0.7, 0.1)) / 2 / 0.8.
  EXPECT_NEAR(words.weights[0][0], 0.25, 1e-6);
  EXPECT_NEAR(words.weights[0][1], 0.75, 1e-6);
  EXPECT_NEAR(words.weights[1][0], 0.5625, 1e-6);
  EXPECT_NEAR(words.weights[1][1], 0.4375, 1e-6);
  EXPECT_EQ(to_json(merge_words(words)), to_json(words));
}

TEST(Pharaoh, LinksEachTargetWordToItsHeaviestSourceWord) {
  EXPECT_EQ(render_pharaoh(piece_map()), "1-0 0-1");
}

}  // namespace
}  // namespace softalign
