#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "simulator/image/memory_instruction.h"
#include "simulator/image/word.h"

namespace warpwise::image {

/// The memory access of a machine instruction.
struct MemoryOperation {
  /// NVIDIA's name without suffixes; for RED its disassembler may say REDG.
  const char* mnemonic;
  MemoryInstruction::Space space;
  MemoryInstruction::Access access;
  unsigned width_bytes;  ///< as in MemoryInstruction.
  bool is_guarded;       ///< likewise.
};

/// The stack bytes of a function: the number that its code first subtracts from the stack pointer,
/// R1, rounded up if the code aligns R1. 0 for a function that needs none.
/// @param code from the function's first instruction to its end.
std::uint32_t stack_frame_bytes(std::span<const std::byte> code);

/// Whether a kernel has both YIELD, at which other lanes of a warp may go on, and CALL: in such
/// kernels, an H200 did not let lanes meet again at BSYNC.
/// @param code the kernel's and that of the functions within it.
bool yields_and_calls(std::span<const std::byte> code);

/// Reads just enough of a machine instruction to recognise those that access memory.
/// @param architecture 75 or more: the meaning of some fields depends on it.
/// @return nothing for any other instruction, and for one that never executes.
std::optional<MemoryOperation> decode_memory_operation(
    std::span<const std::byte, kInstructionBytes> instruction, unsigned architecture);

}  // namespace warpwise::image
