#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/spin_waits.h"

namespace warpwise::machine {

/// mbarriers: words in shared memory that count arrivals and bytes, phase after phase.
class Mbarriers {
 public:
  Mbarriers(RunnerState& here, SpinWaits& spin_waits) : here_(here), spin_waits_(spin_waits) {}

  /// Lanes at one mbarrier after another; of these the lowest first. Faults where one was not
  /// initialised, or gets more arrivals or bytes than it takes.
  void execute(const code::Instruction& instruction, const code::Access& access, std::uint32_t mask,
               const std::uint64_t* host_addresses);
  /// The arrivals that a phase still waits for, by its token.
  void pending_count(const code::Operation& operation, std::uint32_t mask);
  /// Names what a group waits for when it looks at an mbarrier again and again; "" where it does
  /// not.
  std::string missing_arrivals(const Group& group) const;

 private:
  void update(const code::Instruction& instruction, const code::Access& access, std::uint32_t lanes,
              std::byte* at);
  std::uint64_t initial(Block::MBarrierAt& known, std::uint64_t count, unsigned lane);
  std::uint64_t updated_word(code::AtomicOp op, std::uint32_t address, std::uint64_t word,
                             std::uint64_t argument, unsigned lane);
  Block::MBarrierAt& known_at(const std::byte* at, code::AtomicOp op, std::uint32_t lanes);
  void end_copies(std::uint32_t barrier, bool phase);
  [[noreturn]] void report_unknown(std::uint32_t address, unsigned lane);
  [[noreturn]] void report_bad(const char* kind, std::uint32_t address, unsigned lane,
                               const std::string& rest);
  // mbarrier_ends.cpp
  std::uint32_t lanes_beside_end(const Block::MBarrierAt& known, std::uint32_t lanes);
  void invalidate(const code::Access& access, Block::MBarrierAt& known, std::uint32_t lanes);
  void report_late_wait(const code::Access& access, const Block::MBarrierAt& known,
                        std::uint32_t lanes);

  RunnerState& here_;
  SpinWaits& spin_waits_;
};

}  // namespace warpwise::machine
