#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/machine/warp.h"
#include "simulator/watch/counters.h"

namespace warpwise::machine {

/// A round of a loop in which threads wait: all that they were in when they looked at memory, and
/// what had been counted until then. When they look again and are in the same again, though
/// nothing has changed, they go round like that until somebody else has his turn: such rounds are
/// counted, and need not be run.
class Round {
 public:
  /// Where a group is to look at memory.
  struct Look {
    std::uint64_t run;      ///< of the interpreter: where lanes meet again another begins
    std::uint32_t pc;       ///< of the access
    std::uint64_t changes;  ///< of memory, so far
    std::uint64_t accesses, told, spent;  ///< so far
  };

  explicit Round(const code::Program& program) : program_(program) {}

  /// The group looks.
  void begin(const Look& look, const Group& group, const watch::Counters& counters);
  /// @return true where the group has looked once before, is in the same again, and has done
  /// nothing in between but look and compute.
  bool is_again(const Look& look, const Group& group, const watch::Counters& counters);
  void forget() { look_.run = 0; }

  const watch::Counters::Mark& mark() const { return mark_; }
  std::uint64_t spent(const Look& now) const { return now.spent - look_.spent; }

 private:
  void classify_blocks();

  const code::Program& program_;
  Look look_{};
  std::uint32_t lanes_ = 0;
  std::vector<std::byte> registers_;
  watch::Counters::Mark mark_;
  /// By basic block: accesses to memory; does_more where it has other effects than these.
  std::vector<std::uint8_t> accesses_;
  static constexpr std::uint8_t does_more = 255;
};

}  // namespace warpwise::machine
