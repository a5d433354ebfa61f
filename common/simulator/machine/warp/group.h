#pragma once
#include <cstdint>

namespace warpwise::machine {

struct CallFrame;

/// The side of all lanes of a warp, before they part.
constexpr std::uint32_t whole_warp = 0;

/// Lanes of a warp that are at the same instruction of the same call.
struct Group {
  enum class State : std::uint8_t { ready, at_barrier, at_warp_sync, at_cluster_barrier };
  std::uint32_t pc = 0;
  std::uint32_t mask = 0;
  CallFrame* frame = nullptr;
  State state = State::ready;
  std::uint32_t barrier = 0;  ///< at_barrier: its number; at_warp_sync: the lanes named
  std::uint32_t polls = 0;    ///< strong accesses and fences: signs of waiting for others
  struct Poll {               ///< where it looked at memory that others change
    std::uint32_t pc = 0;
    std::uint64_t address = 0, changes = 0;
  };
  Poll last_poll{};
  std::uint32_t looked_pc = 0;  ///< the last such place of all, and the address
  std::uint64_t looked_address = 0;
  std::uint32_t side = whole_warp;  ///< of branches: DivergentSides

  /// One lane may look for all.
  void take_looks_of(const Group& other) {
    last_poll = other.last_poll;
    looked_pc = other.looked_pc;
    looked_address = other.looked_address;
  }
  bool stands_with(const Group& other) const { return pc == other.pc && frame == other.frame; }
};

}  // namespace warpwise::machine
