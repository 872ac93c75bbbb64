#include "model/training/checkpoint.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "data/error.h"
#include "data/file.h"
#include "tests/model/training/toy.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

Progress some_progress(int64_t floats) {
  Progress progress;
  progress.weights = {{"W", at::full({floats}, 2.0f)}};
  progress.optimizer = {{"steps", at::tensor({int64_t{7}}, at::kLong)}};
  progress.metadata = {{"source_vocabulary", "abc"}};
  progress.state = R"({"best":0.1,"step":7})";
  return progress;
}

std::string error_of(const std::function<void()>& function, int exit_code = Error::kUser) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), exit_code) << error.what();
    return error.what();
  }
  return "";
}

TEST(Checkpoint, WeightsComeBack) {
  const TempDir folder;
  const Toy toy = copy_task(1, 0);
  Seq2Seq one = new_model(toy.model, 1), two = new_model(toy.model, 2);
  save_weights(one, folder / "best.safetensors", {{"step", "5"}});
  EXPECT_EQ(load_weights(two, folder / "best.safetensors").at("step"), "5");
  const NamedTensors expected = named_parameters(one), loaded = named_parameters(two);
  ASSERT_EQ(loaded.size(), expected.size());
  for (size_t i = 0; i < loaded.size(); ++i)
    EXPECT_TRUE(loaded[i].second.equal(expected[i].second)) << loaded[i].first;
}

TEST(Checkpoint, S21_AModelOfAnotherWidthIsRefused) {
  const TempDir folder;
  Toy toy = copy_task(1, 0);
  Seq2Seq one = new_model(toy.model);
  save_weights(one, folder / "best.safetensors", {});
  toy.model.decoder.hidden = 32;
  Seq2Seq two = new_model(toy.model);
  const Tensor before = named_parameters(two)[0].second.clone();
  const std::string message = error_of([&] { load_weights(two, folder / "best.safetensors"); });
  EXPECT_NE(message.find("doesn't fit the model"), std::string::npos) << message;
  EXPECT_TRUE(named_parameters(two)[0].second.equal(before));
}

TEST(Checkpoint, ProgressComesBack) {
  const TempDir folder;
  save_progress(some_progress(3), folder / "last");
  const Progress loaded = load_progress(folder / "last");
  EXPECT_TRUE(find_tensor(loaded.weights, "W").equal(at::full({3}, 2.0f)));
  EXPECT_EQ(find_tensor(loaded.optimizer, "steps").item<int64_t>(), 7);
  EXPECT_EQ(loaded.state, R"({"best":0.1,"step":7})");
  EXPECT_EQ(loaded.metadata.at("source_vocabulary"), "abc");
  EXPECT_TRUE(loaded.averages.empty());
}

TEST(Checkpoint, NothingToResumeIsSaid) {
  const TempDir folder;
  const std::string message = error_of([&] { load_progress(folder / "last"); });
  EXPECT_NE(message.find("nothing to resume"), std::string::npos) << message;
}

TEST(Checkpoint, S21_EveryCutAndFlipOfTheStateIsNoticed) {
  const TempDir folder;
  save_progress(some_progress(1), folder / "last");
  const fs::path path = folder / "last" / "state.json";
  const std::string bytes = read_bytes(path);
  for (size_t i = 0; i < bytes.size(); ++i) {
    write(path, bytes.substr(0, i));
    const std::string cut = error_of([&] { load_progress(folder / "last"); });
    EXPECT_NE(cut.find("state.json"), std::string::npos) << i << cut;
    std::string flipped = bytes;
    flipped[i] = static_cast<char>(flipped[i] ^ 1);
    write(path, flipped);
    const std::string message = error_of([&] { load_progress(folder / "last"); });
    EXPECT_NE(message.find("state.json"), std::string::npos) << i << message;
  }
}

TEST(Checkpoint, S21_AMissingFileIsNamed) {
  for (const char* name :
       {"weights.safetensors", "optimizer.safetensors", "averages.safetensors", "state.json"}) {
    const TempDir folder;
    save_progress(some_progress(1), folder / "last");
    fs::remove(folder / "last" / name);
    const std::string message = error_of([&] { load_progress(folder / "last"); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
  }
}

TEST(Checkpoint, S20_AFullDiskLeavesTheOldOneIntact) {
  const TempDir folder;
  const fs::path disk = folder / "disk";
  fs::create_directory(disk);
  if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=512k") != 0)
    GTEST_SKIP() << "a small file system can't be mounted here: " << std::strerror(errno);
  {
    save_progress(some_progress(8), disk / "last");
    write_atomically(disk / "best.safetensors", to_safetensors(some_progress(8).weights, {}));
    const std::string message =
        error_of([&] { save_progress(some_progress(300'000), disk / "last"); }, Error::kMachine);
    EXPECT_NE(message.find("No space left"), std::string::npos) << message;
    const auto best = [&] {
      write_atomically(disk / "best.safetensors",
                       to_safetensors(some_progress(300'000).weights, {}));
    };
    EXPECT_NE(error_of(best, Error::kMachine), "");
    EXPECT_EQ(find_tensor(load_progress(disk / "last").weights, "W").numel(), 8);
    EXPECT_EQ(load_safetensors(disk / "best.safetensors").tensors[0].second.numel(), 8);
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(disk))
      names.push_back(entry.path().filename().string());
    EXPECT_EQ(names.size(), 2U);  // no stray temporary files
  }
  EXPECT_EQ(::umount2(disk.c_str(), MNT_DETACH), 0);
}

}  // namespace
}  // namespace softalign
