#include "simulator/image/loads_in_flight.h"

#include <algorithm>

#include "simulator/image/branch.h"

// NVIDIA does not publish these encodings. They were read off what ptxas made of known kernels, as
// those in sass.cpp.

namespace warpwise::image {
namespace {

/// An instruction's place in the order of a warp.
struct Order : Branch {
  /// The scoreboard that it marks until its result is there; 7: none.
  unsigned marks() const { return high >> 46 & 7; }
  /// The scoreboards that it waits for, by bit.
  unsigned waits_for() const { return high >> 52 & 63; }
};

constexpr unsigned none = 7;

/// A thread has no more registers for what they bring.
constexpr std::size_t most_loads = 255;

struct Load {
  MemoryInstruction* instruction;
  unsigned scoreboard;
};

bool is_load(const MemoryInstruction& instruction) {
  using Space = MemoryInstruction::Space;
  return instruction.access == MemoryInstruction::Access::load &&
         (instruction.space == Space::global || instruction.space == Space::generic);
}

}  // namespace

void count_loads_in_flight(std::span<const std::byte> code,
                           std::vector<MemoryInstruction>& memory) {
  std::vector<Load> pending;
  auto next = memory.begin();
  for (std::size_t at = 0; at + kInstructionBytes <= code.size(); at += kInstructionBytes) {
    const Order order{{word_at(code, at)}};
    std::erase_if(
        pending, [&](const Load& load) { return (order.waits_for() >> load.scoreboard & 1) != 0; });
    if (next != memory.end() && next->offset == at) {
      if (is_load(*next) && order.marks() != none && pending.size() < most_loads) {
        pending.push_back({&*next, order.marks()});
        for (const Load& load : pending) {
          unsigned& most = load.instruction->loads_in_flight;
          most = std::max(most, static_cast<unsigned>(pending.size()));
        }
      }
      ++next;
    }
    if (order.ends()) pending.clear();
  }
}

}  // namespace warpwise::image
