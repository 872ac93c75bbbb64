#include "app/lab/by_hand.h"

#include <gtest/gtest.h>

#include <cmath>

namespace softalign {
namespace {

const std::vector<Vector> kW_c{{1, 0, 0.5, 0}, {0, 1, 0, 0.5}};

// Worked out on paper for s = (2, 0), h_1 = (1, 0), h_2 = (0, 1): e = 2/1.4142, 0.
TEST(ByHand, IsTheCalculationOnPaper) {
  const HandCalculation hand = calculate_by_hand({2, 0}, {{1, 0}, {0, 1}}, kW_c);
  EXPECT_EQ(hand.products, (Vector{2, 0}));
  EXPECT_EQ(hand.scores, (Vector{1.4142, 0}));
  EXPECT_EQ(hand.exponentials, (Vector{4.1132, 1}));
  EXPECT_DOUBLE_EQ(hand.sum, 5.1132);
  EXPECT_EQ(hand.weights, (Vector{0.8044, 0.1956}));
  EXPECT_EQ(hand.context, (Vector{0.8044, 0.1956}));
  EXPECT_EQ(hand.linear, (Vector{1.8044, 0.1956}));
  EXPECT_EQ(hand.state, (Vector{0.9473, 0.1931}));
}

TEST(ByHand, TheProgramComesToTheSame) {
  const Vector query{1.2, -0.4};
  const std::vector<Vector> keys{{1, 0}, {0.5, 1}, {-1, 0.5}, {2, -1}, {0, 0.5}};
  const HandCalculation hand = calculate_by_hand(query, keys, kW_c);
  const ProgramResult program = calculate_by_program(query, keys, kW_c);
  EXPECT_LT(largest_difference(hand, program), 5e-4);
  double sum = 0;
  for (const double weight : program.weights) sum += weight;
  EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(ByHand, AWrongNumberShowsInTheDifference) {
  const ProgramResult program = calculate_by_program({2, 0}, {{1, 0}, {0, 1}}, kW_c);
  HandCalculation hand = calculate_by_hand({2, 0}, {{1, 0}, {0, 1}}, kW_c);
  hand.context[1] += 0.01;
  EXPECT_NEAR(largest_difference(hand, program), 0.01, 1e-3);
}

TEST(FindCode, FindsTheLinesThatCalculate) {
  for (const auto& [file, part] : std::vector<std::pair<std::string, std::string>>{
           {"model/attention/scores.cpp", "// s_t · h_i / √d"},
           {"model/attention/scores.cpp", "// query · keyᵀ"},
           {"model/attention/attention.cpp", "// Filling with"},
           {"model/attention/attention.cpp", ".softmax(-1) * mask"},
           {"model/attention/attention.cpp", "weights.matmul(memory.values)"},
           {"model/attention/attention.cpp", ".tanh();  // s̃_t"}})
    EXPECT_GT(find_code(file, part).line, 0) << file << ": " << part;
  EXPECT_EQ(find_code("model/attention/scores.cpp", "no such line").line, 0);
}

}  // namespace
}  // namespace softalign
