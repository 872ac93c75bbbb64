#include "data/file.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "data/error.h"
#include "tests/support/temp_dir.h"

namespace softalign {
namespace {

using namespace std::string_literals;
using Lines = std::vector<std::string>;

void write(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string result(bytes.size() + 1000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return result;
}

Lines lines_of(const std::string& bytes) {
  const TempDir folder;
  write(folder / "text", bytes);
  return read_lines(folder / "text");
}

std::string message_of(const std::function<void()>& action, int exit_code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), exit_code);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return {};
}

TEST(LineReader, S01_BlankLinesAreLines) {
  EXPECT_EQ(lines_of("hello\n\n\nhello\n"), (Lines{"hello", "", "", "hello"}));
  EXPECT_EQ(lines_of("\n\n"), (Lines{"", ""}));
  EXPECT_EQ(lines_of(""), Lines{});
}

TEST(LineReader, S02_OnlyTheNewlineEndsALine) {
  for (const std::string& other : {"\xe2\x80\xa8"s, "\xe2\x80\xa9"s, "\xc2\x85"s, "\f"s, "\v"s}) {
    EXPECT_EQ(lines_of("a" + other + "b\nc\n"), (Lines{"a" + other + "b", "c"}));
  }
}

TEST(LineReader, S03_OneCarriageReturnBeforeTheEndIsDropped) {
  EXPECT_EQ(lines_of("a\r\nb\r\n\r\nc\r\r\nd\re\n"), (Lines{"a", "b", "", "c\r", "d\re"}));
}

TEST(LineReader, S04_ByteOrderMarkIsDroppedAtTheStartOnly) {
  EXPECT_EQ(lines_of("\xef\xbb\xbfhello\n\xef\xbb\xbfx\n"), (Lines{"hello", "\xef\xbb\xbfx"}));
  EXPECT_EQ(lines_of("\xef\xbb\xbf"), Lines{});
  EXPECT_EQ(lines_of("\xef\xbb"), Lines{"\xef\xbb"});
}

TEST(LineReader, S05_NulAndBadBytesAreKept) {
  EXPECT_EQ(lines_of("a\0b\n\xff\n\0\0\n"s), (Lines{"a\0b"s, "\xff", "\0\0"s}));
}

TEST(LineReader, S09_MissingFinalNewlineDoesNotChangeTheCount) {
  EXPECT_EQ(lines_of("a\nb"), lines_of("a\nb\n"));
}

TEST(LineReader, S06_LinesOfAnyLength) {
  const std::string longest(3 << 20, 'x');
  EXPECT_EQ(lines_of("a\n" + longest + "\nb\n"), (Lines{"a", longest, "b"}));
}

TEST(LineReader, S13_AnyPathWorks) {
  const TempDir folder;
  const auto path = folder / "my dir, ünï" / "数据 1";
  std::filesystem::create_directories(path.parent_path());
  write(path, "hello\n");
  EXPECT_EQ(read_lines(path), Lines{"hello"});
}

TEST(LineReader, CountsLinesFromOne) {
  std::istringstream stream("a\nb\n");
  LineReader reader(stream, "text");
  EXPECT_EQ(reader.line_number(), 0);
  EXPECT_EQ(reader.next(), "a");
  EXPECT_EQ(reader.line_number(), 1);
  EXPECT_EQ(reader.next(), "b");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(reader.line_number(), 2);
  EXPECT_EQ(reader.name(), "text");
}

TEST(LineReader, GzipIsRecognisedByItsContent) {
  std::string text;
  Lines expected;
  for (int i = 0; i < 20000; ++i) {
    expected.push_back("line " + std::to_string(i * 7919 % 10007));
    text += expected.back() + "\n";
  }
  EXPECT_EQ(lines_of(gzip(text)), expected);
  EXPECT_EQ(lines_of(gzip("")), Lines{});
  EXPECT_EQ(lines_of(gzip("\xef\xbb\xbfhello\r\n")), Lines{"hello"});
}

TEST(LineReader, GzipMembersFollowEachOther) {
  EXPECT_EQ(lines_of(gzip("a\nb") + gzip("c\n") + std::string(512, '\0')), (Lines{"a", "bc"}));
}

TEST(LineReader, BrokenGzipIsAnError) {
  const std::string whole = gzip("hello\nworld\n");
  for (size_t size = 2; size < whole.size(); ++size) {
    EXPECT_THROW(lines_of(whole.substr(0, size)), Error) << size;
  }
  std::string flipped = whole;
  flipped[whole.size() - 6] ^= 1;
  EXPECT_THROW(lines_of(flipped), Error);
  EXPECT_THROW(lines_of(whole + "garbage"), Error);
}

TEST(LineReader, ForeignFilesAreRefusedByName) {
  const TempDir folder;
  const std::vector<std::pair<std::string, std::string>> files = {
      {"\xff\xfeh\0i\0"s, "UTF-16"},      {"\xfe\xff\0h\0i"s, "UTF-16"},
      {"\xff\xfe\0\0h\0\0\0"s, "UTF-32"}, {"\0\0\xfe\xff\0\0\0h"s, "UTF-32"},
      {"PK\x03\x04rest", "zip"},          {"\xfd\x37zXZ\0rest"s, "xz"}};
  for (const auto& [bytes, name] : files) {
    write(folder / "text", bytes);
    const std::string message = message_of([&] { read_lines(folder / "text"); }, Error::kUser);
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("UTF-8"), std::string::npos) << message;
  }
}

TEST(LineReader, MissingFilesAndFoldersAreTheUsersMistake) {
  const TempDir folder;
  const auto missing = folder / "missing.txt";
  EXPECT_NE(
      message_of([&] { read_lines(missing); }, Error::kUser).find("missing.txt: No such file"),
      std::string::npos);
  EXPECT_NE(message_of([&] { read_lines(folder.path()); }, Error::kUser).find("is a folder"),
            std::string::npos);
  EXPECT_NE(message_of([&] { read_bytes(folder.path()); }, Error::kUser).find("is a folder"),
            std::string::npos);
  EXPECT_THROW(MappedFile{missing}, Error);
}

class Pipe {
 public:
  Pipe() {
    if (::pipe(ends_) != 0) throw std::runtime_error("pipe failed");
  }
  ~Pipe() {
    close_writer();
    ::close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::filesystem::path path() const { return "/dev/fd/" + std::to_string(ends_[0]); }
  void write(const std::string& bytes) const {
    ASSERT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  void close_writer() {
    if (ends_[1] >= 0) ::close(std::exchange(ends_[1], -1));
  }

 private:
  int ends_[2] = {-1, -1};
};

// Everything happens in one thread: if the reader waited for more than a line, the test would hang.
TEST(LineReader, S35_ALineIsDeliveredBeforeTheNextIsWritten) {
  Pipe pipe;
  LineReader reader(pipe.path());
  for (const std::string& line : {"h"s, ""s, "\xef"s, "P"s, "hello"s}) {
    pipe.write(line + "\n");
    EXPECT_EQ(reader.next(), line);
  }
  pipe.close_writer();
  EXPECT_EQ(reader.next(), std::nullopt);
}

TEST(LineReader, S35_FirstByteAloneDecidesNothing) {
  Pipe pipe;
  LineReader reader(pipe.path());
  pipe.write("\xef\xbb");
  std::thread later([&pipe] { pipe.write("\xbfx\n"); });
  EXPECT_EQ(reader.next(), "x");
  later.join();
}

TEST(LineReader, S35_GzipThroughAPipe) {
  Pipe pipe;
  pipe.write(gzip("a\nb\n"));
  LineReader reader(pipe.path());
  EXPECT_EQ(reader.next(), "a");
  EXPECT_EQ(reader.next(), "b");
  pipe.close_writer();
  EXPECT_EQ(reader.next(), std::nullopt);
}

TEST(File, BytesComeBackAsTheyAre) {
  const TempDir folder;
  const std::string bytes = "\xef\xbb\xbf\r\n\0\x1f\x8b"s + std::string(200000, 'x');
  write(folder / "bytes", bytes);
  EXPECT_EQ(read_bytes(folder / "bytes"), bytes);
  EXPECT_EQ(MappedFile(folder / "bytes").bytes(), bytes);
  write(folder / "empty", "");
  EXPECT_EQ(read_bytes(folder / "empty"), "");
  EXPECT_EQ(MappedFile(folder / "empty").bytes(), "");
}

// FIPS 180-4 examples (NIST, "SHA256.pdf") and the empty text.
TEST(Sha256, GivesTheStandardsExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace softalign
