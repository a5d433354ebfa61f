#include "simulator/memory/pages.h"

#include <unistd.h>

namespace warpwise::memory {

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace warpwise::memory
