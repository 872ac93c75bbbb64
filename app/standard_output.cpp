#include "app/standard_output.h"

#include <poll.h>
#include <unistd.h>

#include <iostream>

#include "data/error.h"

namespace softalign {

void flush_results(std::ostream& out) {
  out.flush();
  if (out) return;
  pollfd state{STDOUT_FILENO, POLLOUT, 0};  // errno is long overwritten
  if (&out == &std::cout && poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0)
    throw ClosedPipe{};
  throw Error("the results could not be written: is the disk full?", Error::kMachine);
}

}  // namespace softalign
