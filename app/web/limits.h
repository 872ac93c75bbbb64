#pragma once

#include <cstddef>
#include <cstdint>

namespace softalign {

// What one client may ask for. Beyond: 413 for bodies, 400 for numbers and lists, 503 for the
// queue; long sources are cut, and the answer says so ("source_cut").
constexpr size_t kMostBodyBytes = size_t{1} << 20;
constexpr int64_t kMostTexts = 100;         // of one request
constexpr int64_t kMostSourceTokens = 250;  // of one text
constexpr int64_t kMostTargetTokens = 500;
constexpr int64_t kMostBeam = 20;
constexpr int64_t kMostAlternatives = 100;
constexpr int64_t kMostNeighbours = 20;
constexpr size_t kMostWaiting = 256;  // requests in the queue
constexpr int kBacklog = 256;         // clients that wait to be accepted
constexpr size_t kConnections = 128;  // clients that are read from or written to at once

}  // namespace softalign
