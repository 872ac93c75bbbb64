#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace softalign {

/// Lines to be worked off in groups, from a file, or from a pipe whose writer may be waiting for
/// the answer to each line before it sends the next.
class LineQueue {
 public:
  /// "-" is standard input. Throws as LineReader does.
  explicit LineQueue(const std::filesystem::path& input);
  ~LineQueue();
  LineQueue(const LineQueue&) = delete;
  LineQueue& operator=(const LineQueue&) = delete;

  /// The next lines, at most `most`; nothing at the end. Of a file as many as there are; of a pipe
  /// or a terminal those that have arrived, waiting only for the first.
  std::vector<std::string> take(size_t most);

 private:
  class Lines;
  class FileLines;
  class ArrivingLines;
  std::unique_ptr<Lines> lines_;
};

}  // namespace softalign
