#pragma once
#include <cstddef>
#include <cstdint>

#include "simulator/memory/address_space.h"

/// Memory that the program has given to cudaHostRegister. It has one address, which the device also
/// uses: it can be closed to the host only while no work of the device runs.
namespace warpwise::cudart {

/// A launch for which the host has not waited may use the memory: its whole pages are closed until
/// the memory is opened, except while work runs.
void close_registered(const memory::Allocation& allocation);
/// Does nothing where the memory is not closed.
void open_registered(std::uint64_t base);
/// True where any such memory is closed. Takes no lock.
bool has_closed_registered();
bool is_closed_registered(std::uint64_t address);

/// As long as one lives, work of the device runs, and all such memory is open.
class OpenForDevice {
 public:
  OpenForDevice();
  ~OpenForDevice();
  OpenForDevice(const OpenForDevice&) = delete;
  OpenForDevice& operator=(const OpenForDevice&) = delete;
};

}  // namespace warpwise::cudart
