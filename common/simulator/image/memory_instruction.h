#pragma once
#include <cstdint>
#include <string>

#include "simulator/image/acting_lanes.h"

namespace warpwise::image {

/// A memory instruction of the compiled code, which the hardware really issues. Not among them:
/// operands that arithmetic reads from constant memory, textures, surfaces, prefetches, mbarriers
/// from sm_90 on (before, they are shared atomics), and instructions that ptxas switched off.
struct MemoryInstruction {
  enum class Space { global, shared, local, generic, constant };
  enum class Access { load, store, atomic, reduction, async_copy, matrix_load, matrix_store };
  Space space;    ///< of an async copy: shared, its destination; a bulk store's source.
  Access access;  ///< atomic where the result register exists, even if it is the zero register.
  /// Per lane: 1, 2, 4, 8 or 16; 32 for the widest vectors of sm_100; ldmatrix and stmatrix: 16,
  /// the row that a lane addresses. 0: a bulk copy, whose size is not in the instruction.
  unsigned width_bytes;
  std::uint32_t offset;  ///< of the instruction within the kernel's code.
  std::string file;      ///< empty without -lineinfo.
  unsigned line;  ///< innermost location (of inlined code: the library's line); 0 if unknown.
  bool is_guarded = false;                ///< lanes whose predicate is false skip it.
  ActingLanes acting = ActingLanes::all;  ///< of an atomic or a reduction.
  bool is_for_parted_lanes = false;       ///< a copy; whole warps execute another.
  unsigned loads_in_flight = 0;           ///< of a global load: at a time, itself among them.
};

}  // namespace warpwise::image
