#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "data/error.h"
#include "data/file.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::string& what) {
  throw Error(path.string() + ": " + what + ": " + std::generic_category().message(errno),
              Error::kMachine);
}

/// A file that is open for writing; errors of every step are reported, also of closing.
class OutputFile {
 public:
  /// `shown` stands in messages.
  OutputFile(const fs::path& path, int flags, fs::path shown) : shown_(std::move(shown)) {
    do {
      fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666);
    } while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) fail(shown_, "can't be written");
  }
  ~OutputFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) fail(shown_, "writing failed");
      bytes.remove_prefix(static_cast<size_t>(count));
    }
  }

  void take_mode(mode_t mode) {
    if (::fchmod(fd_, mode) != 0) fail(shown_, "its permissions can't be kept");
  }

  void sync() {
    if (::fsync(fd_) != 0) fail(shown_, "writing failed");
  }

  void close() {
    if (::close(std::exchange(fd_, -1)) != 0) fail(shown_, "writing failed");
  }

 private:
  fs::path shown_;
  int fd_ = -1;
};

/// Removes a file or folder at the end of the scope unless it is kept.
class Removed {
 public:
  explicit Removed(fs::path path) : path_(std::move(path)) {}
  ~Removed() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Removed(const Removed&) = delete;
  Removed& operator=(const Removed&) = delete;

  void keep() { path_.clear(); }

 private:
  fs::path path_;
};

/// Makes the content of a file, or the names in a folder, survive a power failure.
void sync_path(const fs::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path, "can't be opened");
  const bool synced = ::fsync(fd) == 0 || errno == EINVAL;  // EINVAL: a file system without it
  const int error = errno;
  ::close(fd);
  errno = error;
  if (!synced) fail(path, "writing failed");
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

void create_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw Error(folder.string() + ": can't be created: " + error.message(), Error::kMachine);
  }
}

/// What a symbolic link leads to, so that the link itself stays; other paths as they are, without
/// a slash at the end.
fs::path resolved(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_symlink(path, ignored)) {
    const fs::path target = fs::weakly_canonical(path, ignored);
    if (!target.empty()) return target;
  }
  return path.has_filename() ? path : path.parent_path();
}

fs::path sibling(const fs::path& path, const std::string& suffix) {
  return folder_of(path) / ("." + path.filename().string() + suffix);
}

/// A name of this process's own, so that others can write the same path at the same time.
fs::path unused_sibling(const fs::path& path) {
  fs::path name;
  int attempt = 0;
  do {
    name = sibling(path, ".tmp" + std::to_string(::getpid()) + "-" + std::to_string(attempt++));
  } while (fs::exists(fs::symlink_status(name)));
  return name;
}

void rename_or_fail(const fs::path& from, const fs::path& to, const fs::path& shown) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(shown, "can't be replaced");
}

/// Swaps two paths at one instant; false where the system or the file system can't.
bool exchange(const fs::path& a, const fs::path& b) {
  if (::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) return false;
  fail(b, "can't be replaced");
}

void sync_tree(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() || entry.is_directory()) sync_path(entry.path());
  }
  sync_path(folder);
}

constexpr const char* kNew = ".new";
constexpr const char* kOld = ".old";

}  // namespace

void write_atomically(const fs::path& path, std::string_view bytes) {
  const fs::path target = resolved(path);
  struct stat status {};
  const bool exists = ::stat(target.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    throw Error(path.string() + " is a folder, not a file");
  }
  if (exists && !S_ISREG(status.st_mode)) {  // a device or a pipe can't be replaced, only fed
    OutputFile device(target, 0, path);
    device.write(bytes);
    device.close();
    return;
  }
  create_folders(folder_of(target));
  const fs::path temporary = unused_sibling(target);
  OutputFile file(temporary, O_CREAT | O_EXCL, path);
  Removed removed(temporary);
  if (exists) file.take_mode(status.st_mode & 07777);
  file.write(bytes);
  file.sync();
  file.close();
  rename_or_fail(temporary, target, path);
  removed.keep();
  sync_path(folder_of(target));
}

void recover_folder(const fs::path& path) {
  const fs::path target = resolved(path);
  const fs::path fresh = sibling(target, kNew), old = sibling(target, kOld);
  std::error_code error;
  // Without an exchange in one call, death between the two renames leaves no folder at the path.
  if (!fs::exists(target) && fs::exists(old)) {
    rename_or_fail(old, target, path);
    sync_path(folder_of(target));
  }
  fs::remove_all(old, error);
  fs::remove_all(fresh, error);
}

void replace_folder(const fs::path& path, const std::function<void(const fs::path& folder)>& fill) {
  const fs::path target = resolved(path);
  recover_folder(target);
  const fs::path fresh = sibling(target, kNew), old = sibling(target, kOld);
  Removed removed(fresh);
  create_folders(fresh);
  try {
    fill(fresh);
    sync_tree(fresh);
  } catch (const fs::filesystem_error& error) {
    throw Error(path.string() + ": writing failed: " + error.code().message(), Error::kMachine);
  }
  if (!fs::exists(target)) {
    rename_or_fail(fresh, target, path);
    removed.keep();
  } else if (!exchange(fresh, target)) {
    rename_or_fail(target, old, path);
    if (::rename(fresh.c_str(), target.c_str()) != 0) {
      const int error = errno;
      rename_or_fail(old, target, path);
      errno = error;
      fail(path, "can't be replaced");
    }
    removed.keep();
    sync_path(folder_of(target));
    const Removed removed_old(old);
    return;
  }
  sync_path(folder_of(target));
}

}  // namespace softalign
