#pragma once
#include <cstddef>
#include <cstdint>

/// What cudaHostGetFlags tells, by start of the allocation. Measured on an H100, driver 580: up to
/// 1 MiB, allocations share pages of 2 MiB, apart for write-combined ones, and each tells the flags
/// with which its pages were taken, not its own; larger ones and registered memory tell their own.
namespace warpwise::cudart {

void remember_flags_of_allocation(std::uint64_t base, std::size_t bytes, unsigned flags);
void remember_flags_of_registered(std::uint64_t base, unsigned flags);
/// The memory is free, and with the last that lies there the page.
void forget_flags(std::uint64_t base);
/// For cudaDeviceReset.
void forget_all_flags();

unsigned flags_of(std::uint64_t base);

}  // namespace warpwise::cudart
