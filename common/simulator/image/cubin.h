#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/acting_lanes.h"
#include "simulator/image/fatbin.h"

namespace warpwise::image {

/// A memory instruction of the compiled code: what the hardware will really issue. Not among them:
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
  bool is_guarded = false;                ///< lanes whose predicate is false sit it out.
  ActingLanes acting = ActingLanes::all;  ///< of an atomic or a reduction.
  bool is_for_parted_lanes = false;       ///< a copy; whole warps execute another.
};

/// What ptxas decided for one kernel.
struct KernelFacts {
  unsigned registers = 0;            ///< per thread.
  unsigned static_shared_bytes = 0;  ///< declared by the program, without what the system reserves.
  unsigned local_bytes = 0;          ///< stack frame per thread: spills and indexed arrays.
  /// The frame with those of all functions that it calls; none where ptxas could not know.
  std::optional<unsigned> stack_bytes;
  unsigned max_threads = 0;  ///< from __launch_bounds__; 0 when not given.
  unsigned parameter_bytes = 0;
  bool yields_and_calls = false;          ///< lanes that parted in a loop may stay apart.
  std::vector<MemoryInstruction> memory;  ///< in code order.
  /// Stack that a call takes of each function that ptxas did not inline, by mangled name.
  std::map<std::string, std::uint32_t> frame_bytes;
};

/// Reads a cubin of sm_75 or later as CUDA 13 writes it.
/// @return facts by mangled kernel name. A kernel's memory instructions include those of functions
///   that ptxas kept within its code, not of functions compiled apart (-G, -rdc=true).
/// @throws ImageError when the bytes are no ELF image of a GPU, are damaged, or an older toolkit's.
std::map<std::string, KernelFacts> read_cubin(std::span<const std::byte> elf);

}  // namespace warpwise::image
