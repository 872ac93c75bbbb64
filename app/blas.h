#pragma once

#include <string>

namespace softalign {

/// The linear algebra library that this process has loaded.
struct Blas {
  std::string name;   // "OpenBLAS", "the reference BLAS", "MKL", …, or "unknown"
  bool slow = false;  // the reference BLAS, or pthreads, which fight with LibTorch's threads
};
Blas loaded_blas();

}  // namespace softalign
