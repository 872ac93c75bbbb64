#pragma once

#include <cstdint>
#include <filesystem>

#include "model/config.h"

namespace softalign {

/// The usual model: bi-LSTM 256 + 256, LSTM 512, embeddings 256, 8,000 pieces, `general` scores.
ModelConfig usual_model(Kernels kernels, bool input_feeding);

/// Registers translation/… for a trained model and a text: sentences and target tokens per second.
void register_translation(const std::filesystem::path& model, const std::filesystem::path& source,
                          int64_t sentences);

}  // namespace softalign
