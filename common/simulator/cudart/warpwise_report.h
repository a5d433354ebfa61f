/* What the stand-in tells a lesson. Found by dlsym(RTLD_DEFAULT, name); where the symbol is absent
 * the runtime is NVIDIA's and a real GPU does the work. C, so that nothing but bytes crosses. */
#pragma once
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/** Waits for all launches and returns those since the last call:
 *  {"device": "...", "launches": [ ... ]} in the schema of `learn sim --json`.
 *  The text belongs to the stand-in until the next call from the same thread. */
const char* warpwise_take_report(void);

/** Thread instructions a launch may use from now on; 0 removes the limit. */
void warpwise_set_budget(uint64_t thread_instructions);

/** From now on launches count who takes part in accesses to named arrays, "arrays" of a launch:
 *  [{"array": "y", "access": "global store", "requests": .., "sectors": .., "threads": ..,
 *  "warps": .., "most_of_thread": ..}, ...]; the array "" is all memory without a name. 0: no more.
 */
void warpwise_count_participants(int wanted);

/** Waits for all launches. Bytes that came to the host since the program began: by copies from the
 *  device, and all memory that was allocated so that both can reach it. */
uint64_t warpwise_bytes_for_host(void);

/** Waits for all launches and reports what kernels got from malloc or new and did not free, as the
 *  end of the program would. */
void warpwise_note_heap_leaks(void);

/** Names the allocation that starts at this address, for diagnoses ("array x"). */
void warpwise_name_array(const void* device_pointer, const char* name);

/** From now on the allocation that starts at this address counts as never written, whatever is in
 *  it. Waits for all launches. */
void warpwise_forget_contents(const void* device_pointer);

/** From now on operations of streams are kept for warpwise_take_operations(), 1024 at most. Counts
 *  begin at 0. 0: no more. */
void warpwise_count_operations(int wanted);

/** Waits for all launches and returns what the host asked for since the last call:
 *  {"host_waits": calls that held the host until the device was done with something,
 *   "launch_calls": of the host, where the launch of a graph is one, "graph_launches": ..,
 *   "instantiations": .., "child_launches": by kernels,
 *   "pinned_bytes_in": .., "pinned_bytes_out": .., "pageable_bytes": copied, but by graphs,
 *   "allocations_in_flight": cudaMalloc, cudaFree, cudaMallocHost and such while the device had
 *   work, "peer_bytes": from device to device over the link between them, by copies and by accesses
 *   of kernels, "staged_bytes": from device to device through the host,
 *   "longest_chain": operations that work on the longest way along the enforced order,
 *   "overlaps": copies, none of them pageable, which are not ordered with some kernel,
 *   "operations": [{"name": "add", "does": "kernel", "device": 0, "stream": 3, "column": 2,
 *   "peer_bytes": .., "staged_bytes": .., "moved": [{"from": 1, "to": 0, "bytes": .., "staged":
 *   false}, ...]}, ...]}. Numbers of streams are unique but for the default streams, all 0.
 *  A column is how many operations come before on the longest way to this one. What kernels launch
 *  is part of the kernel. The text belongs to the stand-in until the next call from the thread. */
const char* warpwise_take_operations(void);

#ifdef __cplusplus
}
#endif
