#pragma once

#include <ostream>

namespace softalign {

/// The reader of standard output is gone (`… | head -1`): main ends quietly with 0.
struct ClosedPipe {};

/// Flushes results. Throws ClosedPipe if `out` is standard output and its reader is gone, or
/// Error(kMachine) if the bytes could not be written (a full disk).
void flush_results(std::ostream& out);

}  // namespace softalign
