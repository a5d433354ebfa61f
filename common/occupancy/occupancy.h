#pragma once
#include <array>
#include <climits>
#include <cstdint>
#include <string_view>
#include <vector>

#include "occupancy/gpu_table.h"

/// \file
/// The four limits of residency, the limiter and the resident blocks.
/// \ingroup occupancy
namespace warpwise::occupancy {

/// The resources that one launch asks of an SM. Registers as ptxas or cudaFuncGetAttributes reports
/// them.
struct Kernel {
  int registers_per_thread = 0;
  std::int64_t static_shared_bytes = 0;   ///< a block, without what the runtime reserves.
  std::int64_t dynamic_shared_bytes = 0;  ///< a block: the third argument of `<<<>>>`.
  int threads_per_block = 0;              ///< of all three dimensions, multiplied.

  /// Static plus dynamic bytes; a sum beyond any GPU's stays beyond and does not overflow.
  std::int64_t shared_bytes() const;
};

/// The resources that a block needs to become resident.
enum class Resource { registers, shared_memory, warps, block_slots };
inline constexpr int resource_count = 4;
/// "registers", "shared memory", "warps", "block slots".
std::string_view name_of(Resource resource);

/// The number of blocks of a resource that the kernel does not use.
inline constexpr int no_limit = INT_MAX;

/// How many blocks each resource of an SM admits on its own, with the amounts it was computed from.
/// All zero when the kernel is not a kernel (no threads, negative amounts).
struct Limits {
  int warps_per_block = 0;
  std::int64_t registers_per_warp = 0;      ///< rounded up to register_unit.
  std::int64_t registers_per_block = 0;     ///< of its warps, rounded up to warp_unit of them.
  std::int64_t warps_by_registers = 0;      ///< warps that the SM's registers admit.
  std::int64_t shared_bytes_per_block = 0;  ///< with the reserved bytes, rounded up to shared_unit.
  /// Indexed by Resource; no_limit where the kernel needs none of it, 0 where one block is too
  /// much.
  std::array<int, resource_count> blocks{};

  int of(Resource resource) const { return blocks[static_cast<int>(resource)]; }
  /// The smallest of the four: blocks resident on one SM.
  int resident_blocks() const;
  int resident_warps() const { return resident_blocks() * warps_per_block; }
};
Limits limits(const Gpu& gpu, const Kernel& kernel);

/// Why a kernel cannot be launched on a GPU at all.
enum class Misfit {
  negative_amount,         ///< registers, bytes or threads below zero.
  no_threads,              ///< a block of no threads.
  threads_per_block,       ///< more than a block may have.
  registers_per_thread,    ///< more than an instruction can name.
  registers_per_block,     ///< the block's warps together need more than a block may have.
  shared_bytes_per_block,  ///< more than a block may have even after opting in.
};

/// The part of a kernel that one SM holds.
struct Occupancy {
  Limits limits;
  int resident_blocks = 0;
  int resident_warps = 0;
  int warps_per_sm = 0;            ///< what the SM could hold.
  double fraction = 0;             ///< resident_warps / warps_per_sm.
  std::vector<Resource> limiters;  ///< all that admit no more than resident_blocks; ties together.
  std::vector<Misfit> misfits;     ///< empty exactly when at least one block fits.

  bool fits() const { return misfits.empty(); }
  bool limited_by(Resource resource) const;
};

/// @param gpu a row of the table, or a real device's limits.
/// @param kernel any values at all; nonsense is a misfit.
/// A block that needs more than shared_bytes_per_block is taken as having opted in to more.
Occupancy occupancy(const Gpu& gpu, const Kernel& kernel);

}  // namespace warpwise::occupancy
