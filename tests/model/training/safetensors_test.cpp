#include "model/training/safetensors.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "data/error.h"
#include "data/file.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

std::string error_of(const fs::path& path) {
  try {
    load_safetensors(path);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), Error::kUser);
    EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  return "";
}

NamedTensors mixed() {
  return {{"bytes", at::tensor({1, 2, 3}, at::kByte)},
          {"W", at::arange(6, at::kFloat).view({2, 3})},
          {"steps", at::tensor({int64_t{1} << 40}, at::kLong)},
          {"none", at::zeros({0, 4})},
          {"half", at::full({3}, 1.5, at::kBFloat16)},
          {"exact", at::tensor({0.1}, at::kDouble)}};
}

TEST(Safetensors, HeaderLengthJsonAndDataAreWhereTheFormatSays) {
  const std::string bytes =
      to_safetensors({{"W", at::tensor({1.0f, -2.0f}).view({1, 2})}}, {{"note", "hello"}});
  uint64_t length = 0;
  for (size_t i = 0; i < 8; ++i)
    length |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  ASSERT_EQ(length % 8, 0U);
  ASSERT_EQ(bytes.size(), 8 + length + 8);
  const auto header = nlohmann::json::parse(bytes.substr(8, length));
  EXPECT_EQ(header["W"],
            nlohmann::json::parse(R"({"dtype": "F32", "shape": [1, 2], "data_offsets": [0, 8]})"));
  EXPECT_EQ(header["__metadata__"]["note"], "hello");
  EXPECT_EQ(header["__metadata__"]["format_version"], "1");
  EXPECT_EQ(bytes.substr(8 + length), std::string("\0\0\x80\x3f\0\0\0\xc0", 8));  // IEEE 754
  EXPECT_EQ(header["__metadata__"]["sha256"], sha256(bytes.substr(8 + length)));
}

TEST(Safetensors, ComesBackInOrderWithTypesAndShapes) {
  const TempDir folder;
  write(folder / "a", to_safetensors(mixed(), {{"key", "ünï \"数据\""}}));
  const LoadedTensors loaded = load_safetensors(folder / "a");
  ASSERT_EQ(loaded.tensors.size(), mixed().size());
  for (size_t i = 0; i < loaded.tensors.size(); ++i) {
    EXPECT_EQ(loaded.tensors[i].first, mixed()[i].first);
    EXPECT_EQ(loaded.tensors[i].second.dtype(), mixed()[i].second.dtype());
    EXPECT_EQ(loaded.tensors[i].second.sizes(), mixed()[i].second.sizes());
    EXPECT_TRUE(loaded.tensors[i].second.equal(mixed()[i].second)) << loaded.tensors[i].first;
  }
  EXPECT_EQ(loaded.metadata.at("key"), "ünï \"数据\"");
}

TEST(Safetensors, TensorsOutliveTheFile) {
  const TempDir folder;
  write(folder / "a", to_safetensors(mixed(), {}));
  const Tensor W = find_tensor(load_safetensors(folder / "a").tensors, "W");
  fs::remove(folder / "a");
  EXPECT_EQ(W.sum().item<float>(), 15.0f);
}

TEST(Safetensors, S21_TruncatedAtEveryByteIsOneClearError) {
  const TempDir folder;
  const std::string bytes = to_safetensors(mixed(), {});
  for (size_t size = 0; size < bytes.size(); ++size) {
    write(folder / "cut", bytes.substr(0, size));
    const std::string message = error_of(folder / "cut");
    const bool clear = message.find("truncated") != std::string::npos ||
                       message.find("is empty") != std::string::npos;
    EXPECT_TRUE(clear) << size << ": " << message;
  }
  write(folder / "cut", bytes + "x");
  EXPECT_NE(error_of(folder / "cut").find("1 bytes follow"), std::string::npos);
}

TEST(Safetensors, S21_EveryFlippedByteIsNoticed) {
  const TempDir folder;
  const std::string bytes = to_safetensors(mixed(), {{"source_vocabulary", "0123"}});
  for (size_t place = 0; place < bytes.size(); ++place)
    for (const int mask : {0x01, 0x20, 0x80}) {
      std::string flipped = bytes;
      flipped[place] = static_cast<char>(flipped[place] ^ mask);
      write(folder / "flipped", flipped);
      EXPECT_NE(error_of(folder / "flipped"), "") << "byte " << place << " mask " << mask;
    }
}

TEST(Safetensors, S21_ForeignFilesAreNamed) {
  const TempDir folder;
  const auto message = [&](const std::string& bytes) {
    write(folder / "foreign", bytes);
    return error_of(folder / "foreign");
  };
  EXPECT_NE(message("").find("is empty"), std::string::npos);
  EXPECT_NE(message("model:\n  layers: 2\n").find("is not a safetensors file"), std::string::npos);
  EXPECT_NE(message("PK\x03\x04 and more bytes").find("zip"), std::string::npos);
  EXPECT_NE(message("\x1f\x8b\x08 and more bytes").find("gzip"), std::string::npos);
  const std::string header = R"({"W":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  EXPECT_NE(message(std::string(1, static_cast<char>(header.size())) + std::string(7, '\0') +
                    header + "abcd")
                .find("not written by softalign"),
            std::string::npos);
  EXPECT_NE(error_of(folder / "absent"), "");
  EXPECT_NE(error_of(folder.path()), "");
}

TEST(Safetensors, S21_ANewerVersionIsNamed) {
  const TempDir folder;
  std::string bytes = to_safetensors(mixed(), {});
  // A file of version 2 with right checksums, made from one of version 1.
  const std::string version = R"("format_version":"1")", digest_key = R"("header_sha256":")";
  bytes.replace(bytes.find(version), version.size(), R"("format_version":"2")");
  const size_t length =
      static_cast<unsigned char>(bytes[0]) + 256U * static_cast<unsigned char>(bytes[1]);
  const size_t digest = bytes.find(digest_key) + digest_key.size();
  bytes.replace(digest, 64, 64, '0');
  bytes.replace(digest, 64, sha256(bytes.substr(8, length)));
  write(folder / "newer", bytes);
  EXPECT_NE(error_of(folder / "newer").find("format version 2"), std::string::npos);
}

TEST(Safetensors, S21_DifferencesAreListedAndNothingIsCopied) {
  const Tensor a = at::zeros({8, 8}), b = at::zeros({3}), c = at::zeros({2});
  const LoadedTensors loaded{{{"a", at::ones({4, 4})}, {"c", at::ones({2})}, {"d", at::ones({1})}},
                             {}};
  try {
    copy_into({{"a", a}, {"b", b}, {"c", c}}, loaded, "dir/best.safetensors");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(error.exit_code(), 2);
    for (const char* part : {"dir/best.safetensors", "a is [4, 4] in the file and [8, 8]",
                             "it has no b", "the model has no d"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_EQ(c.sum().item<float>(), 0.0f);
  EXPECT_THROW(copy_into({{"a", at::zeros({1}, at::kDouble)}}, {{{"a", at::ones({1})}}, {}}, "x"),
               Error);
  copy_into({{"a", a}}, {{{"a", at::ones({8, 8})}}, {}}, "x");
  EXPECT_EQ(a.sum().item<float>(), 64.0f);
}

TEST(Safetensors, AtMostFiveDifferencesAreListed) {
  NamedTensors parameters;
  for (int i = 0; i < 9; ++i) parameters.emplace_back("p" + std::to_string(i), at::zeros({1}));
  try {
    copy_into(parameters, {}, "x");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("and 4 more differences"), std::string::npos);
  }
}

}  // namespace
}  // namespace softalign
