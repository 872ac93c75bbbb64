#include "app/lab/experiments.h"

#include <ATen/Parallel.h>

namespace softalign {

std::vector<double> powers_of_two(int64_t from, int64_t largest) {
  std::vector<double> powers;
  for (int64_t d = from; d <= largest; d *= 2) powers.push_back(static_cast<double>(d));
  return powers;
}

void add_common_settings(Report& report, const LabOptions& options) {
  report.settings.push_back({{"seed", "随机种子"}, std::to_string(options.seed)});
  report.settings.push_back({{"threads", "线程数"}, std::to_string(at::get_num_threads())});
}

}  // namespace softalign
