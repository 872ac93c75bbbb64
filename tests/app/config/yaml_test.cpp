#include "app/config/yaml.h"

#include <gtest/gtest.h>

#include "data/error.h"

namespace softalign {
namespace {

enum class Fruit { apple, pear };
constexpr Names<Fruit, 2> kFruits{{{Fruit::apple, "apple"}, {Fruit::pear, "pear"}}};

struct Basket {
  int64_t count = 3, left = 1, right = 1;
  double weight = 0.5;
  bool fresh = true;
  Fruit fruit = Fruit::apple;
  uint64_t seed = 1;
  std::vector<std::filesystem::path> files;
};

Section declare(Basket& basket) {
  Section root("basket");
  Section& shop = root.section("shop", "");
  shop.key("count", basket.count, between(1, 100), "how many");
  shop.key("weight", basket.weight, half_open(0, 1), "of each");
  shop.key("fresh", basket.fresh, "picked today");
  shop.key("fruit", basket.fruit, kFruits, "which");
  shop.key("seed", basket.seed, "of the lottery");
  shop.both("sides", basket.left, basket.right, at_least(0), "left and right");
  Section& inner = shop.section("inner", "");
  inner.key("left", basket.left, at_least(0), "left");
  inner.key("right", basket.right, at_least(0), "right");
  inner.key("files", basket.files, "lists");
  return root;
}

Basket read(const std::string& text, const std::vector<std::string>& assignments = {}) {
  Basket basket;
  Section root = declare(basket);
  ConfigReader reader(root);
  reader.read_text(text, "b.yaml");
  for (const auto& assignment : assignments) reader.apply(assignment);
  return basket;
}

std::string message(const std::string& text, const std::vector<std::string>& assignments = {}) {
  try {
    read(text, assignments);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no error";
}

TEST(Yaml, ReadsEveryType) {
  const Basket basket = read(
      "shop:\n  count: 7\n  weight: 2.5e-1\n  fresh: false\n  fruit: pear\n"
      "  seed: 18446744073709551615\n  sides: 4\n  inner: {right: 5, files: [a, b c]}\n");
  EXPECT_EQ(basket.count, 7);
  EXPECT_EQ(basket.weight, 0.25);
  EXPECT_FALSE(basket.fresh);
  EXPECT_EQ(basket.fruit, Fruit::pear);
  EXPECT_EQ(basket.seed, 18446744073709551615u);
  EXPECT_EQ(basket.left, 4);
  EXPECT_EQ(basket.right, 5);
  EXPECT_EQ(basket.files, (std::vector<std::filesystem::path>{"a", "b c"}));
}

TEST(Yaml, WhatIsWrittenReadsBackTheSame) {
  Basket basket = read("shop: {weight: 0.1, sides: 9, inner: {files: ['a \"b\" \\ ü, #: x']}}");
  const std::string written = write_yaml(declare(basket));
  Basket again = read(written);
  EXPECT_EQ(write_yaml(declare(again)), written);
  EXPECT_EQ(again.files, basket.files);
  EXPECT_EQ(again.weight, 0.1);
  EXPECT_EQ(again.left, 9);
}

TEST(Yaml, AssignmentsComeLast) {
  const Basket basket =
      read("shop: {count: 7}", {"shop.count=8", "shop.inner.files=[x, y]", "shop={fruit: pear}"});
  EXPECT_EQ(basket.count, 8);
  EXPECT_EQ(basket.files.size(), 2u);
  EXPECT_EQ(basket.fruit, Fruit::pear);
  EXPECT_EQ(message("shop:", {"shop.count=0"}),
            "--set shop.count=0: shop.count: 0 is not in [1, 100]");
  EXPECT_EQ(message("shop:", {"shop.count"}), "--set shop.count: key.sub=value was expected");
}

TEST(Yaml, S03_S04_ByteOrderMarkAndCrlfAreFine) {
  EXPECT_EQ(read("\xef\xbb\xbfshop:\r\n  count: 7\r\n  fruit: pear\r\n").count, 7);
}

TEST(Yaml, S15_DuplicateKeysNameBothLines) {
  EXPECT_EQ(message("shop:\n  count: 1\n  fresh: true\n  count: 1\n"),
            "b.yaml:4: shop.count is given twice, first at b.yaml:2");
  EXPECT_EQ(message("shop:\n  inner:\n    left: 1\n    left: 2\n"),
            "b.yaml:4: shop.inner.left is given twice, first at b.yaml:3");
  EXPECT_EQ(message("shop:\n  count: 1\nshop:\n  count: 2\n"),
            "b.yaml:3: shop is given twice, first at b.yaml:1");
}

TEST(Yaml, S16_UnknownKeysGetTheNearestName) {
  EXPECT_EQ(message("shop:\n  cuont: 1\n"),
            "b.yaml:2: shop.cuont is not a known key; did you mean shop.count?");
  EXPECT_EQ(message("shop:\n  left: 1\n"),
            "b.yaml:2: shop.left is not a known key; a key of that name is shop.inner.left");
  EXPECT_EQ(message("shop:\n  inner: {zzzzzzzz: 1}\n"),
            "b.yaml:2: shop.inner.zzzzzzzz is not a known key; known here: left, right, files");
}

TEST(Yaml, S16_MistypedValuesSayWhatWasExpected) {
  EXPECT_EQ(message("shop:\n  count: \"sixty-four\"\n"),
            "b.yaml:2: shop.count: \"sixty-four\" is not a whole number in [1, 100]");
  EXPECT_EQ(message("shop:\n  count: \"64\"\n"),
            "b.yaml:2: shop.count: \"64\" is not a whole number in [1, 100]");
  EXPECT_EQ(message("shop:\n  count: [2]\n"),
            "b.yaml:2: shop.count: a list is not a whole number in [1, 100]");
  EXPECT_EQ(message("shop:\n  count: 2.5\n"),
            "b.yaml:2: shop.count: 2.5 is not a whole number in [1, 100]");
  EXPECT_EQ(message("shop:\n  count:\n"), "b.yaml:2: shop.count: no value; expected in [1, 100]");
  EXPECT_EQ(message("shop:\n  fresh: maybe\n"), "b.yaml:2: shop.fresh: maybe is not true or false");
  EXPECT_EQ(message("shop:\n  fruit: peer\n"),
            "b.yaml:2: shop.fruit: peer is not one of apple, pear; did you mean pear?");
  EXPECT_NE(message("shop: 5\n").find("b.yaml:1: shop: 5 where a section with the keys count"),
            std::string::npos);
}

TEST(Yaml, S16_ForeignFilesAreRefused) {
  EXPECT_EQ(message(""), "b.yaml: the config is empty; its sections are shop");
  EXPECT_EQ(message("# only this\n"), "b.yaml: the config is empty; its sections are shop");
  EXPECT_EQ(message("- a\n- b\n"), "b.yaml:1: a list where the sections shop were expected");
  EXPECT_EQ(message("shop:\n  count: [1\n").rfind("b.yaml:3: not valid YAML: ", 0), 0u)
      << message("shop:\n  count: [1\n");
  EXPECT_NE(message("shop:\n---\nshop:\n").find("more than one YAML document"), std::string::npos);
}

TEST(Yaml, S17_NumbersOutOfRangeNameTheRange) {
  for (const std::string value : {".nan", ".inf", "-.inf", "nan", "inf", "1.0", "-0.1", "1e99"})
    EXPECT_NE(message("shop: {weight: " + value + "}").find("[0, 1)"), std::string::npos) << value;
  for (const std::string value : {"1e99", "99999999999999999999", "0", "-8", "101"})
    EXPECT_NE(message("shop: {count: " + value + "}").find("in [1, 100]"), std::string::npos);
  for (const std::string value : {"99999999999999999999", "-1", "1.5"})
    EXPECT_NE(message("shop: {seed: " + value + "}").find("[0, 18446744073709551615]"),
              std::string::npos);
}

TEST(Yaml, DeepNestingIsAnErrorNotACrash) {
  EXPECT_NE(message("shop: " + std::string(100000, '[')), "no error");
}

TEST(Yaml, NearestNameIsNear) {
  const std::vector<std::string> names{"dropout", "hidden", "layers"};
  EXPECT_EQ(nearest("droput", names), "dropout");
  EXPECT_EQ(nearest("layer", names), "layers");
  EXPECT_EQ(nearest("quite_different", names), "");
}

}  // namespace
}  // namespace softalign
