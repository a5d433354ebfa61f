#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/machine/copies/tensor_box.h"

namespace warpwise::machine {

/// The values of a box that is being copied, row after row.
struct TensorTile {
  std::vector<std::byte> bytes;
  std::vector<std::uint8_t> valid;  ///< a memory::Validity for each byte

  explicit TensorTile(const TensorBox& box);
  /// Fills all that is outside of the tensor, which is all that has not been set.
  void fill_with_nan();
  /// Rounds numbers that have more digits than their type, as a load does.
  void round(TensorMap::Element element, std::uint32_t offset, std::uint32_t count);
};

}  // namespace warpwise::machine
