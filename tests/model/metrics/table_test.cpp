#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "model/metrics/bleu.h"
#include "model/metrics/chrf.h"

namespace softalign {
namespace {

// Expected values come from an independent computation from the published definitions (Papineni et
// al. 2002, Post 2018, Popović 2015) that also reproduces published examples of sacreBLEU.
struct Row {
  const char* name;
  std::vector<std::string> hypotheses, references;
  double bleu;
  std::array<double, 4> precisions;
  double brevity_penalty;
  int64_t hypothesis_length, reference_length;
  double chrf;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {"Identical",
       {"our boat left the old harbour at noon ."},
       {"our boat left the old harbour at noon ."},
       100.0000,
       {100, 100, 100, 100},
       1,
       9,
       9,
       100.0000},
      {"OneWord",
       {"our boat left the old village at noon ."},
       {"our boat left the old harbour at noon ."},
       59.6949,
       {88.9, 75.0, 57.1, 33.3},
       1,
       9,
       9,
       66.7225},
      {"Brevity",
       {"our boat left the"},
       {"our boat left the old harbour at noon ."},
       28.6505,
       {100, 100, 100, 100},
       0.2865,
       4,
       9,
       45.5943},
      {"Smoothing",
       {"noon boat the left at harbour our"},
       {"our boat left the harbour at noon"},
       10.6822,
       {100, 8.3, 5.0, 3.1},
       1,
       7,
       7,
       48.7062},
      {"EmptyLine",
       {"", "seven ducks cross the wide road"},
       {"two geese follow .", "seven ducks cross the wide road"},
       51.3417,
       {100, 100, 100, 100},
       0.5134,
       6,
       10,
       70.2783},
      {"TwoLines",
       {"seven ducks crossed the wide road", "we wait in the rain"},
       {"seven ducks cross the wide road", "we waited for an hour in the rain"},
       25.7000,
       {81.8, 55.6, 28.6, 10.0},
       0.7613,
       11,
       14,
       67.8289},
      {"Case",
       {"Seven Ducks Cross The Wide Road"},
       {"seven ducks cross the wide road"},
       0,
       {0, 0, 0, 0},
       1,
       6,
       6,
       29.8833},
      {"Clipping",
       {"ducks ducks ducks ducks ducks ducks"},
       {"ducks cross where other ducks crossed"},
       9.6524,
       {33.3, 10.0, 6.2, 4.2},
       1,
       6,
       6,
       20.2407},
      {"NoOverlap",
       {"kkkk qqqq jjjj vvvv"},
       {"seven ducks cross slowly"},
       0,
       {0, 0, 0, 0},
       1,
       4,
       4,
       1.6667},
      {"Short",
       {"ducks everywhere today"},
       {"ducks everywhere today"},
       0,
       {100, 100, 100, 0},
       1,
       3,
       3,
       100.0000},
      {"Spacing", {"water fall"}, {"waterfall"}, 0, {0, 0, 0, 0}, 1, 2, 1, 100.0000},
      {"Tokenizer13a",
       {"Wait: is it 2,500.75 (gross)?"},
       {"Wait : is it 2,500.75 ( gross ) ?"},
       100.0000,
       {100, 100, 100, 100},
       1,
       9,
       9,
       100.0000},
      {"AllEmpty",
       {"", ""},
       {"seven ducks cross slowly", "we wait in the rain"},
       0,
       {0, 0, 0, 0},
       0,
       0,
       9,
       0},
  };
  return kRows;
}

class S34_Table : public testing::TestWithParam<Row> {};

TEST_P(S34_Table, BleuHasFourDigitsRight) {
  const Row& row = GetParam();
  const BleuScore score = bleu(row.hypotheses, row.references);
  EXPECT_NEAR(score.score, row.bleu, 0.5e-4);
  for (size_t n = 0; n < 4; ++n) EXPECT_NEAR(score.precisions[n], row.precisions[n], 0.0501);
  EXPECT_NEAR(score.brevity_penalty, row.brevity_penalty, 0.5e-4);
  EXPECT_EQ(score.hypothesis_length, row.hypothesis_length);
  EXPECT_EQ(score.reference_length, row.reference_length);
}

TEST_P(S34_Table, ChrfHasFourDigitsRight) {
  const Row& row = GetParam();
  EXPECT_NEAR(chrf(row.hypotheses, row.references).score, row.chrf, 0.5e-4);
}

INSTANTIATE_TEST_SUITE_P(Metrics, S34_Table, testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace softalign
