#include "simulator/machine/access/peer_access.h"

#include <fmt/format.h>

namespace warpwise::machine {
namespace {

/// Says why the access is denied though the program may think that it has it; and the next step.
std::string advice(const memory::AddressSpace& memory, int device,
                   const memory::Allocation& allocation) {
  const int owner = allocation.device;
  if (allocation.is_of_pool)
    return fmt::format(
        "It comes from cudaMallocAsync, and for the memory of a pool "
        "cudaDeviceEnablePeerAccess does nothing. Give device {} access to the pool "
        "of device {}: cudaMemPoolSetAccess.",
        device, owner);
  const std::string enable =
      fmt::format("cudaSetDevice({}), then cudaDeviceEnablePeerAccess({}, 0)", device, owner);
  if (memory.peers().may(owner, device))
    return fmt::format(
        "Only the opposite direction is enabled: device {} may use the memory of "
        "device {}. The device that reads and writes has to ask: call {}.",
        owner, device, enable);
  return fmt::format("Call {}.", enable);
}

}  // namespace

std::string refused_peer_text(const memory::AddressSpace& memory, int device,
                              const memory::Allocation& allocation, std::uint64_t address) {
  return fmt::format(
      "offset {} of {}, memory of device {}. The kernel runs on device {}, which has "
      "no access to that. {}",
      address - allocation.base, allocation.describe(), allocation.device, device,
      advice(memory, device, allocation));
}

}  // namespace warpwise::machine
