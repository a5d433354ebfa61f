#include <fmt/format.h>

#include "simulator/cudart/runtime.h"

/// Called by the generated stubs of every function of the real library that this one has only by
/// name (common/cmake/stand_in.cmake).
extern "C" [[noreturn]] void warpwise_not_available(const char* function) {
  warpwise::cudart::stop_unsupported(fmt::format("{} is not available in the simulator", function));
}
