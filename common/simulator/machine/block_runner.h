#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/machine/access/access.h"
#include "simulator/machine/access/atomics.h"
#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/checks/copy_checks.h"
#include "simulator/machine/checks/races/first_stores.h"
#include "simulator/machine/checks/races/lost_updates.h"
#include "simulator/machine/checks/races/other_launches.h"
#include "simulator/machine/checks/races/race_reports.h"
#include "simulator/machine/checks/races/races.h"
#include "simulator/machine/checks/shared_pointers.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/copies/async_copies.h"
#include "simulator/machine/copies/mbarriers.h"
#include "simulator/machine/copies/tensor_copies.h"
#include "simulator/machine/device_calls/heap.h"
#include "simulator/machine/device_calls/printing.h"
#include "simulator/machine/device_calls/runtime_questions.h"
#include "simulator/machine/runner_state.h"
#include "simulator/machine/schedule/budget.h"
#include "simulator/machine/schedule/deadlocks.h"
#include "simulator/machine/schedule/spin_reads_before_writes.h"
#include "simulator/machine/schedule/spin_waits.h"
#include "simulator/machine/textures/textures.h"
#include "simulator/machine/together/barriers.h"
#include "simulator/machine/together/cluster.h"
#include "simulator/machine/together/matrix.h"
#include "simulator/machine/together/synchronize.h"
#include "simulator/machine/together/warpgroup.h"
#include "simulator/machine/warp/calls.h"
#include "simulator/machine/warp/specials.h"

namespace warpwise::machine {

struct OperationHere;

/// Runs blocks on one host thread: starts them, executes the instructions of their warps,
/// lets them take turns and ends them. What an instruction means, and what is checked, is for its
/// parts; each may use those above it.
class BlockRunner : private RunnerState {
 public:
  /// @param is_first of its launch: it calls the others.
  explicit BlockRunner(Grid& grid, bool is_first = true)
      : RunnerState(grid), budget_(*this, deadlocks_, is_first) {}

  /// Takes blocks until there are none left. Blocks that may wait for each other take turns.
  void run();

  const watch::Counters& counters() const { return counters_; }
  /// Which threads took part in what; null: not recorded.
  const watch::Participation* participation() const {
    return participation_ ? &*participation_ : nullptr;
  }
  const watch::Diagnoses& diagnoses() const { return diagnoses_; }
  const Arrivals& arrivals() const { return arrivals_; }
  const watch::PeerBytes& peer_bytes() const { return bounds_.peer_bytes(); }
  const watch::DerivedValues& derived_values() const { return uninitialized_.derived_values(); }
  /// Its watch of global memory; null: races are not checked.
  watch::GlobalWatch* global_watch() { return races_.global_watch(); }
  const RaceReports& race_reports() const { return race_reports_; }
  OtherLaunches& other_launches() { return other_launches_; }
  /// The kernels to run, and the copies to make, once the grid has ended; in order.
  std::vector<DeviceWork> take_asked_for() { return runtime_questions_.take(); }
  /// Output of printf by block.
  const std::map<std::uint64_t, std::string>& output() const { return printing_.output(); }

 private:
  /// How a block's turn ended.
  enum class Turn { finished, polled, waits };

  // turns.cpp
  bool start_next();
  Turn take_turn(Block& block);
  Turn run_turn(Block& block);
  void retire(std::size_t position);
  std::uint64_t room() const;

  // start_block.cpp
  void start_block(Block& block, std::uint64_t index);

  // operations.cpp
  /// A family of operations. @return false where the group has to wait.
  using Family = bool (*)(BlockRunner&, const OperationHere&);
  static Family family_of(isa::Kind kind);
  bool operation(Group& group, const code::Instruction& instruction, std::uint32_t mask);

  // interpreter.cpp
  void run_warp(unsigned index);
  Group* choose_group();
  template <bool is_traced>
  void execute(Group& group);
  void trace_step(const Group& group, std::uint32_t pc, std::uint32_t mask);
  bool meet(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool yields_at_entry(Group& group);
  OwnTurn turn_of(const Group& group) const;
  Group* branch(Group& group, const code::Instruction& instruction, std::uint32_t taken);
  void exit_lanes(std::uint32_t lanes);

  // lane_operations.cpp
  void lanes(const code::Instruction& instruction, std::uint32_t mask);
  void write_masked(const code::Instruction& instruction, isa::Operands& operands,
                    std::uint32_t mask);
  std::uint32_t guarded(const code::Instruction& instruction, std::uint32_t mask);

  std::vector<std::unique_ptr<Block>> spare_;  ///< ended, to be used again

  SpinWaits spin_waits_{*this};
  Clusters cluster_{*this};
  Bounds bounds_{*this};
  Uninitialized uninitialized_{*this, bounds_};
  SharedPointers shared_pointers_{*this, uninitialized_};
  RaceReports race_reports_{*this};
  CopyChecks copy_checks_{*this};
  Mbarriers mbarriers_{*this, spin_waits_};
  Atomics atomics_{*this, mbarriers_};
  FirstStores first_stores_{*this};
  LostUpdates lost_updates_{*this};
  OtherLaunches other_launches_{*this, race_reports_};
  Races races_{
      *this,
      {atomics_, copy_checks_, race_reports_, first_stores_, lost_updates_, other_launches_}};
  Textures textures_{*this, uninitialized_};
  Accesses accesses_{*this,
                     {spin_waits_, cluster_, bounds_, uninitialized_, shared_pointers_,
                      copy_checks_, atomics_, other_launches_, races_, textures_}};
  AsyncCopies async_copies_{
      *this, {cluster_, bounds_, uninitialized_, copy_checks_, other_launches_, races_, accesses_}};
  TensorCopies tensor_copies_{*this, {bounds_, uninitialized_, accesses_, async_copies_}};
  WarpMeetings warp_meetings_{*this, uninitialized_};
  Matrices matrices_{*this, warp_meetings_};
  Warpgroups warpgroups_{*this, {uninitialized_, copy_checks_, accesses_}};
  Specials specials_{*this};
  Calls calls_{*this, uninitialized_, specials_};
  Barriers barriers_{*this,
                     {cluster_, uninitialized_, races_, warp_meetings_, matrices_, warpgroups_}};
  Deadlocks deadlocks_{*this, {mbarriers_, barriers_}};
  Budget budget_;
  SpinReadsBeforeWrites spin_reads_before_writes_{*this, accesses_};
  Heap heap_{*this};
  Printing printing_{*this, uninitialized_};
  RuntimeQuestions runtime_questions_{*this, uninitialized_, other_launches_, heap_};
};

}  // namespace warpwise::machine
