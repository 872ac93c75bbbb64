#pragma once

#include <string>
#include <vector>

namespace softalign {

using Vector = std::vector<double>;

/// One step of attention with the score s·h/√d, number by number, each rounded to four decimals as
/// on paper.
struct HandCalculation {
  Vector products, scores, exponentials, weights;  // one for each key
  double sum = 0;                                  // of the exponentials
  Vector context;                                  // a
  Vector linear, state;                            // W_c [a ; s] and its tanh
};
HandCalculation calculate_by_hand(const Vector& query, const std::vector<Vector>& keys,
                                  const std::vector<Vector>& W_c);

/// The same by the program's own Attention.
struct ProgramResult {
  Vector scores, weights, context, state;
};
ProgramResult calculate_by_program(const Vector& query, const std::vector<Vector>& keys,
                                   const std::vector<Vector>& W_c);

/// Largest absolute difference between the two.
double largest_difference(const HandCalculation& hand, const ProgramResult& program);

/// A line of the program's source, as it was when it was built.
struct CodeLine {
  std::string file;
  int64_t line = 0;  // from 1; 0 if `part` isn't in the file
};
/// The first line of `file` ("model/attention/attention.cpp" or …/scores.cpp) that holds `part`.
CodeLine find_code(const std::string& file, const std::string& part);

}  // namespace softalign
