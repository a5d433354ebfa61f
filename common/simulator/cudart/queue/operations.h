#pragma once
#include <cstdint>
#include <string>

#include "simulator/cudart/queue/queue.h"

/// Counts a program's requests to the device and the waits of the host, for lessons: the exercises
/// of chapter 9 have gates on these numbers.
namespace warpwise::cudart {

enum class Counted {
  host_waits,        ///< calls that held the host until the device was done with something.
  launch_calls,      ///< of the host; a graph's launch counts as one, a captured launch does not.
  graph_launches,    ///< of the host.
  instantiations,    ///< of graphs.
  child_launches,    ///< of kernels by kernels.
  pinned_bytes_in,   ///< copied from page-locked memory of the host; not by graphs.
  pinned_bytes_out,  ///< copied to such memory; not by graphs.
  pageable_bytes,    ///< copied from or to other memory of the host; not by graphs.
  allocations_in_flight,  ///< cudaMalloc, cudaFree and such while the device had work.
  peer_bytes,    ///< from device to device over the link between them, by copies and kernels.
  staged_bytes,  ///< from device to device through the host.
  last
};

void count(Counted what, std::uint64_t by = 1);
/// By the operation that runs: counts the bytes that it moves from one device to another, for both.
void count_moved(const Moved& moved);

/// All counts since the last time as a JSON object, with `longest_chain`, `overlaps` and the list
/// of `operations`; warpwise_report.h says what they are. Waits for the device.
std::string take_operations();

}  // namespace warpwise::cudart
