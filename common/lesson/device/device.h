#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lesson/start/options.h"
#include "occupancy/gpu_table.h"

/// \file
/// Which device does the work: decided as the first thing in main, before any CUDA call.
/// \ingroup lesson
namespace warpwise::lesson {

/// The result of looking for a GPU without the CUDA runtime.
struct GpuProbe {
  bool usable = false;
  std::string reason = {};  ///< one clause: "the driver (12.4) is too old for CUDA 13".
  int count = 0;            ///< of GPUs.
};

/// Opens libcuda.so.1, initialises it, asks for its version and for devices.
GpuProbe probe_gpu();

/// The facts that decide the device.
struct Situation {
  DeviceChoice choice = DeviceChoice::automatic;
  bool simulated = false;  ///< the stand-in is loaded already.
  bool launched = false;   ///< this program restarted itself to load it.
  bool simulator_built = false;
  GpuProbe gpu;  ///< looked at only where the choice leaves it open.
};

/// The next step.
enum class Step { use_gpu, use_simulator, restart_on_simulator };

/// The step, and in `reason` why, one clause for the device line.
/// @throws Stop (environment) with the line that fixes it.
Step next_step(const Situation& situation, std::string& reason);

/// The device that does the work and the GPU whose limits apply.
struct Device {
  bool simulated = false;
  std::string reason;     ///< why this device.
  std::string name;       ///< "NVIDIA H200" or "NVIDIA H200 (simulated)".
  std::string driver;     ///< "13.0"; empty on the simulator.
  std::string runtime;    ///< "13.0".
  occupancy::Gpu limits;  ///< of `--gpu`, else of the device itself.
  occupancy::Gpu real;    ///< of the device itself.
  int gpus = 1;           ///< devices that the program may use: of those that there are.

  /// "Device: ...": what, and why.
  std::string line() const;
};

/// Decides, and restarts the program on the simulator if that is the decision (the same arguments,
/// LD_PRELOAD, WARPWISE_* variables); returns otherwise.
/// @param gpu as given by `--gpu`, may be empty.
/// @param simulated_gpus how many devices the simulator is to have, if it is the simulator.
/// @throws Stop (environment).
Device choose_device(DeviceChoice choice, const std::string& gpu, char** argv,
                     int simulated_gpus = 1);

/// Lets the program use that many of the devices that there are. @param asked by `--gpus`; 0: all.
/// @throws Stop (bad usage) when there are fewer.
void use_gpus(Device& device, int asked);

}  // namespace warpwise::lesson
