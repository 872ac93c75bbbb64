#pragma once

// A kernel's body is written once and inlined into one function for AVX2 and one for the baseline;
// the processor decides at run time. (target_clones would need ifunc support everywhere.)
#define SOFTALIGN_INLINE __attribute__((always_inline)) inline
#if defined(__x86_64__)
#define SOFTALIGN_AVX2 __attribute__((target("avx2,fma")))
#endif

namespace softalign {

#ifdef SOFTALIGN_AVX2
inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  return has;
}
#endif

}  // namespace softalign
