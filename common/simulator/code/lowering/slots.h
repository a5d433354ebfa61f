#pragma once
#include <array>
#include <map>
#include <tuple>

#include "simulator/code/program.h"

namespace warpwise::code {

/// Hands out the places of a warp's register file: constants, parameters, special registers,
/// registers.
class Slots {
 public:
  explicit Slots(FrameLayout& frame) : frame_(frame) {}

  /// @param bytes of one lane; 0 for a predicate.
  Slot fresh(unsigned bytes);
  /// A slot that holds a value in all lanes from the start; equal values share one.
  Slot constant(unsigned bytes, std::uint64_t value);
  /// A slot with a value of its own in each lane from the start; equal ones share one.
  Slot constants(unsigned bytes, const std::array<std::uint64_t, 32>& values);
  Slot parameter(unsigned bytes, std::uint32_t offset, unsigned memory_bytes, bool is_signed);
  Slot special(unsigned bytes, Special special);

 private:
  FrameLayout& frame_;
  std::map<std::tuple<unsigned, std::uint64_t>, Slot> constants_;
  std::map<std::tuple<unsigned, std::array<std::uint64_t, 32>>, Slot> lane_constants_;
  std::map<std::tuple<unsigned, std::uint32_t, unsigned, bool>, Slot> parameters_;
  std::map<std::tuple<unsigned, Special>, Slot> specials_;
};

}  // namespace warpwise::code
