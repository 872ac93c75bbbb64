#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/config.h"

namespace softalign {

/// sacreBLEU's tokenisers: 13a (mteval-v13a), zh (Chinese by characters), none.
/// 13a doesn't segment Chinese: a Chinese sentence is one word there, so use zh for it.
enum class BleuTokenizer { mteval13a, zh, none };
constexpr Names<BleuTokenizer, 3> kBleuTokenizerNames{
    {{BleuTokenizer::mteval13a, "13a"}, {BleuTokenizer::zh, "zh"}, {BleuTokenizer::none, "none"}}};

struct BleuOptions {
  BleuTokenizer tokenizer = BleuTokenizer::mteval13a;
  bool lowercase = false;
};

/// Counts that add up over sentences (for corpora, buckets and the bootstrap).
struct BleuStatistics {
  std::array<int64_t, 4> matches{}, totals{};
  int64_t hypothesis_length = 0, reference_length = 0;
  BleuStatistics& operator+=(const BleuStatistics& other);
};

/// `signature` names every choice in sacreBLEU's form, so that scores can be compared.
struct BleuScore {
  double score = 0;  // 0 … 100
  std::array<double, 4> precisions{};
  double brevity_penalty = 0;
  int64_t hypothesis_length = 0, reference_length = 0;
  std::string signature;
};

/// The words that BLEU counts. Input is UTF-8; ill-formed bytes are kept or become U+FFFD.
std::vector<std::string> tokenize(std::string_view line, const BleuOptions& options);
BleuStatistics bleu_statistics(std::string_view hypothesis, std::string_view reference,
                               const BleuOptions& options);
/// Corpus BLEU of summed counts with exponential smoothing, as sacreBLEU's defaults (Post 2018;
/// Papineni et al. 2002). No 1-gram match at all gives 0.
BleuScore bleu(const BleuStatistics& statistics, const BleuOptions& options);
/// Both lists have the same size, or Error.
BleuScore bleu(const std::vector<std::string>& hypotheses,
               const std::vector<std::string>& references, const BleuOptions& options = {});

}  // namespace softalign
