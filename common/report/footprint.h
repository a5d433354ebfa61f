#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "occupancy/gpu_table.h"
#include "report/report.h"

/// \file
/// The resources that a launch asks of an SM, and how much of it an SM holds: for a verdict.
/// \ingroup report
namespace warpwise::report {

/// A launch's registers and shared memory, and the blocks of it that one SM holds.
struct Footprint {
  std::string gpu;                       ///< whose limits: "NVIDIA H200".
  int registers = 0;                     ///< of a thread.
  std::size_t static_shared_bytes = 0;   ///< of a block.
  std::size_t dynamic_shared_bytes = 0;  ///< of a block.
  int threads = 0;                       ///< of a block.
  int blocks = 0;                        ///< resident on an SM.
  int warps = 0;                         ///< resident on an SM.
  int most_warps = 0;                    ///< that an SM can hold.
  std::vector<std::string> limiters;     ///< what admits no more blocks.
};

/// @param gpu whose limits count.
/// @return nothing for a launch whose registers are not known.
std::optional<Footprint> footprint_of(const occupancy::Gpu& gpu, const LaunchReport& launch);

}  // namespace warpwise::report
