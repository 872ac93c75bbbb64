#include "app/web/json_request.h"

#include <cmath>

#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

using nlohmann::json;

[[noreturn]] void wrong(std::string_view name, const std::string& expected) {
  throw HttpError{400, "\"" + std::string(name) + "\" must be " + expected};
}

}  // namespace

JsonRequest::JsonRequest(const std::string& body) {
  object_ = json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (object_.is_discarded())
    throw HttpError{400, body.empty() ? "the body is empty; a JSON object is expected"
                                      : "the body is not JSON"};
  if (!object_.is_object())
    throw HttpError{400, std::string("the body is of the type ") + object_.type_name() +
                             "; a JSON object is expected"};
}

std::optional<json> JsonRequest::take(std::string_view name) {
  known_.emplace_back(name);
  const auto found = object_.find(std::string(name));
  if (found == object_.end()) return std::nullopt;
  json value = std::move(*found);
  object_.erase(found);
  return value;
}

std::string JsonRequest::text(std::string_view name) {
  std::optional<std::string> value = optional_text(name);
  if (!value) throw HttpError{400, "\"" + std::string(name) + "\" is missing: a string"};
  return *std::move(value);
}

std::optional<std::string> JsonRequest::optional_text(std::string_view name) {
  const std::optional<json> value = take(name);
  if (!value) return std::nullopt;
  if (!value->is_string()) wrong(name, "a string");
  return value->get<std::string>();
}

std::vector<std::string> JsonRequest::texts(std::string_view name, bool& is_list) {
  const std::optional<json> value = take(name);
  if (!value)
    throw HttpError{400, "\"" + std::string(name) + "\" is missing: a string, or a list of them"};
  is_list = value->is_array();
  if (value->is_string()) return {value->get<std::string>()};
  if (!is_list) wrong(name, "a string, or a list of strings");
  std::vector<std::string> texts;
  for (const json& item : *value) {
    if (!item.is_string()) wrong(name, "a string, or a list of strings");
    texts.push_back(item.get<std::string>());
  }
  return texts;
}

bool JsonRequest::boolean(std::string_view name, bool otherwise) {
  const std::optional<json> value = take(name);
  if (!value) return otherwise;
  if (!value->is_boolean()) wrong(name, "true or false");
  return value->get<bool>();
}

int64_t JsonRequest::integer(std::string_view name, int64_t otherwise, int64_t least,
                             int64_t most) {
  const std::optional<json> value = take(name);
  if (!value) return otherwise;
  const std::string range =
      "an integer from " + std::to_string(least) + " to " + std::to_string(most);
  if (!value->is_number_integer()) wrong(name, range);
  // An unsigned number beyond the largest signed one would wrap around.
  if (value->is_number_unsigned() && value->get<uint64_t>() > static_cast<uint64_t>(most))
    wrong(name, range);
  const auto number = value->get<int64_t>();
  if (number < least || number > most) wrong(name, range);
  return number;
}

double JsonRequest::number(std::string_view name, double otherwise, double least, double most) {
  const std::optional<json> value = take(name);
  if (!value) return otherwise;
  const std::string range = "a number from " + short_number(least) + " to " + short_number(most);
  if (!value->is_number()) wrong(name, range);
  const auto number = value->get<double>();
  if (!std::isfinite(number) || number < least || number > most) wrong(name, range);
  return number;
}

std::optional<std::vector<int64_t>> JsonRequest::integers(std::string_view name) {
  const std::optional<json> value = take(name);
  if (!value) return std::nullopt;
  if (!value->is_array()) wrong(name, "a list of integers");
  std::vector<int64_t> numbers;
  for (const json& item : *value) {
    constexpr int64_t kMost = int64_t{1} << 31;
    if (!item.is_number_integer() || item < -kMost || item > kMost)
      wrong(name, "a list of integers");
    numbers.push_back(item.get<int64_t>());
  }
  return numbers;
}

std::optional<json> JsonRequest::any(std::string_view name) { return take(name); }

void JsonRequest::reject_rest() const {
  if (object_.empty()) return;
  std::string names;
  for (const std::string& name : known_) names += (names.empty() ? "" : ", ") + name;
  throw HttpError{
      400, "\"" + repair_utf8(object_.begin().key()) + "\" is unknown here; known are: " + names};
}

}  // namespace softalign
