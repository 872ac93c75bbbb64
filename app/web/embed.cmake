# Writes OUTPUT, C++ that defines page_files() with the bytes of all FILES.
set(arrays "")
set(entries "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  get_filename_component(name "${file}" NAME)
  string(APPEND arrays "constexpr unsigned char kFile${index}[] = {${bytes}0};\n")
  string(APPEND entries
    "      {\"${name}\", {reinterpret_cast<const char*>(kFile${index}), sizeof kFile${index} - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE "${OUTPUT}" "#include \"app/web/pages.h\"

#include <stdexcept>
#include <string>

namespace softalign {
namespace {

${arrays}
}  // namespace

const std::vector<PageFile>& page_files() {
  static const std::vector<PageFile> files{
${entries}  };
  return files;
}

std::string_view page_file(std::string_view name) {
  for (const PageFile& file : page_files())
    if (file.name == name) return file.bytes;
  throw std::out_of_range(\"no page file \" + std::string(name));
}

}  // namespace softalign
")
