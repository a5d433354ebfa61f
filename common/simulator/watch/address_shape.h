#pragma once
#include <cstdint>

#include "simulator/watch/access_event.h"

namespace warpwise::watch {

/// How the addresses of an access lie to each other.
struct AddressShape {
  explicit AddressShape(const AccessEvent& event);

  std::uint64_t lowest, highest;  ///< of the lanes that take part
  /// Each lane lies as far from the next as any other.
  bool is_regular;
  std::uint64_t stride;  ///< bytes from lane to lane then; lanes may go down
};

}  // namespace warpwise::watch
