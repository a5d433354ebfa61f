#pragma once
#include <cstdint>

namespace warpwise::memory {

/// Bytes of the system's next larger page. A processor finds only some megabytes of pages of the
/// usual size at once without looking them up in memory.
constexpr std::uint64_t large_page = 2ull << 20;

/// Takes addresses without any memory, from a multiple of large_page on.
/// @param bytes a multiple of the page.
/// @return null where the system refuses; why is in errno.
void* reserve_addresses(std::uint64_t bytes);

/// Replaces what is mapped at an address by fresh memory, zero, of this process alone, and of pages
/// of the usual size: where few bytes are written, little is taken.
/// @param address,bytes multiples of the page.
/// @return false where the system refuses; then nothing may be mapped there any more.
bool map_own_memory(void* address, std::uint64_t bytes);

/// Asks for large pages for some of such memory. Nothing changes where the system has none.
void prefer_large_pages(void* address, std::uint64_t bytes);

}  // namespace warpwise::memory
