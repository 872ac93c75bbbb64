#include "model/metrics/aer.h"

#include <set>
#include <utility>

#include "data/error.h"

namespace softalign {

AlignmentScore alignment_error_rate(const std::vector<std::vector<Link>>& predicted,
                                    const std::vector<std::vector<Link>>& gold) {
  if (predicted.size() != gold.size()) {
    throw Error("the alignment error rate needs a gold alignment for each sentence: " +
                std::to_string(predicted.size()) + " sentences, " + std::to_string(gold.size()) +
                " gold alignments");
  }
  AlignmentScore score;
  int64_t in_sure = 0, in_possible = 0;
  for (size_t i = 0; i < gold.size(); ++i) {
    std::set<std::pair<int64_t, int64_t>> found, sure, possible;
    for (const Link& link : predicted[i]) found.emplace(link.source, link.target);
    for (const Link& link : gold[i]) {
      possible.emplace(link.source, link.target);
      if (link.sure) sure.emplace(link.source, link.target);
    }
    for (const auto& link : found) {
      in_sure += static_cast<int64_t>(sure.count(link));
      in_possible += static_cast<int64_t>(possible.count(link));
    }
    score.predicted += static_cast<int64_t>(found.size());
    score.sure += static_cast<int64_t>(sure.size());
    score.possible += static_cast<int64_t>(possible.size());
  }
  const auto share = [](int64_t part, int64_t whole) {
    return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  score.precision = share(in_possible, score.predicted);
  score.recall = share(in_sure, score.sure);
  score.aer = 1 - share(in_sure + in_possible, score.predicted + score.sure);
  return score;
}

}  // namespace softalign
