#pragma once
#include <string>

#include "simulator/isa/type.h"

namespace warpwise::conformance {

/// The registers of random programs come in classes, by size: of 2, 4 and 8 bytes.
inline unsigned class_of(isa::Type type) {
  unsigned bytes = isa::size_bytes(type);
  return bytes <= 2 ? 0 : bytes == 4 ? 1 : 2;
}
inline constexpr const char* classes = "hrd";  ///< how names of each class begin: %h0
inline constexpr unsigned registers[] = {6, 8, 6}, predicates = 4;
inline constexpr isa::Type bits_of_class[] = {isa::Type::b16, isa::Type::b32, isa::Type::b64};
/// A register that a statement may use for itself.
inline std::string scratch_of(isa::Type type) {
  return std::string("%") + "cab"[class_of(type)] + "0";
}

}  // namespace warpwise::conformance
