#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "simulator/machine/checks/bounds_advice.h"
#include "simulator/machine/schedule/grid.h"

/// \file
/// Explains what is wrong with an address, as a pure function of the address and of memory.
namespace warpwise::machine {

/// True for null with an index: nothing of the device or of a process has so low an address, or so
/// high a one.
bool is_around_null(std::uint64_t address);

/// For an address of local memory whose variable has ended.
inline constexpr const char* ended_variable =
    "a local variable of a kernel or function that has ended. Pass on the value, through shared or "
    "global memory.";

/// Explains what is wrong with an address outside every allocation that the device may use: a kind,
/// and the rest of the sentence. @param grid the launch. @param who the thread that made the
/// access.
std::pair<const char*, std::string> explained(const Grid& grid, std::uint64_t address,
                                              unsigned bytes, const WhoPastEnd& who);

}  // namespace warpwise::machine
