#pragma once
#include <cstdint>

namespace warpwise::code {

/// Addresses of shared and local memory in the generic space. No host pointer can be one of them.
constexpr std::uint64_t shared_window = 1ull << 56;
constexpr std::uint64_t local_window = 1ull << 57;
/// On a GPU all threads have their local memory at the same addresses, so the use of a pointer that
/// another thread has made goes unnoticed. Here each thread has addresses of its own, at this
/// distance.
constexpr unsigned local_shift = 24;
constexpr std::uint64_t local_start(std::uint64_t block, std::uint64_t thread) {
  constexpr std::uint64_t threads = 1024, blocks = 1ull << 21;  // later ones start over
  return local_window + ((block % blocks * threads + thread + 1) << local_shift);
}
constexpr std::uint64_t parameter_window = 1ull << 58;  ///< a kernel's parameters
/// Functions have addresses of their own, where there is no data.
constexpr std::uint64_t function_window = 1ull << 55;
constexpr std::uint64_t function_stride = 16;
/// The hardware keeps the first KiB of a block's shared memory for itself (from sm_90 on).
constexpr std::uint32_t shared_base = 1024;
/// The part of the bytes before it that cooperative groups use for tiles of several warps, as an
/// H200 says.
constexpr std::uint32_t reserved_tiles = 0, reserved_tiles_bytes = 288;
/// The bits of a shared address from here on name the block of the cluster: 0 for the own block,
/// else one more than its rank.
constexpr unsigned shared_rank_shift = 24;

}  // namespace warpwise::code
