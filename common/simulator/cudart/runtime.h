#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "occupancy/gpu_table.h"
#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/queue/queue.h"
#include "simulator/cudart/report/call_site.h"
#include "simulator/cudart/report/output.h"
#include "simulator/machine/launch/module.h"
#include "simulator/memory/address_space.h"

/// The C interface of the CUDA runtime over the simulator: one folder per subject.
///
/// | folder    | subject                                                                  |
/// |-----------|--------------------------------------------------------------------------|
/// | launch/   | what nvcc's constructors register, a launch and its checks, work as data |
/// | queue/    | streams, events, capture, and the order in which work runs               |
/// | graphs/   | graphs, their nodes and instances                                        |
/// | memory/   | allocations, pools, managed and host memory                              |
/// | copies/   | copies and fills, and variables by their symbols                         |
/// | textures/ | arrays, textures, surfaces                                               |
/// | device/   | devices, their properties and limits, peers, settings                    |
/// | report/   | the error state, what a launch leaves behind, printf, lines of host code |
///
/// make_runtime.cpp makes the runtime from all of them.
namespace warpwise::cudart {

class Reporter;

/// What the runtime works on. Created by the first call that needs it, never destroyed.
struct Runtime {
  Runtime();

  const occupancy::Gpu& gpu;
  memory::AddressSpace memory;
  Queue& queue;
  PerDevice<Output> outputs;
  Output& output() { return outputs.here(); }     ///< of the current device
  Reporter& reporter;                             ///< report/report.h
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
