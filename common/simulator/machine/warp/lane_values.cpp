// Values of operands, lane by lane.

#include <cstring>

#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// The register's value in one lane; an address where the operand is one.
std::uint64_t RunnerState::lane_value(const code::Operation::Value& value, unsigned lane) {
  if (value.bytes == 0) return warp_->mask_at(value.slot) >> lane & 1;
  std::uint64_t result = 0;
  std::memcpy(&result, warp_->slot(value.slot) + std::size_t{lane} * value.bytes, value.bytes);
  result += static_cast<std::uint64_t>(value.offset);
  return value.bytes < 8 ? result & ((1ull << 8 * value.bytes) - 1) : result;
}

void RunnerState::set_lane(const code::Operation::Value& value, unsigned lane,
                           std::uint64_t result) {
  if (!value.is_there()) return;
  if (value.bytes == 0) {
    std::uint32_t& mask = warp_->mask_at(value.slot);
    mask = (mask & ~(1u << lane)) | static_cast<std::uint32_t>(result & 1) << lane;
    return;
  }
  std::memcpy(warp_->slot(value.slot) + std::size_t{lane} * value.bytes, &result, value.bytes);
}

}  // namespace warpwise::machine
