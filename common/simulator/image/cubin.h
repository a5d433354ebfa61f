#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/image_error.h"
#include "simulator/image/memory_instruction.h"

namespace warpwise::image {

/// The decisions of ptxas for one kernel.
struct KernelFacts {
  unsigned registers = 0;            ///< per thread.
  unsigned static_shared_bytes = 0;  ///< declared by the program, without the system's reserve.
  unsigned local_bytes = 0;          ///< stack frame per thread: spills and indexed arrays.
  /// The frame with those of all functions that it calls; none where ptxas could not know.
  std::optional<unsigned> stack_bytes;
  unsigned max_threads = 0;  ///< from __launch_bounds__; 0 when not given.
  unsigned parameter_bytes = 0;
  bool yields_and_calls = false;          ///< lanes that diverged in a loop may stay diverged.
  std::vector<MemoryInstruction> memory;  ///< in code order.
  /// Stack bytes of a call, for each function that ptxas did not inline, by mangled name.
  std::map<std::string, std::uint32_t> frame_bytes;
};

/// Reads a cubin of sm_75 or later as CUDA 13 writes it.
/// @return facts by mangled kernel name. A kernel's memory instructions include those of functions
///   that ptxas kept within its code, not of separately compiled functions (-G, -rdc=true).
/// @throws ImageError when the bytes are not an ELF image of a GPU, are damaged, or an older
/// toolkit's.
std::map<std::string, KernelFacts> read_cubin(std::span<const std::byte> elf);

}  // namespace warpwise::image
