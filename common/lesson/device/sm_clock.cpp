#include "lesson/device/sm_clock.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <array>

namespace warpwise::lesson {
namespace {

// The part of NVML's interface that is used here; its header is not part of every toolkit.
constexpr int success = 0;
constexpr int sm_clock = 1;
using Init = int();
using HandleByBusId = int(const char*, void**);
using ClockInfo = int(void*, int, unsigned*);

}  // namespace

SmClock::SmClock() {
  std::array<char, 32> bus_id{};
  int current = 0;
  if (cudaGetDevice(&current) != cudaSuccess) return;
  if (cudaDeviceGetPCIBusId(bus_id.data(), static_cast<int>(bus_id.size()), current) != cudaSuccess)
    return;
  // Stays loaded until the program ends.
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  auto* init = reinterpret_cast<Init*>(dlsym(library, "nvmlInit_v2"));
  auto* find = reinterpret_cast<HandleByBusId*>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
  if (init == nullptr || find == nullptr || init() != success) return;
  if (find(bus_id.data(), &device_) != success) return;
  get_clock_ = dlsym(library, "nvmlDeviceGetClockInfo");
}

double SmClock::mhz() const {
  unsigned now = 0;
  if (get_clock_ == nullptr) return 0;
  return reinterpret_cast<ClockInfo*>(get_clock_)(device_, sm_clock, &now) == success ? now : 0;
}

}  // namespace warpwise::lesson
