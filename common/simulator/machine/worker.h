#pragma once
#include <atomic>
#include <map>
#include <optional>
#include <string>

#include "simulator/machine/module.h"
#include "simulator/machine/warp.h"
#include "simulator/watch/counters.h"
#include "simulator/watch/diagnoses.h"
#include "simulator/watch/shared_races.h"

namespace warpwise::machine {

/// What all host threads of one launch share.
struct Grid {
  const code::Program& program;
  const Launch& launch;
  const Options& options;
  memory::AddressSpace& memory;
  std::uint64_t blocks;
  unsigned threads_per_block;
  std::uint32_t shared_bytes;  ///< static and dynamic
  std::atomic<std::uint64_t> next_block{0};
  /// The lowest block that faulted: blocks after it need not run.
  std::atomic<std::uint64_t> faulted_block{~0ull};
  std::atomic<std::uint64_t> executed{0};  ///< thread instructions, for the budget
};

/// Thrown where the hardware would stop the launch. The finding has been reported already.
struct LaunchFault {};

/// Runs blocks one after another on one host thread and watches them.
class Worker {
 public:
  explicit Worker(Grid& grid);

  /// Takes blocks until there are none left.
  void run();

  const watch::Counters& counters() const { return counters_; }
  const watch::Diagnoses& diagnoses() const { return diagnoses_; }
  /// Output of printf by block.
  const std::map<std::uint64_t, std::string>& output() const { return output_; }

 private:
  enum class Stop { blocked, finished };
  struct Barrier {
    std::uint32_t arrived = 0;   ///< threads
    std::uint32_t expected = 0;  ///< 0: all that live
  };

  // block.cpp
  void run_block(std::uint64_t block);
  void start_block(std::uint64_t block);
  void set_specials(unsigned warp);
  void set_special(Warp& warp, unsigned index, const code::Program::SpecialSlot& special);
  bool complete_barriers();
  [[noreturn]] void report_deadlock();
  void note_late_barrier();

  // interpreter.cpp
  void run_warp(unsigned index);
  Group* choose_group();
  void execute(Group& group);
  bool yields_at_entry(Group& group);
  void branch(Group& group, const code::Instruction& instruction, std::uint32_t taken);
  void exit_lanes(std::uint32_t lanes);
  void lanes(const code::Instruction& instruction, std::uint32_t mask);
  void write_masked(const code::Instruction& instruction, const isa::Operands& operands, std::uint32_t mask);
  std::uint32_t guarded(const code::Instruction& instruction, std::uint32_t mask);
  void spend(std::uint64_t thread_instructions, const Group& group);

  // access.cpp
  void memory_access(const code::Instruction& instruction, std::uint32_t mask);
  void access_space(const code::Instruction& instruction, const code::Access& access, code::Space space,
                    std::uint32_t mask, std::uint64_t* addresses);
  void check_alignment(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  void check_global(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  void check_shared(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  void check_local(const code::Access& access, std::uint32_t mask, const std::uint64_t* addresses);
  void watch_access(const code::Access& access, bool is_shared, std::uint32_t mask,
                    const std::uint64_t* addresses, bool is_consecutive);
  void report_race(const code::Access& access, const watch::SharedRaces::Race& race);
  void move_data(const code::Access& access, std::uint32_t mask, const std::uint64_t* host_addresses,
                 bool is_consecutive);
  [[noreturn]] void out_of_bounds(const code::Access& access, unsigned lane, std::uint64_t address,
                                  std::uint64_t count);

  // atomics.cpp
  void atomic(const code::Instruction& instruction, const code::Access& access, std::uint32_t mask,
              const std::uint64_t* host_addresses);

  // synchronize.cpp
  bool named_lanes_arrived(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool warp_barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool vote(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  void wake_warp_sync();

  // print.cpp
  void print(const code::Instruction& instruction, std::uint32_t mask);
  void assert_fail(const code::Instruction& instruction, std::uint32_t mask);
  std::string device_string(std::uint64_t address);
  const std::byte* readable(std::uint64_t address, unsigned lane, std::uint64_t bytes);

  watch::Finding finding(std::string kind, std::string message, unsigned lane) const;
  [[noreturn]] void fault(watch::Finding finding);
  std::string thread_text(std::uint32_t thread) const;

  Grid& grid_;
  const code::Program& program_;
  watch::Counters counters_;
  watch::Diagnoses diagnoses_;
  std::map<std::uint64_t, std::string> output_;
  std::uint64_t output_bytes_ = 0;

  std::vector<Warp> warps_;
  std::vector<std::byte> shared_;
  std::optional<watch::SharedRaces> races_;
  bool narrow_shared_;
  bool uses_shared_;
  std::vector<const memory::Allocation*> cached_;  ///< per site: the allocation it hit last
  isa::LaneFunction select_[9] = {};               ///< by bytes: d = mask ? a : b
  std::uint64_t unspent_ = 0;                      ///< thread instructions not yet added to the grid's

  // The block and warp being run.
  std::uint64_t block_ = 0;
  unsigned warp_index_ = 0;
  Warp* warp_ = nullptr;
  const code::Instruction* current_ = nullptr;
  Barrier barriers_[16];
  std::uint32_t live_threads_ = 0;
};

}  // namespace warpwise::machine
