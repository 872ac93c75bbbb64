#include "model/training/safetensors.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string_view>

#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormatVersion = "1";
constexpr const char* kVersionKey = "format_version";
constexpr const char* kDataDigestKey = "sha256";
constexpr const char* kHeaderDigestKey = "header_sha256";
constexpr size_t kLengthBytes = 8;
constexpr size_t kDigestDigits = 64;
constexpr uint64_t kLargestHeader = 100'000'000;  // the format's own limit

constexpr std::array<std::pair<at::ScalarType, std::string_view>, 10> kTypeNames{
    {{at::kDouble, "F64"},
     {at::kFloat, "F32"},
     {at::kHalf, "F16"},
     {at::kBFloat16, "BF16"},
     {at::kLong, "I64"},
     {at::kInt, "I32"},
     {at::kShort, "I16"},
     {at::kChar, "I8"},
     {at::kByte, "U8"},
     {at::kBool, "BOOL"}}};

std::string_view type_name(at::ScalarType type) {
  for (const auto& [value, name] : kTypeNames)
    if (value == type) return name;
  throw Error("tensors of type " + std::string(c10::toString(type)) +
                  " can't be written to a safetensors file",
              Error::kMachine);
}

std::string shape_text(at::IntArrayRef shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + "]";
}

std::string bytes_text(uint64_t count) { return std::to_string(count) + " bytes"; }

/// The reader of one file: every message names it.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& path)
      : path_(path), file_(std::make_shared<MappedFile>(path)), bytes_(file_->bytes()) {}

  LoadedTensors read() {
    const Json header = parse_header();
    LoadedTensors loaded;
    loaded.metadata = read_metadata(header);
    const std::string_view data = bytes_.substr(kLengthBytes + header_.size());

    uint64_t data_size = 0;
    std::vector<std::pair<uint64_t, uint64_t>> ranges;
    for (const auto& [name, entry] : header.items()) {
      if (name == "__metadata__") continue;
      const Entry parsed = parse_entry(name, entry);
      ranges.emplace_back(parsed.begin, parsed.end);
      data_size = std::max(data_size, parsed.end);
    }
    std::sort(ranges.begin(), ranges.end());
    uint64_t expected = 0;
    for (const auto& [begin, end] : ranges) {
      if (begin != expected) damaged("its tensors overlap or leave gaps");
      expected = end;
    }
    if (data.size() < data_size)
      fail("is truncated: " + bytes_text(bytes_.size()) + " of " +
           bytes_text(kLengthBytes + header_.size() + data_size));
    if (data.size() > data_size)
      damaged(bytes_text(data.size() - data_size) + " follow the last tensor");
    if (sha256(data) != loaded.metadata[kDataDigestKey])
      damaged("the tensors don't match their checksum");

    for (const auto& [name, entry] : header.items())
      if (name != "__metadata__")
        loaded.tensors.emplace_back(name, view(parse_entry(name, entry), data));
    return loaded;
  }

 private:
  struct Entry {
    at::ScalarType type = at::kFloat;
    std::vector<int64_t> shape;
    uint64_t begin = 0, end = 0;
  };

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(path_.string() + " " + what);
  }
  [[noreturn]] void damaged(const std::string& what) const {
    fail("is damaged: " + what + "; restore it from a copy or train again");
  }

  Json parse_header() {
    if (bytes_.empty()) fail("is empty; expected a weights file (safetensors)");
    if (bytes_.size() < kLengthBytes)
      fail("is not a weights file, or is truncated: " + bytes_text(bytes_.size()));
    uint64_t length = 0;
    for (size_t i = kLengthBytes; i-- > 0;)
      length = length << 8 | static_cast<unsigned char>(bytes_[i]);
    const bool begins_like_ours =
        length <= kLargestHeader && (bytes_.size() == kLengthBytes || bytes_[kLengthBytes] == '{');
    if (!begins_like_ours) {
      if (bytes_.substr(0, 2) == "PK")
        fail("is a zip archive (of PyTorch, perhaps), not a safetensors file");
      if (bytes_.substr(0, 2) == "\x1f\x8b") fail("is a gzip file, not a safetensors file");
      fail("is not a safetensors file");
    }
    if (length > bytes_.size() - kLengthBytes)
      fail("is truncated: " + bytes_text(bytes_.size()) + ", and its header alone has " +
           bytes_text(length));
    header_ = bytes_.substr(kLengthBytes, length);
    Json header = Json::parse(header_, nullptr, /*allow_exceptions=*/false);
    if (header.is_discarded() || !header.is_object()) damaged("its header is not readable");
    return header;
  }

  Metadata read_metadata(const Json& header) const {
    const auto found = header.find("__metadata__");
    if (found == header.end() || !found->is_object() || !found->contains(kVersionKey))
      fail("was not written by softalign: its metadata has no " + std::string(kVersionKey));
    Metadata metadata;
    for (const auto& [key, value] : found->items()) {
      if (!value.is_string()) damaged("its metadata is not text");
      metadata[key] = value.get<std::string>();
    }
    const std::string digest = metadata[kHeaderDigestKey];
    const size_t place = digest.size() == kDigestDigits ? header_.find(digest) : header_.npos;
    if (place == header_.npos) damaged("its header has no checksum");
    std::string zeroed(header_);
    zeroed.replace(place, kDigestDigits, kDigestDigits, '0');
    if (sha256(zeroed) != digest) damaged("the header doesn't match its checksum");
    if (metadata[kVersionKey] != kFormatVersion)
      fail("has format version " + metadata[kVersionKey] + ", and this program reads version " +
           std::string(kFormatVersion) + "; use the softalign that wrote it, or a newer one");
    metadata.erase(kHeaderDigestKey);
    return metadata;
  }

  Entry parse_entry(const std::string& name, const Json& json) const {
    Entry entry;
    const auto valid = [&] {
      if (!json.is_object() || !json.contains("dtype") || !json.contains("shape") ||
          !json.contains("data_offsets"))
        return false;
      const Json &dtype = json["dtype"], &shape = json["shape"], &offsets = json["data_offsets"];
      if (!dtype.is_string() || !shape.is_array() || !offsets.is_array() || offsets.size() != 2)
        return false;
      const auto type = std::find_if(kTypeNames.begin(), kTypeNames.end(), [&](const auto& known) {
        return known.second == dtype.get_ref<const std::string&>();
      });
      if (type == kTypeNames.end()) return false;
      entry.type = type->first;
      uint64_t size = c10::elementSize(entry.type);
      for (const Json& dimension : shape) {
        if (!dimension.is_number_unsigned()) return false;
        const auto value = dimension.get<uint64_t>();
        if (value != 0 && size > bytes_.size() / value) return false;
        size *= value;
        entry.shape.push_back(static_cast<int64_t>(value));
      }
      if (!offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) return false;
      entry.begin = offsets[0].get<uint64_t>();
      entry.end = offsets[1].get<uint64_t>();
      return entry.begin <= entry.end && entry.end - entry.begin == size;
    }();
    if (!valid) {
      // A file cut inside its tensors has dimensions larger than itself, too: say so, not
      // "damaged".
      if (json.is_object() && json.contains("data_offsets") && json["data_offsets"].size() == 2 &&
          json["data_offsets"][1].is_number_unsigned() &&
          json["data_offsets"][1].get<uint64_t>() > bytes_.size())
        fail("is truncated: " + bytes_text(bytes_.size()));
      damaged("tensor " + name + " is not described rightly");
    }
    return entry;
  }

  Tensor view(const Entry& entry, std::string_view data) const {
    const auto options = at::TensorOptions().dtype(entry.type);
    if (entry.begin == entry.end) return at::empty(entry.shape, options);
    const char* start = data.data() + entry.begin;
    // from_blob takes a mutable pointer; the map is read-only, and so are our views by contract.
    void* address = const_cast<char*>(start);
    const auto viewed = at::from_blob(
        address, entry.shape, [keep = file_](void*) {}, options);
    const bool aligned = reinterpret_cast<uintptr_t>(start) % c10::elementSize(entry.type) == 0;
    if (aligned) return viewed;
    Tensor copy = at::empty(entry.shape, options);
    std::memcpy(copy.data_ptr(), start, entry.end - entry.begin);
    return copy;
  }

  std::filesystem::path path_;
  std::shared_ptr<MappedFile> file_;
  std::string_view bytes_, header_;
};

}  // namespace

std::string to_safetensors(const NamedTensors& tensors, Metadata metadata) {
  // Large elements first, so that every tensor is aligned to its element's size.
  std::vector<size_t> layout(tensors.size());
  std::iota(layout.begin(), layout.end(), size_t{0});
  std::stable_sort(layout.begin(), layout.end(), [&](size_t a, size_t b) {
    return tensors[a].second.element_size() > tensors[b].second.element_size();
  });
  std::vector<uint64_t> offsets(tensors.size());
  std::string data;
  size_t total = 0;
  for (const auto& entry : tensors) total += entry.second.nbytes();
  data.reserve(total);
  for (const size_t i : layout) {
    offsets[i] = data.size();
    const Tensor tensor = tensors[i].second.detach().cpu().contiguous();
    data.append(static_cast<const char*>(tensor.data_ptr()), tensor.nbytes());
  }

  metadata[kVersionKey] = kFormatVersion;
  metadata[kDataDigestKey] = sha256(data);
  metadata[kHeaderDigestKey] = std::string(kDigestDigits, '0');
  Json header;
  header["__metadata__"] = metadata;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const auto& [name, tensor] = tensors[i];
    header[name] = {{"dtype", type_name(tensor.scalar_type())},
                    {"shape", tensor.sizes().vec()},
                    {"data_offsets", {offsets[i], offsets[i] + tensor.nbytes()}}};
  }
  std::string text = header.dump();
  text.append((kLengthBytes - text.size() % kLengthBytes) % kLengthBytes, ' ');
  const std::string digest = sha256(text);
  const std::string key = "\"" + std::string(kHeaderDigestKey) + "\":\"";
  text.replace(text.find(key) + key.size(), kDigestDigits, digest);

  std::string file;
  file.reserve(kLengthBytes + text.size() + data.size());
  for (size_t i = 0; i < kLengthBytes; ++i)
    file += static_cast<char>(uint64_t{text.size()} >> (8 * i) & 0xff);
  return file.append(text).append(data);
}

LoadedTensors load_safetensors(const std::filesystem::path& path) {
  std::error_code ignored;
  // An empty file can't be mapped, and deserves its own message.
  if (std::filesystem::is_regular_file(path, ignored) &&
      std::filesystem::file_size(path, ignored) == 0)
    throw Error(path.string() + " is empty; expected a weights file (safetensors)");
  return Reader(path).read();
}

void copy_into(const NamedTensors& parameters, const LoadedTensors& loaded,
               const std::filesystem::path& name) {
  constexpr size_t kListed = 5;
  std::vector<std::string> differences;
  for (const auto& [key, parameter] : parameters) {
    const Tensor found = find_tensor(loaded.tensors, key);
    if (!found.defined())
      differences.push_back("it has no " + key);
    else if (found.sizes() != parameter.sizes())
      differences.push_back(key + " is " + shape_text(found.sizes()) + " in the file and " +
                            shape_text(parameter.sizes()) + " in the model");
    else if (found.scalar_type() != parameter.scalar_type())
      differences.push_back(key + " is " + std::string(type_name(found.scalar_type())) +
                            " in the file and " + std::string(type_name(parameter.scalar_type())) +
                            " in the model");
  }
  for (const auto& entry : loaded.tensors)
    if (!find_tensor(parameters, entry.first).defined())
      differences.push_back("the model has no " + entry.first);
  if (!differences.empty()) {
    std::string message = name.string() + " doesn't fit the model of the config: ";
    for (size_t i = 0; i < std::min(kListed, differences.size()); ++i)
      message += (i == 0 ? "" : "; ") + differences[i];
    if (differences.size() > kListed)
      message += "; and " + std::to_string(differences.size() - kListed) + " more differences";
    throw Error(message);
  }
  const at::NoGradGuard no_grad;
  for (const auto& [key, parameter] : parameters) {
    Tensor target = parameter;
    target.copy_(find_tensor(loaded.tensors, key));
  }
}

Tensor find_tensor(const NamedTensors& tensors, const std::string& name) {
  for (const auto& [key, tensor] : tensors)
    if (key == name) return tensor;
  return {};
}

}  // namespace softalign
