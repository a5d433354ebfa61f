#pragma once
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/machine/access/deferred_adds.h"
#include "simulator/machine/checks/arrivals.h"
#include "simulator/machine/checks/bounds_advice.h"
#include "simulator/machine/schedule/block.h"
#include "simulator/machine/schedule/grid.h"
#include "simulator/machine/warp/warp.h"
#include "simulator/watch/global/global_watch.h"
#include "simulator/watch/launches/concurrent_launches.h"
#include "simulator/watch/launches/early_accesses.h"
#include "simulator/watch/launches/grid_races.h"
#include "simulator/watch/order/participation.h"
#include "simulator/watch/report/counters.h"
#include "simulator/watch/report/diagnoses.h"
#include "simulator/watch/report/trace.h"

namespace warpwise::machine {

/// The state that a runner keeps: of its launch, of the blocks that it runs, and of the warp that
/// it is at; and how it reports what is wrong there. BlockRunner inherits it privately; its parts,
/// which have their own fields, work on it.
struct alignas(64) RunnerState {
  explicit RunnerState(Grid& grid);
  RunnerState(const RunnerState&) = delete;
  RunnerState& operator=(const RunnerState&) = delete;

  // finding.cpp
  /// A finding at the current instruction, for a lane of the current warp.
  watch::Finding finding(std::string kind, std::string message, unsigned lane) const;
  std::uint32_t user_call(std::uint32_t instruction, unsigned lane) const;
  /// The line of the program's own code that the lane is at.
  std::shared_ptr<const memory::CodeLine> users_line(unsigned lane) const;
  /// Reports the finding and stops the launch.
  [[noreturn]] void fault(watch::Finding finding);
  /// "(3, 0, 0)", of a thread's linear index in its block.
  std::string thread_text(std::uint32_t thread) const;
  /// The block that is past the end of an array.
  WhoPastEnd who_past_end() const;
  /// Stops the launch: the lane reads what it cannot read, such as a text to be printed.
  [[noreturn]] void report_unreadable(std::uint64_t address, unsigned lane);

  /// Goes to the next instruction that has a line: a block's entry has none, nor has what the
  /// compiler put there by itself.
  void stand_at(const Group& group);

  // lane_values.cpp
  /// A lane's value of an operand.
  std::uint64_t lane_value(const code::Operation::Value& value, unsigned lane);
  /// Sets it, where the operand is there.
  void set_lane(const code::Operation::Value& value, unsigned lane, std::uint64_t result);

  // place_texts.cpp
  const code::Place& place_of(std::uint32_t site) const;
  unsigned line_of(std::uint32_t site) const;
  std::uint32_t instruction_of(std::uint32_t site) const;
  bool is_of_library(std::uint32_t site) const;
  /// True in what cooperative groups do for themselves. Before sm_80 tiles of several warps have
  /// memory of the program's for it, where all lanes of a warp read what one of them has waited
  /// for, with a shuffle in between: that orders no memory by the letter, and no program can fix
  /// it.
  bool is_of_group(std::uint32_t site) const;
  /// " (line 7)", or " (line 7 of tile.h)" where `site` is in another file than `here`; nothing
  /// where the line is not known.
  std::string site_text(std::uint32_t here, std::uint32_t site) const;
  /// "offset 12 of array x (4096 bytes)".
  std::string global_text(std::uint64_t address) const;
  /// "offset 12 of shared array tile (128 bytes)", or what is there instead.
  std::string shared_text(std::uint32_t address) const;
  /// "(3, 0, 0)", of a block's linear index.
  std::string block_text(std::uint64_t block) const;
  /// " in line 7", of another instruction than the current one; nothing where it has no line.
  std::string line_text(const code::Instruction& instruction) const;
  /// The line of each site, by its number.
  std::vector<unsigned> lines_of_sites() const;

  // access_event.cpp
  /// The access of these lanes, to shared memory and with no shape known.
  watch::AccessEvent event_of(const code::Access& access, std::uint32_t mask,
                              const std::uint64_t* addresses) const;

  // runner_state.cpp
  /// Goes to the warp of the block that runs.
  void turn_to(unsigned index);

  /// The block whose shared memory is touched.
  Block& owner() { return owner_ ? *owner_ : *block_; }
  /// Counts changes of memory. Shared memory is its block's alone, but in a cluster.
  void note_changes(code::Space space, std::uint32_t changes) {
    changes_ += changes;
    if (space == code::Space::shared && grid_.cluster_blocks == 1) changes_within_ += changes;
  }
  std::uint64_t changes_for_others() const { return changes_ - changes_within_; }

  // Read for each instruction, or each access: they are next to each other.
  Grid& grid_;
  const code::Program& program_;
  // The block and warp being run.
  Block* block_ = nullptr;
  Warp* warp_ = nullptr;
  const code::Instruction* current_ = nullptr;
  Group* group_ = nullptr;
  unsigned warp_index_ = 0;
  std::uint32_t polls_ = 0;           ///< of the warp, since it began to run
  std::uint32_t times_ = 1;           ///< that the access is made, one after another
  bool several_allocations_ = false;  ///< the access being made may also hit others
  const bool uses_reserved_;          ///< shared memory that a GPU keeps for cooperative groups
  const bool watches_proxies_;        ///< something reads shared memory another way than loads do
  Block* owner_ = nullptr;            ///< while another block's shared memory is accessed
  watch::Trace* trace_ = nullptr;     ///< null: this warp is not followed
  const std::byte* bulk_source_ = nullptr;         ///< while a bulk copy writes: what it writes
  std::vector<const memory::Allocation*> cached_;  ///< per site: the allocation it hit last
  std::uint64_t changes_ = 0;         ///< of memory that other threads can see, and ends of blocks
  std::uint64_t changes_within_ = 0;  ///< of those, in shared memory that one block sees alone
  std::uint64_t accesses_made_ = 0;   ///< to memory that other threads can see
  OwnTurn own_turn_;  ///< places where the group that runs need not look at the others
  isa::LaneFunction select_[9] = {};  ///< by bytes: d = mask ? a : b

  watch::Counters counters_;
  std::optional<watch::Participation> participation_;  ///< none: not recorded
  watch::Diagnoses diagnoses_;
  Arrivals arrivals_;

  Grid::Clusters clusters_;                       ///< taken and not started
  std::vector<std::unique_ptr<Block>> resident_;  ///< started and not ended
  unsigned global_cell_shift_;
  DeferredAdds deferred_adds_;
};

}  // namespace warpwise::machine
