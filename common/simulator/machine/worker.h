#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "simulator/machine/access/access.h"
#include "simulator/machine/access/atomics.h"
#include "simulator/machine/checks/bounds.h"
#include "simulator/machine/checks/copy_checks.h"
#include "simulator/machine/checks/first_stores.h"
#include "simulator/machine/checks/other_launches.h"
#include "simulator/machine/checks/race_reports.h"
#include "simulator/machine/checks/races.h"
#include "simulator/machine/checks/shared_pointers.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/copies/async_copies.h"
#include "simulator/machine/copies/mbarriers.h"
#include "simulator/machine/copies/tensor_copies.h"
#include "simulator/machine/device_calls/heap.h"
#include "simulator/machine/device_calls/printing.h"
#include "simulator/machine/device_calls/runtime_questions.h"
#include "simulator/machine/schedule/spin_waits.h"
#include "simulator/machine/textures/textures.h"
#include "simulator/machine/together/cluster.h"
#include "simulator/machine/worker_state.h"

namespace warpwise::machine {

struct Extent;

/// Runs blocks on one host thread and watches them.
class Worker : private WorkerState {
 public:
  /// @param is_first of its launch: it calls the others.
  explicit Worker(Grid& grid, bool is_first = true) : WorkerState(grid, is_first) {}

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
  void expect_changes();
  void restart_clocks();
  bool stands_still();
  bool only_clocks_go_on() const;
  bool waited_for(std::uint64_t thread_instructions) const;
  std::uint64_t fingerprint(bool with_shared) const;
  std::uint64_t room() const;
  void look_at_time();
  void end_round();
  void let_others_run(bool stands);
  bool host_may_help() const;
  void wait_for_host();
  std::string at_barriers() const;
  std::uint64_t blocks_not_begun() const;
  std::string not_begun() const;
  bool is_compare_and_swap(const code::Instruction& instruction) const;
  [[noreturn]] void report_standstill(const std::string& others);
  const Group* go_where_one_looks();
  bool is_in_group_function() const;
  const char* trap_text() const;
  [[noreturn]] void report_time_over(std::uint32_t lanes);

  // looks_before_changes.cpp
  void note_looks(const Block& block);
  bool lets_others_look(const code::Access& access, std::uint32_t mask);

  // start_block.cpp
  void start_block(Block& block, std::uint64_t index);

  // barriers.cpp
  bool barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool complete_barriers();
  void release(std::uint32_t barrier);
  void answer(const code::Instruction& instruction, std::uint32_t mask,
              const Block::Barrier& barrier);
  bool check_aligned(std::uint32_t barrier);
  void check_one_place();
  void note_apart();
  void note_exited(const Group& group, unsigned warp);
  std::uint32_t missing_threads(std::uint32_t barrier) const;
  [[noreturn]] void report_deadlock();
  std::string other_waits(const Group& group) const;

  // operations.cpp
  bool operation(Group& group, const code::Instruction& instruction, std::uint32_t mask);

  // warp_functions.cpp
  void match(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
             std::uint32_t present);
  void reduce(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
              std::uint32_t present);
  void elect(const code::Operation& operation, const std::uint32_t* masks, std::uint32_t mask,
             std::uint32_t present);

  // specials.cpp
  /// The values that special registers depend on: all that hold for the launch, those of the block,
  /// those of the call.
  enum class SpecialsOf { grid, block, call };
  void set_specials(unsigned warp, SpecialsOf changed);
  void read_clock(const code::Instruction& instruction, std::uint32_t mask);

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

  // budget.cpp
  void look_at_budget(const Group& group);
  void look_for_endless_loop(const Group& group);
  void count_spent();
  void plan_look();

  // calls.cpp
  bool call(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  std::uint32_t called_function(const code::Instruction& instruction, std::uint32_t& lanes);
  Frame& enter_function(Frame& caller, const code::Call& call, std::uint32_t function,
                        std::uint32_t return_pc, std::uint32_t lanes);
  void begin_call(const Frame& caller, const code::Call& call, const code::Function& callee,
                  const Frame& frame, std::uint32_t lanes);
  void pass(const Frame& from, const std::vector<code::Piece>& sources, const Frame& to,
            const std::vector<code::Piece>& destinations, std::uint32_t lanes);
  bool return_lanes(Group& group, std::uint32_t mask);
  void leave_calls(Frame& frame, std::uint32_t lanes);
  std::uint64_t stack_room() const;
  void check_stack(const Frame& last, std::uint32_t lanes);
  [[noreturn]] void report_stack_overflow(std::uint32_t depth, std::uint32_t lanes,
                                          std::uint64_t top, std::uint64_t bytes);
  void stack_allocate(const code::Instruction& instruction, std::uint32_t mask);
  void stack_save(const code::Instruction& instruction, std::uint32_t mask);
  void stack_restore(const code::Instruction& instruction, std::uint32_t mask);

  // synchronize.cpp
  void note_returned(const std::uint32_t* masks, std::uint32_t mask, std::uint32_t returned);
  std::uint32_t meet_named(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  std::uint32_t meeting_lanes(const Group& group, const Group& other) const;
  void meet_apart(const Group& group, const std::vector<Group*>& others);
  std::uint64_t met_value(const code::Operation::Value& value, unsigned lane);
  bool warp_barrier(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool shuffle(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  bool vote(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  void wake_warp_sync();
  void order_memory(const code::Instruction& instruction, std::uint32_t lanes);
  bool is_barrier_of_cub() const;
  void check_same_masks(const std::uint32_t* masks, std::uint32_t mask);
  void report_selfless(const std::uint32_t* masks, std::uint32_t lanes);

  // warpgroup.cpp
  void meet_warpgroup(Group& group, std::uint32_t mask);
  void multiply_together(std::uint32_t barrier);
  void check_one_product(const std::vector<Group*>& groups, unsigned first);
  [[noreturn]] void report_missing_warps(const Group& group);
  void fence_warpgroup();
  void fence_proxies();
  void wait_products(const code::Operation& operation, std::uint32_t mask);

  // warpgroup_products.cpp
  struct Factors;
  void warpgroup_product(const code::Instruction& instruction, const code::Operation& operation);
  void fetch(const code::WarpgroupProduct& product, int matrix, std::uint64_t descriptor,
             Factors& factors);
  void read_pieces(const code::Access& access, std::uint32_t lanes, const std::uint64_t* addresses,
                   const char* matrix, const std::string& descriptor);
  void use_factor(code::Slot slot, unsigned block, Factors& factors);
  void note_undefined(const code::Access& access, std::uint32_t lanes, bool is_a, bool in_columns,
                      unsigned first, Factors& factors);
  void note_missing_fence();
  void follow_product(const code::WarpgroupProduct& product, const Factors& factors, bool adds);

  // matrix.cpp
  bool matrix(Group& group, const code::Instruction& instruction, std::uint32_t mask);
  void check_one_tile(const code::MatrixRegisters::Tile& tile);
  void check_tile(const code::MatrixRegisters::Tile& tile);
  [[noreturn]] void report_missing_lanes(std::uint32_t lanes);

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
  OtherLaunches other_launches_{*this, race_reports_};
  Races races_{*this, {atomics_, copy_checks_, race_reports_, first_stores_, other_launches_}};
  Textures textures_{*this, uninitialized_};
  Accesses accesses_{*this,
                     {spin_waits_, cluster_, bounds_, uninitialized_, shared_pointers_,
                      copy_checks_, atomics_, other_launches_, races_, textures_}};
  AsyncCopies async_copies_{
      *this, {cluster_, bounds_, uninitialized_, copy_checks_, other_launches_, races_, accesses_}};
  TensorCopies tensor_copies_{*this, {bounds_, uninitialized_, accesses_, async_copies_}};
  Heap heap_{*this};
  Printing printing_{*this, uninitialized_};
  RuntimeQuestions runtime_questions_{*this, uninitialized_, other_launches_, heap_,
                                      [this] { let_others_run(false); }};
};

}  // namespace warpwise::machine
