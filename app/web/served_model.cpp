#include "app/web/served_model.h"

#include <spdlog/spdlog.h>

#include "app/training_record.h"
#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"
#include "model/seq2seq.h"

namespace softalign {
namespace {

Answer vocabulary(const Subword& subword) {
  return {{"pieces", subword.size()}, {"digest", subword.digest()}};
}

Answer card_of(const ModelDirectory& directory, const LoadedModel& model, int64_t parameters,
               const std::optional<Neighbours>& neighbours) {
  Answer settings = Answer::object();
  for (const auto& [key, value] : flat_values(model.config)) settings[key] = value;
  const ModelConfig& network = model.config.model;
  return {{"name", model.config.name},
          {"parameters", parameters},
          {"weights_bytes", std::filesystem::file_size(directory.best())},
          {"source_vocabulary", vocabulary(model.translator->source_subword())},
          {"target_vocabulary", vocabulary(model.translator->target_subword())},
          {"attention",
           {{"score", name_of(kScoreNames, network.attention.score)},
            {"heads", network.attention.heads},
            {"window", name_of(kWindowNames, network.attention.window)},
            {"window_size", network.attention.window_size},
            {"order", name_of(kOrderNames, network.attention.order)},
            {"input_feeding", network.attention.input_feeding}}},
          {"encoder_hidden", network.encoder.hidden},
          {"decoder_hidden", network.decoder.hidden},
          {"beam", model.config.translation.search.beam},
          {"neighbours", neighbours ? neighbours->size(StateKind::encoder) : 0},
          {"settings", settings},
          {"training", training_record(directory.log())}};
}

}  // namespace

ServedModel load_served_model(const std::filesystem::path& path) {
  const ModelDirectory directory{path};
  ServedModel served{load_model({path}), {}, {}};
  try {
    if (auto sample = load_sample(directory.neighbours(), weights_digest(directory)))
      served.neighbours.emplace(*std::move(sample));
  } catch (const Error& error) {
    spdlog::warn("no neighbours: {}", error.what());
  }
  served.card = card_of(directory, served.model,
                        served.translator().models().front()->parameter_count(), served.neighbours);
  return served;
}

}  // namespace softalign
