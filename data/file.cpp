#include "data/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "data/error.h"

namespace softalign {
namespace {

constexpr size_t kBlock = size_t{1} << 16;

std::string reason() { return std::generic_category().message(errno); }

/// An open file, closed at the end.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, const std::string& name) {
    do {
      fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    } while (fd_ < 0 && errno == EINTR);
    if (fd_ < 0) throw Error(name + ": " + reason());
    struct stat status {};
    if (::fstat(fd_, &status) == 0 && S_ISDIR(status.st_mode)) {
      ::close(fd_);
      throw Error(name + " is a folder, not a file");
    }
  }
  ~Descriptor() { ::close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

/// Where bytes come from. `read` waits for the first byte, not for more; 0 is the end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual size_t read(char* to, size_t size) = 0;
};

size_t read_descriptor(int fd, char* to, size_t size, const std::string& name) {
  for (;;) {
    const ssize_t count = ::read(fd, to, size);
    if (count >= 0) return static_cast<size_t>(count);
    if (errno != EINTR) throw Error(name + ": reading failed: " + reason(), Error::kMachine);
  }
}

class StandardInput : public ByteSource {
 public:
  explicit StandardInput(std::string name) : name_(std::move(name)) {}
  size_t read(char* to, size_t size) override {
    return read_descriptor(STDIN_FILENO, to, size, name_);
  }

 private:
  std::string name_;
};

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::filesystem::path& path)
      : name_(path.string()), file_(path, name_) {}
  size_t read(char* to, size_t size) override {
    return read_descriptor(file_.fd(), to, size, name_);
  }

 private:
  std::string name_;
  Descriptor file_;
};

class StreamBytes : public ByteSource {
 public:
  StreamBytes(std::istream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  // Stops after a line's end, because asking an interactive stream for more would wait.
  size_t read(char* to, size_t size) override {
    size_t count = 0;
    while (count < size) {
      const int byte = stream_.get();
      if (byte == std::istream::traits_type::eof()) break;
      to[count++] = static_cast<char>(byte);
      if (byte == '\n') break;
    }
    if (stream_.bad()) throw Error(name_ + ": reading failed", Error::kMachine);
    return count;
  }

 private:
  std::istream& stream_;
  std::string name_;
};

/// Decompresses gzip, also several members in a row, as far as the bytes that have arrived allow.
class GzipBytes : public ByteSource {
 public:
  /// `head`: bytes that were already taken from `compressed`.
  GzipBytes(std::unique_ptr<ByteSource> compressed, std::string head, std::string name)
      : compressed_(std::move(compressed)), input_(std::move(head)), name_(std::move(name)) {
    constexpr int kGzipOnly = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) {
      throw Error(name_ + ": not enough memory to decompress", Error::kMachine);
    }
    give_input(input_.size());
  }
  ~GzipBytes() override { inflateEnd(&stream_); }
  GzipBytes(const GzipBytes&) = delete;
  GzipBytes& operator=(const GzipBytes&) = delete;

  size_t read(char* to, size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(size, kBlock));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !refill()) {
        if (between_members_) return 0;
        throw Error(name_ + ": the gzip file is cut off");
      }
      if (between_members_ && !next_member()) continue;
      const int result = inflate(&stream_, Z_SYNC_FLUSH);
      if (result == Z_STREAM_END) {
        between_members_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw Error(name_ + ": the gzip file is damaged" +
                    (stream_.msg ? " (" + std::string(stream_.msg) + ")" : ""));
      }
    }
    return room - stream_.avail_out;
  }

 private:
  void give_input(size_t size) {
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(size);
  }

  bool refill() {
    input_.resize(kBlock);
    give_input(compressed_->read(input_.data(), input_.size()));
    return stream_.avail_in > 0;
  }

  /// Starts the next member, or skips the zeros that tapes and some tools pad with.
  bool next_member() {
    if (*stream_.next_in == 0) {
      ++stream_.next_in, --stream_.avail_in;
      return false;
    }
    inflateReset(&stream_);
    between_members_ = false;
    return true;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string input_;
  std::string name_;
  z_stream stream_{};
  bool between_members_ = false;
};

struct Format {
  std::string_view magic;
  std::string_view name;
};
using namespace std::string_view_literals;

constexpr std::string_view kGzip = "\x1f\x8b"sv;
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf"sv;
constexpr std::array<Format, 8> kForeign = {{{"\xff\xfe\0\0"sv, "UTF-32"},
                                             {"\0\0\xfe\xff"sv, "UTF-32"},
                                             {"\xff\xfe"sv, "UTF-16"},
                                             {"\xfe\xff"sv, "UTF-16"},
                                             {"PK\x03\x04"sv, "a zip archive"},
                                             {"\xfd\x37zXZ\0"sv, "xz-compressed"},
                                             {"\x28\xb5\x2f\xfd"sv, "zstd-compressed"},
                                             {"BZh91AY&SY"sv, "bzip2-compressed"}}};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// True if `text` might become `magic` with more bytes.
bool is_part_of(std::string_view text, std::string_view magic) {
  return text.size() < magic.size() && starts_with(magic, text);
}

}  // namespace

/// The decoded bytes of a file, cut into lines.
class LineReader::Source {
 public:
  Source(std::unique_ptr<ByteSource> bytes, std::string name)
      : bytes_(std::move(bytes)), name_(std::move(name)) {}

  std::optional<std::string> next() {
    if (!recognised_) recognise();
    size_t scanned = begin_;
    size_t end = buffer_.find('\n', scanned);
    while (end == std::string::npos) {
      scanned = buffer_.size() - begin_;
      buffer_.erase(0, begin_);
      begin_ = 0;
      if (!fill()) break;
      end = buffer_.find('\n', scanned);
    }
    const bool last = end == std::string::npos;
    if (last && begin_ == buffer_.size()) return std::nullopt;
    std::string line = buffer_.substr(begin_, last ? end : end - begin_);
    begin_ = last ? buffer_.size() : end + 1;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    ++line_number_;
    return line;
  }

  int64_t line_number() const { return line_number_; }
  const std::string& name() const { return name_; }

 private:
  bool fill() {
    const size_t size = buffer_.size();
    buffer_.resize(size + kBlock);
    const size_t count = bytes_->read(buffer_.data() + size, kBlock);
    buffer_.resize(size + count);
    return count > 0;
  }

  /// Looks at the first bytes, of which no more are awaited than it takes to tell.
  void recognise() {
    recognised_ = true;
    do {
      if (!fill()) break;
    } while (is_part_of(buffer_, kGzip));
    if (starts_with(buffer_, kGzip)) {
      bytes_ = std::make_unique<GzipBytes>(std::move(bytes_), std::move(buffer_), name_);
      buffer_.clear();
    }
    while (undecided() && fill()) {
    }
    for (const Format& format : kForeign) {
      if (starts_with(buffer_, format.magic)) {
        throw Error(name_ + " is " + std::string(format.name) +
                    "; expected text in UTF-8, plain or gzip");
      }
    }
    if (starts_with(buffer_, kByteOrderMark)) begin_ = kByteOrderMark.size();
  }

  bool undecided() const {
    return is_part_of(buffer_, kByteOrderMark) ||
           std::any_of(kForeign.begin(), kForeign.end(),
                       [this](const Format& format) { return is_part_of(buffer_, format.magic); });
  }

  std::unique_ptr<ByteSource> bytes_;
  std::string name_;
  std::string buffer_;
  size_t begin_ = 0;  // of the part of `buffer_` that isn't returned yet
  int64_t line_number_ = 0;
  bool recognised_ = false;
};

LineReader::LineReader(const std::filesystem::path& path)
    : source_(path == "-"
                  ? std::make_unique<Source>(std::make_unique<StandardInput>("standard input"),
                                             "standard input")
                  : std::make_unique<Source>(std::make_unique<FileBytes>(path), path.string())) {}
LineReader::LineReader(std::istream& stream, std::string name)
    : source_(std::make_unique<Source>(std::make_unique<StreamBytes>(stream, name), name)) {}
LineReader::~LineReader() = default;
LineReader::LineReader(LineReader&&) noexcept = default;
LineReader& LineReader::operator=(LineReader&&) noexcept = default;

std::optional<std::string> LineReader::next() { return source_->next(); }
int64_t LineReader::line_number() const { return source_->line_number(); }
const std::string& LineReader::name() const { return source_->name(); }

std::vector<std::string> read_lines(const std::filesystem::path& path) {
  LineReader reader(path);
  std::vector<std::string> lines;
  while (std::optional<std::string> line = reader.next()) lines.push_back(std::move(*line));
  return lines;
}

std::string read_bytes(const std::filesystem::path& path) {
  FileBytes file(path);
  std::string bytes;
  size_t size = 0;
  do {
    bytes.resize(size + kBlock);
    const size_t count = file.read(bytes.data() + size, kBlock);
    bytes.resize(size + count);
  } while (bytes.size() != std::exchange(size, bytes.size()));
  return bytes;
}

MappedFile::MappedFile(const std::filesystem::path& path) {
  const Descriptor file(path, path.string());
  struct stat status {};
  if (::fstat(file.fd(), &status) != 0) throw Error(path.string() + ": " + reason());
  if (!S_ISREG(status.st_mode)) throw Error(path.string() + " is not a regular file");
  size_ = static_cast<size_t>(status.st_size);
  if (size_ == 0) return;
  void* const memory = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd(), 0);
  if (memory == MAP_FAILED) throw Error(path.string() + ": mapping failed: " + reason());
  data_ = static_cast<const char*>(memory);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace softalign
