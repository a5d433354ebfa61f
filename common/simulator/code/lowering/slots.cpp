#include "simulator/code/lowering/slots.h"

namespace warpwise::code {

Slot Slots::fresh(unsigned bytes) {
  Slot slot = frame_.register_bytes;
  Slot size = bytes == 0 ? slot_unit : bytes * 32;
  frame_.register_bytes += (size + slot_unit - 1) / slot_unit * slot_unit;
  return slot;
}

Slot Slots::constant(unsigned bytes, std::uint64_t value) {
  if (bytes < 8 && bytes > 0) value &= (1ull << (8 * bytes)) - 1;
  auto [found, is_new] = constants_.try_emplace({bytes, value}, no_slot);
  if (is_new) {
    found->second = fresh(bytes);
    frame_.constants.push_back({found->second, static_cast<std::uint8_t>(bytes), value});
  }
  return found->second;
}

Slot Slots::constants(unsigned bytes, const std::array<std::uint64_t, 32>& values) {
  auto [found, is_new] = lane_constants_.try_emplace({bytes, values}, no_slot);
  if (is_new) {
    found->second = fresh(bytes);
    frame_.lane_constants.push_back({found->second, static_cast<std::uint8_t>(bytes), values});
  }
  return found->second;
}

Slot Slots::parameter(unsigned bytes, std::uint32_t offset, unsigned memory_bytes, bool is_signed) {
  auto [found, is_new] = parameters_.try_emplace({bytes, offset, memory_bytes, is_signed}, no_slot);
  if (is_new) {
    found->second = fresh(bytes);
    frame_.parameter_slots.push_back({found->second, static_cast<std::uint8_t>(bytes), offset,
                                      static_cast<std::uint8_t>(memory_bytes), is_signed});
  }
  return found->second;
}

Slot Slots::special(unsigned bytes, Special special) {
  auto [found, is_new] = specials_.try_emplace({bytes, special}, no_slot);
  if (is_new) {
    found->second = fresh(bytes);
    frame_.specials.push_back({found->second, static_cast<std::uint8_t>(bytes), special});
  }
  return found->second;
}

}  // namespace warpwise::code
