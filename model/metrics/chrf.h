#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// Counts of character n-grams, n = 1 … 6, that add up over sentences.
struct ChrfStatistics {
  std::array<int64_t, 6> hypothesis{}, reference{}, matches{};
  ChrfStatistics& operator+=(const ChrfStatistics& other);
};

struct ChrfScore {
  double score = 0;  // 0 … 100
  std::string signature;
};

ChrfStatistics chrf_statistics(std::string_view hypothesis, std::string_view reference,
                               bool lowercase = false);
/// chrF2 over character 1- to 6-grams without white space (Popović 2015), sacreBLEU's defaults.
ChrfScore chrf(const ChrfStatistics& statistics, bool lowercase = false);
/// Both lists have the same size, or Error.
ChrfScore chrf(const std::vector<std::string>& hypotheses,
               const std::vector<std::string>& references, bool lowercase = false);

}  // namespace softalign
