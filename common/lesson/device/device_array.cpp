#include "lesson/device/device_array.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "lesson/device/error.h"
#include "lesson/device/stand_in.h"

namespace warpwise::lesson {

DeviceBytes::DeviceBytes(std::size_t bytes, std::string_view name) : bytes_(bytes), name_(name) {
  const cudaError_t status = cudaMalloc(&pointer_, bytes);
  if (status == cudaErrorMemoryAllocation) {
    // The error would otherwise be found by the next launch.
    (void)cudaGetLastError();
    throw Stop(
        bad_environment,
        fmt::format("the device has no {:.0f} MB free for the array {}; try a smaller --size",
                    static_cast<double>(bytes) / 1e6, name));
  }
  check(status);
  if (!name.empty()) name_array(pointer_, name);
}

DeviceBytes::~DeviceBytes() {
  // After a fault every call fails; there is nothing left to free.
  if (pointer_ != nullptr) (void)cudaFree(pointer_);
}

void DeviceBytes::fill(unsigned char byte) const { check(cudaMemset(pointer_, byte, bytes_)); }

void DeviceBytes::copy_from(const void* host, std::size_t bytes) const {
  check(cudaMemcpy(pointer_, host, bytes, cudaMemcpyHostToDevice));
}

void DeviceBytes::copy_to(void* host, std::size_t bytes) const {
  check(cudaMemcpy(host, pointer_, bytes, cudaMemcpyDeviceToHost));
}

}  // namespace warpwise::lesson
