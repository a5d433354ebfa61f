#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace warpwise::image {

/// Finds code that ptxas writes twice, once for whole warps and once, out of line, for diverged
/// warps: BRA.DIV leads to the second copy, which ends with the branch back.
/// @param code of a kernel.
/// @return by instruction, whether it is in such a second copy.
std::vector<bool> code_for_parted_lanes(std::span<const std::byte> code);

}  // namespace warpwise::image
