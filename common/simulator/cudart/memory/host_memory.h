#pragma once
#include <cstdint>

namespace warpwise::cudart {

/// An address as memory/ counts them.
inline std::uint64_t address_of(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// True for memory of cudaMallocHost, cudaHostAlloc and cudaHostRegister: a copy from or to it may
/// run while the host goes on.
bool is_page_locked(const void* pointer);

}  // namespace warpwise::cudart
