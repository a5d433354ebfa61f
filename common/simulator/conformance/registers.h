#pragma once
#include "simulator/isa/type.h"

namespace warpwise::conformance {

/// The registers of random programs come in classes, by size: of 2, 4 and 8 bytes.
inline unsigned class_of(isa::Type type) {
  unsigned bytes = isa::size_bytes(type);
  return bytes <= 2 ? 0 : bytes == 4 ? 1 : 2;
}

}  // namespace warpwise::conformance
