#include "lesson/device/device.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/preload.h"
#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"
#include "lesson/start/paths.h"

namespace warpwise::lesson {
namespace {

constexpr const char* build_simulator = "build it: cmake --build build --target warpwise_stand_in";

std::string version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The GPU to simulate: the one whose limits are asked for if it can run what every program holds,
/// PTX for sm_90, else an H200.
std::string simulated_gpu(const std::string& gpu) {
  const occupancy::Gpu* row = gpu.empty() ? nullptr : occupancy::find_gpu(gpu);
  return row != nullptr && row->compute_capability >= 90 ? std::string(row->id) : "h200";
}

std::string preload_of(const std::filesystem::path& library) {
  try {
    return base::preload_list(library);
  } catch (const std::runtime_error& problem) {
    throw Stop(bad_environment, problem.what());
  }
}

/// Restarts this process with the stand-in loaded first.
[[noreturn]] void restart(const std::string& gpu, int gpus, const std::string& reason,
                          char** argv) {
  ::setenv("LD_PRELOAD", preload_of(*simulator_library()).c_str(), 1);
  ::setenv("WARPWISE_LAUNCHED", "1", 1);
  ::setenv("WARPWISE_GPU", simulated_gpu(gpu).c_str(), 1);
  if (const occupancy::Gpu* asked = occupancy::find_gpu(gpu); asked != nullptr) {
    ::setenv("WARPWISE_ATTRIBUTES_OF", std::to_string(asked->compute_capability).c_str(), 1);
  }
  if (gpus > 1) ::setenv("WARPWISE_GPUS", std::to_string(gpus).c_str(), 1);
  ::setenv("WARPWISE_QUIET", "1", 1);
  ::setenv("WARPWISE_WHY", reason.c_str(), 1);
  ::execve(program_file().c_str(), argv, environ);
  throw Stop(bad_environment, fmt::format("cannot start {} again: {}", program_file().string(),
                                          std::strerror(errno)));
}

/// The runtime's device as a row of the table, with what the runtime knows better.
occupancy::Gpu real_gpu(const cudaDeviceProp& properties) {
  const occupancy::Gpu* row = occupancy::find_gpu(properties.name);
  const int capability = properties.major * 10 + properties.minor;
  occupancy::Gpu gpu = row != nullptr ? *row : occupancy::nearest_gpu(capability);
  if (row == nullptr) {
    // Its SM is like that of the nearest row; its name is its own and its peaks are not known.
    static std::string name;
    name = properties.name;
    gpu.name = name;
    gpu.id = "";
    gpu.memory_gbps = 0;
    gpu.fp32_tflops = 0;
    gpu.bf16_tensor_tflops = 0;
    gpu.compute_capability = capability;
  }
  gpu.sms = properties.multiProcessorCount;
  gpu.l2_bytes = properties.l2CacheSize;
  return gpu;
}

Device describe(const std::string& gpu, bool simulated, std::string reason) {
  Device device;
  device.simulated = simulated;
  device.reason = std::move(reason);
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  device.name = properties.name;
  check(cudaGetDeviceCount(&device.gpus));
  int version = 0;
  check(cudaRuntimeGetVersion(&version));
  device.runtime = version_text(version);
  if (!simulated) {
    check(cudaDriverGetVersion(&version));
    device.driver = version_text(version);
  }
  const std::string known = simulated ? variable("WARPWISE_GPU") : "";
  const occupancy::Gpu* row = known.empty() ? nullptr : occupancy::find_gpu(known);
  device.real = row != nullptr ? *row : real_gpu(properties);
  device.limits = gpu.empty() ? device.real : *occupancy::find_gpu(gpu);
  return device;
}

}  // namespace

GpuProbe probe_gpu() {
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {false, "no NVIDIA driver was found (libcuda.so.1)"};
  using Init = int (*)(unsigned);
  using Number = int (*)(int*);
  const auto init = reinterpret_cast<Init>(::dlsym(library, "cuInit"));
  const auto version = reinterpret_cast<Number>(::dlsym(library, "cuDriverGetVersion"));
  const auto count = reinterpret_cast<Number>(::dlsym(library, "cuDeviceGetCount"));
  if (init == nullptr || version == nullptr || count == nullptr) {
    return {false, "libcuda.so.1 is not NVIDIA's driver library"};
  }
  int number = 0;
  if (version(&number) == 0 && number < CUDART_VERSION / 1000 * 1000) {
    return {false, fmt::format("the driver (for CUDA {}) is too old for CUDA {}",
                               version_text(number), CUDART_VERSION / 1000)};
  }
  const int status = init(0);
  if (status != 0) return {false, fmt::format("the driver finds no GPU (cuInit gave {})", status)};
  if (count(&number) != 0 || number == 0) return {false, "the driver finds no GPU"};
  return {true, "a GPU can be used", number};
}

Step next_step(const Situation& situation, std::string& reason) {
  if (situation.simulated) {
    if (situation.choice == DeviceChoice::gpu) {
      throw Stop(bad_environment,
                 "--device gpu, but the simulator is loaded: start the program without it");
    }
    return Step::use_simulator;
  }
  if (situation.launched) {
    throw Stop(bad_environment,
               fmt::format("the simulator was to be loaded and was not; {}", build_simulator));
  }
  if (situation.choice != DeviceChoice::simulator && situation.gpu.usable) {
    reason = situation.gpu.reason;
    return Step::use_gpu;
  }
  if (situation.choice == DeviceChoice::gpu) {
    throw Stop(
        bad_environment,
        fmt::format("--device gpu, but {}: install an NVIDIA driver (580 or newer), or leave "
                    "--device away to use the simulator",
                    situation.gpu.reason));
  }
  reason = situation.choice == DeviceChoice::simulator ? "--device sim" : situation.gpu.reason;
  if (!situation.simulator_built) {
    throw Stop(bad_environment,
               fmt::format("{}, and the simulator (simulator/libcudart.so.13) is not there; {}",
                           reason, build_simulator));
  }
  return Step::restart_on_simulator;
}

std::string Device::line() const {
  const std::string sm = fmt::format("sm_{}", real.compute_capability);
  const std::string other =
      limits.id == real.id ? "" : fmt::format("; limits of the {}", limits.name);
  const std::string many = gpus > 1 ? fmt::format("; {} devices", gpus) : "";
  if (simulated) return fmt::format("Device: {}, {}: {}{}{}", name, sm, reason, other, many);
  return fmt::format("Device: {}, {}, {} SMs, driver for CUDA {}: {}{}{}", name, sm, real.sms,
                     driver, reason, other, many);
}

Device choose_device(DeviceChoice choice, const std::string& gpu, char** argv, int simulated_gpus) {
  Situation situation;
  situation.choice = choice;
  situation.simulated = simulator_present();
  situation.launched = !variable("WARPWISE_LAUNCHED").empty();
  situation.simulator_built = simulator_library().has_value();
  if (!situation.simulated && choice != DeviceChoice::simulator) situation.gpu = probe_gpu();
  std::string reason;
  const Step step = next_step(situation, reason);
  if (step == Step::restart_on_simulator) restart(gpu, simulated_gpus, reason, argv);
  const bool simulated = step == Step::use_simulator;
  if (simulated) {
    reason = variable("WARPWISE_WHY");
    if (reason.empty()) reason = "the simulator is loaded";
    // Children decide for themselves.
    ::unsetenv("WARPWISE_LAUNCHED");
    ::unsetenv("WARPWISE_WHY");
  }
  return describe(gpu, simulated, reason);
}

void use_gpus(Device& device, int asked) {
  if (asked > device.gpus) {
    throw Stop(bad_usage, fmt::format("--gpus {}: {} GPU{} here; --device sim has up to {}", asked,
                                      device.gpus, device.gpus == 1 ? "" : "s", most_gpus));
  }
  if (asked > 0) device.gpus = asked;
}

}  // namespace warpwise::lesson
