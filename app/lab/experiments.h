#pragma once

#include <array>
#include <string_view>

#include "app/lab/options.h"
#include "app/lab/report.h"

namespace softalign {

class Trainings;

// One file each. What an experiment trains comes from `trainings`.
Report run_variance(const LabOptions& options, Trainings& trainings);
Report run_saturation(const LabOptions& options, Trainings& trainings);
Report run_bottleneck(const LabOptions& options, Trainings& trainings);
Report run_scores(const LabOptions& options, Trainings& trainings);
Report run_self_attention(const LabOptions& options, Trainings& trainings);
Report run_alignment(const LabOptions& options, Trainings& trainings);
Report run_by_hand(const LabOptions& options, Trainings& trainings);

struct Experiment {
  const char* name;
  const char* summary;  // one line for lists
  Report (*run)(const LabOptions&, Trainings&);
};

/// In the order of the pages.
inline constexpr std::array<Experiment, 7> kExperiments{{
    {"variance", "the variance of s·h is d; divided by √d, it is 1", run_variance},
    {"saturation", "unscaled scores saturate the softmax, and its gradient vanishes",
     run_saturation},
    {"bottleneck", "one fixed vector gives way on long sentences, attention doesn't",
     run_bottleneck},
    {"scores", "dot, scaled dot, general, additive, concat: cost and quality", run_scores},
    {"self-attention", "Q, K, V and every shape; time and memory grow as n²", run_self_attention},
    {"alignment", "does attention align? by score, by epoch, and where it doesn't", run_alignment},
    {"by-hand", "one query, five keys, every number, every line of code", run_by_hand},
}};

/// 1, 2, 4, … up to `largest`.
std::vector<double> powers_of_two(int64_t from, int64_t largest);

/// Settings that every page states.
void add_common_settings(Report& report, const LabOptions& options);

}  // namespace softalign
