#pragma once
#include <limits>
#include <string>
#include <vector>

#include "report/report.h"

/// \file
/// Counts that an exercise must meet.
/// \ingroup report
namespace warpwise::report {

/// The measure of a gate. The first ones count accesses, the others the whole launch.
enum class Measure {
  requests,
  sectors,
  wavefronts,
  bank_conflicts,
  during_copies,  ///< requests while a copy to shared memory goes on, see LineCounts::during_copies
  loads_in_flight,  ///< at a time, at the line with most requests, see LineCounts::loads_in_flight
  resident_warps,
  own_shared_bytes,  ///< of shared memory that the kernel declares with a size, in a block.
  local_bytes,       ///< of arrays that are not in registers, of a thread.
  matrix_products,   ///< of warps on tensor cores: what one instruction multiplies is one.
  barriers,          ///< of whole blocks, one for each warp that reaches one.
  waves,  ///< of a program's last launch, or of the one with most, where that is above 1.
  jump,   ///< bytes between one load and the next of the gate's array, by one warp.
  /// For accesses to an array in global memory, all threads of the grid together:
  threads,         ///< that make at least one.
  warps,           ///< with such a thread.
  most_of_thread,  ///< accesses of the thread that makes most.
  /// For a host function: what it asks of the device, and how that is ordered. Operations are
  /// kernels, copies, fills and host functions.
  host_waits,             ///< calls that held the host until the device was done.
  longest_chain,          ///< operations of which each has to wait for the one before.
  overlaps,               ///< copies, not pageable, that need not wait for some kernel.
  launch_calls,           ///< by the host; the launch of a graph is one.
  graph_launches,         ///< by the host.
  instantiations,         ///< of graphs.
  child_launches,         ///< by kernels.
  pinned_bytes_in,        ///< copied to the device from page-locked memory.
  pinned_bytes_out,       ///< copied from the device to such memory.
  allocations_in_flight,  ///< cudaMalloc, cudaFree and such while the device had work.
  peer_bytes,             ///< between devices directly, by copies and by kernels.
  staged_bytes,           ///< between devices through the host: no peer access.
};

/// Whether a measure is a number of the whole launch.
bool is_of_launch(Measure measure);
/// Whether a measure tells which threads take part.
bool is_of_participants(Measure measure);
/// Whether a measure is of what the host asks for: the key of its number in OperationCounts.
bool is_of_operations(Measure measure);
const char* operations_key(Measure measure);

/// A count that an exercise must meet at its last size.
struct Gate {
  std::string name;  ///< "sectors": what a mistake's `// expect: gate sectors` names.
  std::string what;  ///< what is counted, for people: "sectors loaded for each row".
  /// The accesses: "global load", "shared store", ..., or "shared" for both; empty for the whole
  /// launch.
  std::string access = {};
  Measure measure = Measure::requests;
  double per = 1;       ///< the count is divided by this.
  double at_least = 0;  ///< so that avoiding the topic does not pass.
  double at_most = std::numeric_limits<double>::infinity();
  std::string mistake = {};  ///< the stored mistake whose count is shown next to it.
  /// The array whose accesses count, as the check has named it; empty: any memory. For requests,
  /// sectors, and the threads that take part.
  std::string array = {};
  /// The task's words for it; empty: what announcement() makes of the rest.
  std::string announced = {};
};

/// The task's words for a gate: "whole sectors", "no shared memory".
std::string announcement(const Gate& gate);
/// The line of the task that names all gates: "Also checked: whole sectors; no shared memory."
/// Empty without gates.
std::string announcement(const std::vector<Gate>& gates);

/// Adds the gates that every check applies to a kernel in addition to its own gates: no atomic
/// operation in global memory, unless a gate counts them. Loads and stores that are atomics would
/// escape all other gates.
std::vector<Gate> with_implied(std::vector<Gate> gates);

/// A gate after a launch.
struct GateResult {
  Gate gate;
  double saw = 0;
  bool met = false;
  bool confirmed = true;  ///< all of it by the compiled code.
  std::string file;       ///< the line with the largest share.
  unsigned line = 0;
  std::string mistake_saw;          ///< what the mistake that the gate names gives; may be empty.
  std::string mistake_description;  ///< what is wrong with it.

  /// As short_number.
  std::string saw_text() const;
  /// "16 to 32", "at most 32", "none".
  std::string wanted() const;
};

/// "17.25": with as many decimals as say something, two at most.
std::string short_number(double value);

/// Counts one gate. Only what the compiled code has can be too much, though a GPU may count more;
/// what is not known to be in it still counts as being there. Where the arrays are counted, only
/// accesses to those that the check has named can be enough: others are decoys.
GateResult judge(const Gate& gate, const std::vector<LineCounts>& lines,
                 const std::vector<ArrayCounts>& arrays = {});

/// The gate over a number of the whole launch, which it divides: it has no line.
GateResult judge(const Gate& gate, double number);

}  // namespace warpwise::report
