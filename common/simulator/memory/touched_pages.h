#pragma once
#include <cstdint>
#include <vector>

namespace warpwise::memory {

/// Which pages the program has come to through these addresses, by any access of its own or of the
/// system's for it. There are more where the system maps several at once.
/// @param address of the first page. @return all, where the system does not tell.
std::vector<bool> touched_pages(std::uint64_t address, std::size_t pages);

}  // namespace warpwise::memory
