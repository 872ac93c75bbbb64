#pragma once

#include <string_view>
#include <vector>

namespace softalign {

/// A file of app/web/page, as it was when the program was built.
struct PageFile {
  std::string_view name;  // "main.js"
  std::string_view bytes;
};

const std::vector<PageFile>& page_files();

/// Throws std::out_of_range if there is none of this name.
std::string_view page_file(std::string_view name);

}  // namespace softalign
