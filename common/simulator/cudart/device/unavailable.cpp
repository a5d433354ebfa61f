#include <fmt/format.h>

#include "simulator/cudart/runtime.h"

/// What every function of the real library does that this one has only the name of: the generated
/// stubs call it (common/cmake/stand_in.cmake).
extern "C" [[noreturn]] void warpwise_not_available(const char* function) {
  warpwise::cudart::stop_unsupported(fmt::format("{} is not available in the simulator", function));
}
