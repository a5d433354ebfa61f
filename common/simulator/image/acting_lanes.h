#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpwise::image {

/// Which lanes of a warp execute an atomic operation of the compiled code. Where ptxas can prove
/// that all lanes update one address, it may let a single lane do it for all.
enum class ActingLanes : std::uint8_t {
  all,                  ///< that are active
  elected,              ///< one for all that are active
  last_of_whole_warp,   ///< the last one, where all lanes of the warp are active,
  all_of_partial_warp,  ///< next to an instruction for warps with inactive lanes
  some,                 ///< those for which another predicate holds
};

/// @param code of a kernel, for sm_75 or later.
/// @param at the offset of the atomic operation in it, in bytes.
ActingLanes acting_lanes(std::span<const std::byte> code, std::size_t at);

}  // namespace warpwise::image
