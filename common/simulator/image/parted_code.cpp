#include "simulator/image/parted_code.h"

#include "simulator/image/branch.h"

namespace warpwise::image {
namespace {

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
