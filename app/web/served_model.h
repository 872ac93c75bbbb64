#pragma once

#include <filesystem>
#include <optional>

#include "app/model_directory.h"
#include "app/web/answers.h"
#include "model/inspect/neighbours.h"

namespace softalign {

/// A model as the server holds it: loaded, with its training sentences and its card.
struct ServedModel {
  LoadedModel model;
  std::optional<Neighbours> neighbours;
  Answer card;  // what GET /model says of it

  Translator& translator() const { return *model.translator; }
};

/// Throws as load_model does. Neighbours that can't be read are warned of and left out.
ServedModel load_served_model(const std::filesystem::path& directory);

}  // namespace softalign
