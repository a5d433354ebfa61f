#pragma once
#include <compare>
#include <cstdint>
#include <map>
#include <string>

#include "simulator/code/program.h"
#include "simulator/code/values/through_products.h"
#include "simulator/watch/global/inter_block_races.h"

namespace warpwise::machine {

/// Two accesses that race.
struct RaceSides {
  std::uint32_t here = 0, other = 0;  ///< sites
  bool here_is_store = false, other_is_store = false;
  auto operator<=>(const RaceSides&) const = default;
};

/// Tells benign races, which at most leave out what another thread also does: of a load and a store
/// that marks what was looked up, in a kernel that only marks. Answers are kept: the same two
/// instructions may race a million times.
class BenignMarkRaces {
 public:
  explicit BenignMarkRaces(const code::Program& program) : program_(program) {}
  bool are_such(const RaceSides& sides) const;

 private:
  const code::Program& program_;
  mutable std::map<RaceSides, bool> known_;
};
/// The message about them.
inline constexpr const char* on_marks =
    "All that this kernel stores are marks: one value, the same for the whole launch. Whichever "
    "comes first, the place ends up the same; who looks meanwhile may still find it as it was. "
    "That is right where a later launch looks again, or where the mark changes nothing for who "
    "looks.";

/// The message about a write of what a shuffle or vote made of the values that were read.
inline constexpr const char* on_exchange =
    "It works, since a shuffle or vote in between waits for what all lanes have read; but these "
    "order no memory, so the manual wants a __syncwarp() before the write.";

/// The first instruction of the program that is counted at a site.
std::uint32_t instruction_of_site(const code::Program& program, std::uint32_t site);

/// Where one is a store of what such an instruction has made of what the other read, lanes of one
/// warp have all read before.
code::Gathered gathering_between(const code::Program& program, const RaceSides& sides);

/// Says what to do where a thread looks at a place and then writes there, or writes there by an
/// atomic and then looks what came of it, while others do the same; "" where neither is so.
/// @param is_same_block of both threads: a barrier can order them.
std::string advice_on_looks(const code::Program& program, const RaceSides& sides,
                            bool is_same_block = true);

/// Says what to do about two threads of a block that store at one place.
std::string advice_on_two_writes(const code::Program& program, const RaceSides& sides);

/// Says what to do about threads of two blocks that nothing orders.
std::string advice_between_blocks(const code::Program& program,
                                  const watch::InterBlockRaces::Race& race);

}  // namespace warpwise::machine
