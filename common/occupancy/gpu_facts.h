#pragma once
#include <string>
#include <vector>

#include "occupancy/gpu_table.h"

/// \file
/// A row of the GPU table as text.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// One property of a GPU, for people: {"memory bandwidth", "4800 GB/s"}.
struct Fact {
  std::string name;
  std::string
      value;  ///< with its unit; "not known" for a 0, "none" for what the GPU does not have.
};

/// Everything a row says, in the order of a data sheet, its source last.
std::vector<Fact> facts_of(const Gpu& gpu);

/// "sm_90".
std::string architecture_name(const Gpu& gpu);

}  // namespace warpwise::occupancy
