#include "app/blas.h"

#include <fstream>

namespace softalign {

Blas loaded_blas() {
  std::ifstream maps("/proc/self/maps");
  bool openblas = false, pthread = false, reference = false, mkl = false, blis = false,
       atlas = false;
  // Debian's alternatives are resolved here: the maps name the real files.
  for (std::string line; std::getline(maps, line);) {
    const auto has = [&](const char* part) { return line.find(part) != std::string::npos; };
    openblas = openblas || has("openblas");
    pthread =
        pthread || has("openblas-pthread");  // the file itself is libopenblasp in every flavour
    reference = reference || has("/blas/libblas.so") || has("/lapack/liblapack.so") ||
                has("/librefblas.so");
    mkl = mkl || has("libmkl_");
    blis = blis || has("libblis");
    atlas = atlas || has("libatlas") || has("/atlas/");
  }
  if (mkl) return {"MKL"};
  if (openblas && pthread) return {"OpenBLAS with pthreads", true};
  if (openblas) return {"OpenBLAS"};
  if (blis) return {"BLIS"};
  if (atlas) return {"ATLAS"};
  if (reference) return {"the reference BLAS", true};
  return {"unknown"};
}

}  // namespace softalign
