#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace softalign {

/// An answer that isn't 200: its status, and a sentence for {"error": {"status", "message"}}.
struct HttpError {
  int status = 400;
  std::string message;
};

/// The fields of a JSON object that a client sent, each taken once. Throws HttpError 400 where the
/// body isn't an object, a field is missing, of another type or out of range, and by `reject_rest`
/// where one is left that nobody took.
class JsonRequest {
 public:
  explicit JsonRequest(const std::string& body);

  bool has(std::string_view name) const { return object_.contains(std::string(name)); }
  std::string text(std::string_view name);
  std::optional<std::string> optional_text(std::string_view name);
  /// A string, or an array of strings; `is_list` says which.
  std::vector<std::string> texts(std::string_view name, bool& is_list);
  bool boolean(std::string_view name, bool otherwise);
  int64_t integer(std::string_view name, int64_t otherwise, int64_t least, int64_t most);
  double number(std::string_view name, double otherwise, double least, double most);
  std::optional<std::vector<int64_t>> integers(std::string_view name);
  std::optional<nlohmann::json> any(std::string_view name);
  void reject_rest() const;

 private:
  std::optional<nlohmann::json> take(std::string_view name);

  nlohmann::json object_;
  std::vector<std::string> known_;
};

}  // namespace softalign
