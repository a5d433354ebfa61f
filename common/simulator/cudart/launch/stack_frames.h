#pragma once
#include <cstdint>
#include <optional>

/// Finds the local variables of the functions that have called the runtime.
namespace warpwise::cudart {

/// The known facts about an address on this thread's stack.
struct StackPlace {
  bool is_left = false;   ///< below all frames: of a function that has returned
  std::uint64_t end = 0;  ///< otherwise the end of its frame: no variable reaches past it
};
/// @return none where it is not on this thread's stack, or the frame is not known.
std::optional<StackPlace> stack_place(std::uint64_t address);

}  // namespace warpwise::cudart
