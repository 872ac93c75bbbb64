#include "app/commands/named_lines.h"

#include "app/log.h"
#include "data/error.h"
#include "data/file.h"
#include "data/unicode.h"

namespace softalign {
namespace {

std::string name_and_count(const NamedLines& file) {
  return file.path.string() + " has " + grouped(static_cast<int64_t>(file.lines.size())) +
         (file.lines.size() == 1 ? " line" : " lines");
}

}  // namespace

NamedLines read_named_lines(const std::filesystem::path& path) {
  NamedLines file{path, read_lines(path)};
  for (std::string& line : file.lines)
    if (find_invalid_utf8(line)) line = repair_utf8(line);
  return file;
}

void require_same_count(const NamedLines& a, const NamedLines& b) {
  if (a.lines.size() == b.lines.size()) return;
  throw Error(name_and_count(a) + ", " + name_and_count(b) +
              "; line i of one must belong to line i of the other");
}

}  // namespace softalign
