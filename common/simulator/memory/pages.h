#pragma once
#include <cstdint>

namespace warpwise::memory {

/// Bytes of a page of this machine.
std::uint64_t page_bytes();

/// The start of the page that holds the address.
inline std::uint64_t page_start(std::uint64_t address) {
  return address / page_bytes() * page_bytes();
}
/// The address where it is the start of a page; else the start of the next.
inline std::uint64_t whole_pages(std::uint64_t address) {
  return page_start(address + page_bytes() - 1);
}

}  // namespace warpwise::memory
