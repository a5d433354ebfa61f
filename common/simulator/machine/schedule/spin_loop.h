#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "simulator/machine/warp/warp.h"
#include "simulator/watch/report/counters.h"

namespace warpwise::machine {

/// A round of a spin loop, in which threads wait: all that they were in when they read memory, and
/// what had been counted until then. When they read it again and are in the same again, though
/// nothing has changed, they go round like that until another thread has its turn: such rounds are
/// counted, and need not be run.
///
/// Compared are the registers that the loop writes. Which those are is found out by going round
/// once for each way through it.
class SpinLoop {
 public:
  /// Where a group is to read memory.
  struct SpinRead {
    std::uint64_t run;      ///< of the interpreter: where lanes meet again another begins
    std::uint32_t pc;       ///< of the access
    std::uint64_t changes;  ///< of memory, so far
    std::uint64_t accesses, reported, spent;  ///< so far
  };

  explicit SpinLoop(const code::Program& program) : program_(program) {}

  /// The group reads.
  void begin(const SpinRead& spin_read, const Group& group, const watch::Counters& counters);
  /// @return true where the group has read once before, is in the same again, and has done nothing
  /// in between but read and compute.
  bool is_again(const SpinRead& spin_read, const Group& group, const watch::Counters& counters);
  void forget() { spin_read_.run = 0; }

  const watch::Counters::Mark& mark() const { return mark_; }
  std::uint64_t spent(const SpinRead& now) const { return now.spent - spin_read_.spent; }

 private:
  struct Written {
    code::Slot slot;
    std::uint32_t bytes;
  };
  struct BasicBlock {
    std::uint8_t accesses = 0;  ///< to memory; does_more where it has other effects than these
    std::vector<Written> written;
  };
  static constexpr std::uint8_t does_more = 255;
  /// Basic blocks that were executed between two reads from one place, and what they write.
  struct Loop {
    std::vector<std::uint32_t> blocks;
    std::vector<Written> written;
  };
  void classify_blocks();
  void add_written(const code::Instruction& instruction, std::vector<Written>& written) const;
  void add_block(Loop& loop, std::uint32_t block) const;
  bool writes_the_same(const CallFrame& frame) const;

  const code::Program& program_;
  SpinRead spin_read_{};
  std::uint32_t lanes_ = 0;
  std::map<std::uint32_t, Loop> loops_;  ///< by the place of the access
  Loop* loop_ = nullptr;
  std::vector<std::byte> registers_;  ///< those that the loop writes, one after another
  watch::Counters::Mark mark_;
  std::vector<BasicBlock> blocks_;
};

}  // namespace warpwise::machine
