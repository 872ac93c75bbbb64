#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace softalign {

/// Knobs of the experiments; an empty one has a default of its own for full and for quick runs.
struct LabOptions {
  std::filesystem::path output = "lab";
  bool quick = false;
  bool retrain = false;  // don't take models that an earlier run left in OUTPUT/models
  uint64_t seed = 1;
  int64_t threads = 0;
  std::filesystem::path corpus;  // the embedded corpus's folder; empty: where it was installed
  std::filesystem::path model;   // a trained model to look into

  // of random vectors
  std::optional<int64_t> largest_d, largest_n, samples, positions;
  double correlation = 0.1;
  // of trainings
  std::optional<int64_t> sentences, epochs, width, steps, largest_width;
  std::filesystem::path config, test_source, test_reference;
  // by hand
  std::vector<double> query;
  std::vector<std::vector<double>> keys;

  int64_t pick(const std::optional<int64_t>& knob, int64_t full, int64_t when_quick) const {
    return knob.value_or(quick ? when_quick : full);
  }
};

}  // namespace softalign
