#pragma once

#include "app/config/experiment.h"
#include "app/config/section.h"

namespace softalign {

// Each declares the keys of one section in `root`, bound to its struct.
void declare_corpus(Section& root, CorpusConfig& config);
void declare_subword(Section& root, SubwordsConfig& config);
void declare_model(Section& root, ModelConfig& config);
void declare_training(Section& root, TrainingConfig& config, Kernels& kernels,
                      ResourceConfig& resources, InspectionConfig& inspection);
void declare_validation(Section& root, ValidationConfig& config);
void declare_translation(Section& root, TranslationConfig& config);

}  // namespace softalign
