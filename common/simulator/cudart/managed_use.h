#pragma once
#include <cstdint>
#include <vector>

#include "simulator/cudart/queue.h"
#include "simulator/cudart/work.h"

/// Managed memory that launches may be using. Until the host has waited for them, its access to
/// such memory faults and is told as a missing synchronisation. What a launch cannot reach stays
/// open: programs prepare the data of the next launch while one runs.
namespace warpwise::cudart {

/// Where the managed allocations start that a kernel may reach: those that its arguments point to,
/// those that pointers stored there point to, and so on, and the program's managed variables. All
/// that there are, of work that is no kernel. To be called before the work is issued.
std::vector<std::uint64_t> managed_memory_of(const Work& work);

/// The launch that may use the allocations has been issued.
void close_managed(const std::vector<std::uint64_t>& allocations, const OperationPtr& launch);

/// To be called where the host has learnt that something is done: opens what no launch uses any
/// more.
void open_managed();

}  // namespace warpwise::cudart
