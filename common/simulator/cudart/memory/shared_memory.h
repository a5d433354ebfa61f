#pragma once
#include <cstdint>

/// Memory that other processes may have opened by a handle of cudaIpcGetMemHandle.
namespace warpwise::cudart {

/// The allocation is free: its handle opens nothing any more. A process that has opened it keeps
/// it.
void forget_shared_memory(std::uint64_t base);
/// For cudaDeviceReset; also of what this process has opened.
void forget_all_shared_memory();

}  // namespace warpwise::cudart
