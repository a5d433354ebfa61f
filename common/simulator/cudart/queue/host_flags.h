#pragma once
#include <cstddef>
#include <cstdint>

/// The flags that cudaHostGetFlags returns, by start of the allocation. Measured on an H100, driver
/// 580: allocations up to 1 MiB share pages of 2 MiB, with separate pages for write-combined ones.
/// Each returns the flags with which its pages were taken, not its own; larger allocations and
/// registered memory return their own.
namespace warpwise::cudart {

void remember_flags_of_allocation(std::uint64_t base, std::size_t bytes, unsigned flags);
void remember_flags_of_registered(std::uint64_t base, unsigned flags);
/// The memory is free; with the last allocation in a page, so is the page.
void forget_flags(std::uint64_t base);
/// For cudaDeviceReset.
void forget_all_flags();

unsigned flags_of(std::uint64_t base);

}  // namespace warpwise::cudart
