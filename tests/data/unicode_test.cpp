#include "data/unicode.h"

#include <gtest/gtest.h>

namespace softalign {
namespace {

using namespace std::string_literals;

TEST(Unicode, S05_IllFormedSequencesAreFound) {
  EXPECT_EQ(find_invalid_utf8("plain"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("caf\xc3\xa9 \xe4\xbd\xa0 \xf0\x9f\x98\x80"), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("a\0b"s), std::nullopt);
  EXPECT_EQ(find_invalid_utf8("ab\xff\xfe"
                              "cd"),
            2u);
  EXPECT_EQ(find_invalid_utf8("\xc3"), 0u);
  EXPECT_EQ(find_invalid_utf8("x\xed\xa0\x80"), 1u);     // surrogate
  EXPECT_EQ(find_invalid_utf8("\xc0\xaf"), 0u);          // overlong
  EXPECT_EQ(find_invalid_utf8("\xe0\x9f\xbf"), 0u);      // overlong
  EXPECT_EQ(find_invalid_utf8("\xf4\x90\x80\x80"), 0u);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("\xf4\x8f\xbf\xbf"), std::nullopt);
}

// Unicode 15, §3.9, tables 3-8 to 3-11: the standard's own examples.
TEST(Unicode, EachMaximalSubpartBecomesOneReplacement) {
  const std::string r = "\xef\xbf\xbd";
  EXPECT_EQ(repair_utf8("\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(repair_utf8("\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41"),
            r + r + r + r + r + r + r + r + "A");
  EXPECT_EQ(repair_utf8("\xf4\x91\x92\x93\xff\x41\x80\xbf\x42"),
            r + r + r + r + r + "A" + r + r + "B");
  EXPECT_EQ(repair_utf8("\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41"), r + r + r + r + "A");
}

TEST(Unicode, S07_CleaningComposes) {
  EXPECT_EQ(clean_text("cafe\xcc\x81"), "caf\xc3\xa9");
  EXPECT_EQ(clean_text("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab"), "\xed\x95\x9c");  // Hangul 한
}

TEST(Unicode, S07_InvisibleCharactersAreDroppedAndSpacesBecomeOne) {
  EXPECT_EQ(clean_text("hel\xe2\x80\x8blo"), "hello");  // zero-width space
  EXPECT_EQ(clean_text("hel\xc2\xadlo\xef\xbb\xbf\xe2\x81\xa0"), "hello");
  EXPECT_EQ(clean_text("a\xc2\xa0"
                       "b\xe3\x80\x80"
                       "c\td"),
            "a b c d");
  const std::string family = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7";  // 👩 ZWJ 👧
  EXPECT_EQ(clean_text(family), family);
  EXPECT_EQ(clean_text("a\x01\x1b[0m\x7f"), "a[0m");
}

TEST(Unicode, S02_ForeignLineEndsBecomeSpaces) {
  EXPECT_EQ(clean_text("a\xe2\x80\xa8"
                       "b\xe2\x80\xa9"
                       "c\xc2\x85"
                       "d\x0c"
                       "e\x0b"
                       "f\rg"),
            "a b c d e f g");
}

TEST(Unicode, S05_NothingAfterNulIsLost) {
  EXPECT_EQ(clean_text("a\0b"s),
            "a\xef\xbf\xbd"
            "b");
  EXPECT_EQ(clean_text("\xc3\xa9\0\xc3\xa9"s), "\xc3\xa9\xef\xbf\xbd\xc3\xa9");
}

TEST(Unicode, CleaningTwiceChangesNothing) {
  for (const std::string& text :
       {"ab\xff\xfe"s, "e\xcc\x81\xe2\x80\x8b\xcc\x81"s, "\0\xc2\xa0"s, "a\xcc\x81\xcc\xa3"s}) {
    const std::string once = clean_text(text);
    EXPECT_EQ(find_invalid_utf8(once), std::nullopt);
    EXPECT_EQ(clean_text(once), once);
  }
}

TEST(Unicode, CodePointsThereAndBack) {
  const std::string text = "a\xc3\xa9\xe4\xbd\xa0\xf0\x9f\x98\x80";
  EXPECT_EQ(code_points(text), (std::vector<char32_t>{'a', 0xE9, 0x4F60, 0x1F600}));
  std::string again;
  for (const char32_t c : code_points(text)) again += to_utf8(c);
  EXPECT_EQ(again, text);
}

TEST(Unicode, DisplayWidthCountsColumns) {
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("\xe4\xbd\xa0\xe5\xa5\xbd\xef\xbc\x8c"), 6);  // 你好，
  EXPECT_EQ(display_width("e\xcc\x81"), 1);
  EXPECT_EQ(display_width("\xf0\x9f\x98\x80"), 2);
  EXPECT_EQ(display_width(""), 0);
}

TEST(Unicode, RightToLeftScriptsAreRecognised) {
  EXPECT_TRUE(is_right_to_left("abc \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"));  // Hebrew
  EXPECT_TRUE(is_right_to_left("\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85"));      // Arabic
  EXPECT_FALSE(is_right_to_left("abc 123 \xe4\xbd\xa0"));
}

TEST(Unicode, ScriptsOfEastAsia) {
  for (const char32_t c : {U'你', U'の', U'カ', U'한', U'，', U'。', U'！', U'々', U'\U00020000'}) {
    EXPECT_TRUE(is_cjk(c)) << to_utf8(c);
  }
  for (const char32_t c : {U'a', U'é', U'ж', U'1', U',', U'ท', U'😀', U'’'}) {
    EXPECT_FALSE(is_cjk(c)) << to_utf8(c);
  }
  EXPECT_TRUE(is_written_without_spaces(U'你'));
  EXPECT_TRUE(is_written_without_spaces(U'ท'));
  EXPECT_FALSE(is_written_without_spaces(U'한'));
}

TEST(Unicode, LowerCase) { EXPECT_EQ(lower_case("Äpfel ÉCOLE ЖУК 你 1"), "äpfel école жук 你 1"); }

TEST(Unicode, WordsBetweenAsciiWhiteSpace) {
  using Words = std::vector<std::string_view>;
  EXPECT_EQ(split_words(" a  bc\td\n"), (Words{"a", "bc", "d"}));
  EXPECT_EQ(split_words("a\xc2\xa0"
                        "b c"),
            (Words{"a\xc2\xa0"
                   "b",
                   "c"}));
  EXPECT_TRUE(split_words("  ").empty());
}

}  // namespace
}  // namespace softalign
