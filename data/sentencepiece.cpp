#include "data/sentencepiece.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "data/error.h"

namespace softalign {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModule = "libsoftalign_sentencepiece.so";

fs::path module_path() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& path : {folder / kModule, folder / "../lib/softalign" / kModule}) {
    if (fs::exists(path, error)) return path;
  }
  return kModule;  // where the system looks for libraries
}

}  // namespace

const SentencePieceLibrary& sentencepiece_library() {
  // dlmopen into the program's own namespace is dlopen, but for one thing: the address sanitizer
  // refuses RTLD_DEEPBIND in dlopen. Loading twice gives the same module; it is never unloaded.
  void* const module =
      ::dlmopen(LM_ID_BASE, module_path().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!module) {
    throw Error(std::string("the SentencePiece module can't be loaded: ") + ::dlerror(),
                Error::kMachine);
  }
  using Factory = const SentencePieceLibrary& (*)();
  const auto factory = reinterpret_cast<Factory>(::dlsym(module, "softalign_sentencepiece"));
  if (!factory) {
    throw Error(std::string("the SentencePiece module is damaged: ") + ::dlerror(),
                Error::kMachine);
  }
  return factory();
}

}  // namespace softalign
