#pragma once
#include <cstdint>

#include "simulator/image/word.h"

namespace warpwise::image {

/// What matters here of the instructions that lead elsewhere. NVIDIA does not publish these
/// encodings: see sass.cpp.
struct Branch : Word {
  bool is_branch() const { return opcode() == 0x947; }
  bool is_for_parted() const { return is_branch() && (low >> 32 & 3) == 2; }
  /// Whether no lane goes on to the next instruction.
  bool ends() const {
    const bool leaves = opcode() == 0x94d || opcode() == 0x950;  // EXIT, RET
    return always() && (leaves || (is_branch() && !is_for_parted()));
  }
  /// In instructions, from the next one on. Those that matter lead ahead.
  std::uint64_t distance() const {
    const std::uint64_t words = (low >> 34) << 8 | (low >> 16 & 0xff);
    return words * 4 / kInstructionBytes;
  }
};

}  // namespace warpwise::image
