#pragma once

#include <string>
#include <vector>

namespace softalign {

struct ModelDirectory;
struct LoadedModel;

/// One property, proven or refuted on this very model.
struct ModelProof {
  std::string name;
  bool passed = false;
  std::string detail;  // the largest deviation, or what went wrong
};

/// Takes seconds: translates some sentences made of the model's own vocabulary.
std::vector<ModelProof> check_model(const ModelDirectory& directory, LoadedModel& model);

}  // namespace softalign
