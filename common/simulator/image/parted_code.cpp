#include "simulator/image/parted_code.h"

#include "simulator/image/word.h"

// NVIDIA does not publish these encodings. They were read from the machine code of known kernels,
// like those in sass.cpp.

namespace warpwise::image {
namespace {

struct Branch : Word {
  bool is_branch() const { return opcode() == 0x947; }
  bool is_for_parted() const { return is_branch() && (low >> 32 & 3) == 2; }
  bool ends() const {
    const bool is_exit = opcode() == 0x94d;
    return always() && (is_exit || (is_branch() && !is_for_parted()));
  }
  /// In instructions, from the next one on. Those that matter lead ahead.
  std::uint64_t distance() const {
    const std::uint64_t words = (low >> 34) << 8 | (low >> 16 & 0xff);
    return words * 4 / kInstructionBytes;
  }
};

Branch branch_at(std::span<const std::byte> code, std::size_t index) {
  return {word_at(code, index * kInstructionBytes)};
}

}  // namespace

std::vector<bool> code_for_parted_lanes(std::span<const std::byte> code) {
  const std::size_t size = code.size() / kInstructionBytes;
  std::vector<bool> found(size);
  for (std::size_t index = 0; index < size; ++index) {
    const Branch branch = branch_at(code, index);
    if (!branch.is_for_parted() || branch.distance() >= size - index) continue;
    for (std::size_t at = index + 1 + branch.distance(); at < size && !found[at]; ++at) {
      found[at] = true;
      if (branch_at(code, at).ends()) break;
    }
  }
  return found;
}

}  // namespace warpwise::image
