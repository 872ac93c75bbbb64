#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/sha256.h"

namespace softalign {

/// Reads lines from a plain or gzip file (told apart by content), or from standard input for "-".
/// Only '\n' ends a line; one '\r' before it and a leading UTF-8 byte-order mark are dropped; NUL
/// bytes are kept. Works on pipes: no seeking, no size, and a line is returned as soon as it is
/// complete. UTF-16 and other recognisable foreign files are refused by name.
/// Throws Error(kUser) if the file can't be opened, Error(kMachine) if reading fails.
class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& path);
  /// Reads from a stream that outlives the reader; `name` stands in messages.
  LineReader(std::istream& stream, std::string name);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// The next line without its end, or nothing at the end of the file.
  std::optional<std::string> next();
  /// Number of the line that `next` returned last, from 1; 0 before the first.
  int64_t line_number() const;
  const std::string& name() const;

 private:
  class Source;
  std::unique_ptr<Source> source_;
};

/// All lines of a file, read as LineReader does.
std::vector<std::string> read_lines(const std::filesystem::path& path);

/// The bytes of a file as they are. Throws Error(kUser) if it can't be read.
std::string read_bytes(const std::filesystem::path& path);

/// Replaces `path` whole or not at all: temporary file in the same folder, write, flush, fsync,
/// rename, fsync of the folder; the temporary is removed on failure. Parent folders are created.
/// Throws Error(kMachine) with the system's reason (a full disk, no permission).
void write_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Replaces the folder `path` as one unit: `fill` writes into a temporary sibling, every file is
/// fsynced, then the two folders are exchanged in one system call where there is one, and the old
/// one is removed. A process that dies at any instant leaves the old or the new folder under
/// `path`; `recover_folder` clears what such a death left beside it.
void replace_folder(const std::filesystem::path& path,
                    const std::function<void(const std::filesystem::path& folder)>& fill);
void recover_folder(const std::filesystem::path& path);

/// A read-only memory map of a whole file. Throws Error(kUser) if it can't be opened or mapped.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

 private:
  const char* data_ = nullptr;
  size_t size_ = 0;
};

}  // namespace softalign
