#pragma once

#include <string>
#include <vector>

#include "app/web/batch_queue.h"
#include "app/web/json_request.h"
#include "app/web/served_model.h"

namespace softalign {

/// The JSON API without HTTP around it: bodies in, bodies out. Each function throws HttpError where
/// the client asked for something wrong (400), and BatchQueue::Full where too much waits. All are
/// thread-safe.
class Api {
 public:
  /// One model, or two to compare; `workers` threads compute.
  Api(std::vector<ServedModel> models, int64_t workers);

  std::string translate(const std::string& body);
  std::string attention(const std::string& body);
  std::string score(const std::string& body);
  std::string step(const std::string& body);
  std::string beam(const std::string& body);
  std::string neighbours(const std::string& body);
  std::string model() const;
  std::string health() const;

 private:
  ServedModel& chosen_model(JsonRequest& request);
  std::vector<int64_t> prefix(JsonRequest& request, const ServedModel& model) const;
  Answer nearest(const ServedModel& model, StateKind kind, const std::vector<float>& state,
                 int64_t count);

  std::vector<ServedModel> models_;
  BatchQueue queue_;
};

}  // namespace softalign
