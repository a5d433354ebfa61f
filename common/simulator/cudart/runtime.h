#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "occupancy/gpu_table.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/cudart/report/output.h"
#include "simulator/cudart/report/report.h"
#include "simulator/machine/launch/module.h"
#include "simulator/memory/address_space.h"

/// The C interface of the CUDA runtime over the simulator: one file per subject.
///
/// | file             | subject                                                              |
/// |------------------|----------------------------------------------------------------------|
/// | registration.cpp | what nvcc's constructors call: images, kernels, variables            |
/// | launch.cpp       | a launch, its parameters, its run; launch_checks.cpp: what is refused |
/// | device_launches.h | what kernels launch, and ask of the runtime; related_launches.h: races |
/// | function.cpp     | attributes of kernels, occupancy                                     |
/// | memory.cpp       | allocation; pool.cpp: memory pools, managed.cpp: advice               |
/// | host_flags.h     | cudaHostGetFlags's answers; ipc.cpp: handles for other processes     |
/// | copy.cpp         | copies and fills, symbol.cpp: to and from variables, volume.cpp: 3D  |
/// | stream.cpp       | streams, event.cpp: events, queue.h: the order in which work runs    |
/// | work.h           | what a stream is asked to do, as data: issued, or a node of a graph  |
/// | graph.h          | graphs; graph_structure, _nodes, _exec, _update: their functions     |
/// | graph_launches.h | graphs that kernels launch; device_graph_limits.h: what may be in those |
/// | conditional.h    | nodes that choose among graphs; graph_memory.h: nodes that allocate   |
/// | capture.h        | streams whose work becomes a graph, and what they forbid meanwhile   |
/// | devices.h        | how many devices there are; device.cpp, properties.cpp: of one        |
/// | peer.cpp         | devices that may use each other's memory                              |
/// | library.cpp      | images loaded while the program runs; library_text.h: their first lines |
/// | driver_functions.h | functions of the driver that programs look for; driver_entry.cpp    |
/// | error.h          | error state; report.h: the results of a launch; output.h: printf     |
/// | call_site.h      | who called; source_place.h: the line; host_fault.h: of a fault       |
/// | call_memory.h    | memory that the program hands to a system call                        |
/// | progress.h       | how far a long launch is, on a terminal                              |
/// | exit_notes.h     | what the program left undone                                         |
/// | answers/         | questions to a runtime, and what an H200 answered                    |
namespace warpwise::cudart {

/// The state of the runtime. Created by the first call that needs it, never destroyed.
struct Runtime {
  Runtime();

  const occupancy::Gpu& gpu;
  memory::AddressSpace memory;
  Queue& queue;
  PerDevice<Output> outputs;
  Output& output() { return outputs.here(); }  ///< of the current device
  Reporter reporter;
  std::atomic<std::uint64_t> copied_to_host = 0;  ///< bytes, of the device's memory.
  std::atomic<bool> counts_participants = false;  ///< of named arrays, in launches from now on.
  std::atomic<std::uint64_t> budget;              ///< thread instructions of a launch; 0: no limit.
};

/// The runtime of this process. An invalid environment ends it with status 3.
Runtime& runtime();
/// False while nothing has needed the runtime yet.
bool runtime_exists();

/// How an image becomes a module; machine::load unless a test replaces it.
using Loader = std::unique_ptr<machine::Module> (*)(const std::vector<image::Entry>& entries,
                                                    machine::Target target,
                                                    memory::AddressSpace& memory);
extern Loader load_module;

/// The host's steps at the end of every synchronisation with the current device: its output
/// appears, and managed memory opens when no launch is left. @throws Failure when a kernel of it
/// has faulted.
void after_wait();
/// The same for the device that was waited for.
void after_wait(int device);

/// Waits until all that was issued is done; does nothing without a device to wait for.
void drain();

/// Ends the program with status 3 and leaves the sentence in the report.
[[noreturn]] void stop_unsupported(const std::string& sentence);

}  // namespace warpwise::cudart
