#pragma once
#include <cstdint>

namespace warpwise::cudart {

/// The structure that nvcc puts into .nvFatBinSegment, and that a program passes to register its
/// code.
struct Wrapper {
  static constexpr std::uint32_t right_magic = 0x466243B1;

  std::uint32_t magic;
  std::int32_t version;  ///< 2 from the device linker (-rdc=true), else 1.
  const void* container;
  const void* const* prelinked;  ///< of version 2: the containers of the translation units.
};

}  // namespace warpwise::cudart
