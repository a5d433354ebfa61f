#pragma once
#include <string>
#include <vector>

#include "lesson/run.h"

/// \file
/// The table next to a ladder whose rungs are many operations: what has to wait for what, and how
/// often the host does. \ingroup lesson
namespace warpwise::lesson {

/// Prints, for each rung of a ladder that has run, some of the simulator's counts of its order.
/// @param ladder its name; it has counts_operations. @param keys of OperationCounts. @param heads
/// one for each.
void order_table(Run& run, const std::string& ladder, const std::vector<const char*>& keys,
                 const std::vector<std::string>& heads);

}  // namespace warpwise::lesson
