#pragma once
#include <sys/types.h>

#include <cstdint>

namespace warpwise::memory {

/// Replaces what is mapped at an address by memory of a file, or by memory that is zero. Shared, so
/// that it does not count as the process's data: limits on that are meant for what is used.
/// @param address,bytes,offset multiples of the page. @param file -1: none.
/// @return false where the system refuses.
bool map_shared(void* address, std::uint64_t bytes, int file = -1, off_t offset = 0);

/// Gives the file a length. A limit on the length of files (ulimit -f) is met by a signal that ends
/// the process: here it is an error to be reported.
/// @return false where the system refuses; why is in errno.
bool set_length(int file, std::uint64_t bytes);

}  // namespace warpwise::memory
