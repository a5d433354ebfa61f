#include "simulator/cudart/device/check_device.h"

#include <fmt/format.h>

#include "simulator/cudart/device/devices.h"
#include "simulator/cudart/report/failure.h"

namespace warpwise::cudart {

void check_device(int device) { check_device(device, cudaErrorInvalidDevice); }

void check_device(int device, int code) {
  if (device >= 0 && device < device_count()) return;
  throw Failure{static_cast<cudaError_t>(code),
                fmt::format("device {}; {}", device, devices_text())};
}

}  // namespace warpwise::cudart
