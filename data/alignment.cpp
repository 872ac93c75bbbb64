#include "data/alignment.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "data/error.h"
#include "data/unicode.h"

namespace softalign {
namespace {

Link parse_link(std::string_view text) {
  Link link;
  const char* const end = text.data() + text.size();
  const auto [middle, source_error] = std::from_chars(text.data(), end, link.source);
  const bool has_middle = source_error == std::errc() && middle != end;
  if (has_middle && (*middle == '-' || *middle == '?' || *middle == 'p')) {
    link.sure = *middle == '-';
    const auto [rest, target_error] = std::from_chars(middle + 1, end, link.target);
    if (target_error == std::errc() && rest == end && link.source >= 0 && link.target >= 0) {
      return link;
    }
  }
  throw Error("'" + repair_utf8(text) +
              "' is not an alignment link; expected SOURCE-TARGET or SOURCE?TARGET with word "
              "positions from 0, such as 0-0 2?1");
}

int64_t word_count(const std::vector<int64_t>& words) {
  return words.empty() ? 0 : words.back() + 1;
}

}  // namespace

std::vector<Link> parse_alignment(std::string_view line) {
  std::vector<Link> links;
  for (const std::string_view text : split_words(line)) links.push_back(parse_link(text));
  return links;
}

std::string format_alignment(const std::vector<Link>& links) {
  std::string line;
  for (const Link& link : links) {
    if (!line.empty()) line += ' ';
    line += std::to_string(link.source) + (link.sure ? '-' : '?') + std::to_string(link.target);
  }
  return line;
}

std::vector<std::vector<double>> word_weights(const std::vector<std::vector<float>>& weights,
                                              const std::vector<int64_t>& target_words,
                                              const std::vector<int64_t>& source_words) {
  const auto target_size = static_cast<size_t>(word_count(target_words));
  const auto source_size = static_cast<size_t>(word_count(source_words));
  std::vector<std::vector<double>> words(target_size, std::vector<double>(source_size, 0.0));
  // The average over a target word's pieces is their sum up to the factor that normalising removes.
  for (size_t t = 0; t < std::min(weights.size(), target_words.size()); ++t) {
    std::vector<double>& row = words[static_cast<size_t>(target_words[t])];
    for (size_t i = 0; i < std::min(weights[t].size(), source_words.size()); ++i) {
      row[static_cast<size_t>(source_words[i])] += double{weights[t][i]};
    }
  }
  for (std::vector<double>& row : words) {
    const double sum = std::accumulate(row.begin(), row.end(), 0.0);
    if (!(sum > 0)) continue;
    for (double& weight : row) weight /= sum;
  }
  return words;
}

std::vector<Link> hard_alignment(const std::vector<std::vector<double>>& weights) {
  std::vector<Link> links;
  for (size_t t = 0; t < weights.size(); ++t) {
    const auto heaviest = std::max_element(weights[t].begin(), weights[t].end());
    if (heaviest == weights[t].end() || !(*heaviest > 0)) continue;
    links.push_back({heaviest - weights[t].begin(), static_cast<int64_t>(t), true});
  }
  return links;
}

std::vector<Link> links_over_pieces(const std::vector<Link>& links,
                                    const std::vector<int64_t>& source_words,
                                    const std::vector<int64_t>& target_words) {
  const auto pieces_of = [](const std::vector<int64_t>& words, int64_t word) {
    const auto [first, last] = std::equal_range(words.begin(), words.end(), word);
    return std::pair(first - words.begin(), last - words.begin());
  };
  std::vector<Link> over_pieces;
  for (const Link& link : links) {
    const auto [source_begin, source_end] = pieces_of(source_words, link.source);
    const auto [target_begin, target_end] = pieces_of(target_words, link.target);
    for (int64_t t = target_begin; t < target_end; ++t) {
      for (int64_t i = source_begin; i < source_end; ++i) over_pieces.push_back({i, t, link.sure});
    }
  }
  return over_pieces;
}

}  // namespace softalign
