#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "simulator/image/memory_instruction.h"

namespace warpwise::image {

/// Counts for each load from global memory how many such loads a warp waits for at a time, itself
/// among them, and stores it in MemoryInstruction::loads_in_flight.
///
/// A load marks one of six scoreboards, and the first later instruction that needs its value waits
/// for that scoreboard. What lies between is counted along the code as it is written: a branch that
/// lanes may take does not end it, one that all take does.
/// @param code of a kernel, for sm_75 or later.
/// @param memory its memory instructions, in code order.
void count_loads_in_flight(std::span<const std::byte> code, std::vector<MemoryInstruction>& memory);

}  // namespace warpwise::image
