#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "simulator/memory/address_space.h"
#include "simulator/watch/report/report.h"

namespace warpwise::machine {

/// The block that went past the end of an array, and its launch.
struct WhoPastEnd {
  watch::Index3 block{}, grid{};
  std::span<const std::byte> parameters;  ///< of the kernel
};

/// Says what to do about an access past the end of an array, as a sentence. A guard is named only
/// where it may be what is missing: in the last block, which has threads too many.
/// @param offset of the access in the array. @param bytes of the access.
std::string advice_past_end(const memory::Allocation& array, std::uint64_t offset, unsigned bytes,
                            const WhoPastEnd& who);

}  // namespace warpwise::machine
