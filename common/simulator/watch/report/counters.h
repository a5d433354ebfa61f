#pragma once
#include <vector>

#include "simulator/code/program.h"
#include "simulator/watch/cells/access_event.h"
#include "simulator/watch/launches/seen_costs.h"
#include "simulator/watch/report/report.h"

namespace warpwise::watch {

/// Counts of one launch on one host thread; add() joins those of several.
class Counters {
 public:
  explicit Counters(const code::Program& program);

  /// @param pattern of its addresses.
  void access(const AccessEvent& event, AddressShape::Pattern pattern = AddressShape::no_pattern);
  /// Requests in global memory of a site, and their sectors.
  struct GlobalCost {
    std::uint64_t requests = 0, sectors = 0;
  };
  GlobalCost global_cost(std::uint32_t site) const {
    const SiteCounts& counts = sites_[site];
    return {counts.requests - counts.shared_requests, counts.sectors};
  }
  /// Accesses of this site are not counted until another is named.
  static constexpr std::uint32_t no_site = ~0u;
  void leave_out(std::uint32_t site) { left_out_ = site; }
  /// cp.async.cg, whose read access() has heard of.
  /// @param from, to addresses of 32 lanes, in global and in shared memory.
  void bypassing_copy(std::uint32_t site, std::uint32_t mask, const std::uint64_t* from,
                      const std::uint64_t* to);
  /// @param fence index of Program::system_fences, plus 1; 0: the fence does not reach that far.
  void fence(std::uint32_t fence) {
    if (fence) ++fences_[fence - 1];
  }
  void basic_block(std::uint32_t block, unsigned lanes) {
    ++blocks_[block].warps;
    blocks_[block].lanes += lanes;
  }
  /// How often a basic block has been executed.
  struct BlockCounts {
    std::uint64_t warps = 0, lanes = 0;
  };
  using Mark = std::vector<BlockCounts>;
  void mark(Mark& mark) const { mark = blocks_; }
  /// Calls visit(block, how often) for the basic blocks that were executed since.
  template <class Visit>
  void for_blocks_since(const Mark& mark, Visit visit) const {
    for (std::uint32_t block = 0; block < blocks_.size(); ++block)
      if (const std::uint64_t warps = blocks_[block].warps - mark[block].warps) visit(block, warps);
  }
  /// Counts the basic blocks that were executed since so many times more.
  void repeat_since(const Mark& mark, std::uint64_t times);
  /// A warp begins to run, or goes on after it has waited; it stops, for now or forever.
  void start_run() {
    for (Decider& decider : deciders_) {
      decider.rounds_before = blocks_[decider.block].warps;
      decider.has_parted = false;
    }
  }
  void end_run() {
    for (Decider& decider : deciders_)
      decider.is_in_doubt |= decider.has_parted &&
                             blocks_[decider.block].warps - decider.rounds_before >= enough_rounds;
  }
  /// @param index of the instruction in the program's code.
  void divergent_branch(std::uint32_t index) {
    ++divergent_branches_;
    if (!program_->parts_for_longer.empty())
      have_parted_for_longer_ |= program_->parts_for_longer[index];
    for (Decider& decider : deciders_) decider.has_parted |= decider.branch == index;
  }
  /// Lanes that had diverged became one group again.
  /// @param index of the Op::enter where they are.
  void meeting(std::uint32_t index) { have_met_[index] = true; }
  /// Lanes parted in a function that has called itself, or by calls of different functions: ptxas
  /// does not let them meet again there, or only some instructions later. So it is with branches
  /// for which Program::parts_for_longer says it.
  void parted_for_longer() { have_parted_for_longer_ = true; }
  /// printf, malloc or free, whose own accesses to memory the hardware counts as the kernel's.
  void library_call() { has_library_calls_ = true; }
  /// Warps may have updated a word of shared memory at once, and have swapped in vain.
  void updates_meet() { have_updates_met_ = true; }
  /// Shared memory is written that a copy in flight may still write: cp.async.cg then counts fewer
  /// sectors, as one of two that meet there is dropped (5594 of 6400 on an H100).
  void copies_meet() { have_copies_met_ = true; }
  void barrier() { ++barriers_; }
  /// A warp multiplies on tensor cores.
  void matrix_product() { ++matrix_products_; }

  void add(const Counters& other);
  /// Fills counters and lines.
  void write(LaunchReport& report) const;

 private:
  struct SiteCounts {
    std::uint64_t requests = 0, shared_requests = 0;  ///< all; those in shared memory
    std::uint64_t sectors = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
    std::uint64_t counted_wavefronts = 0;  ///< by Nsight Compute, as far as they are known
    bool has_unknown = false;              ///< of these
    std::uint64_t during_copies = 0;
    std::uint64_t loop_loads = 0, loop_wavefronts = 0;  ///< of an update that is a loop
    bool is_uniform = false;  ///< of an atomic: lanes met at one address, which ptxas may join
  };
  /// Whether the hardware counts the site's accesses the same, not only at least as many.
  bool is_confirmed(const code::Site& site, const SiteCounts& counts) const;
  bool might_have_run(const code::Site& site) const;
  SiteCounts counts_of_fence(std::size_t fence) const;
  void write_totals(LaunchReport& report) const;
  void write_atomics(LaunchReport& report) const;
  void write_lines(LaunchReport& report) const;

  const code::Program* program_;
  std::vector<SiteCounts> sites_;
  std::vector<SeenCosts> costs_;       ///< by site
  std::vector<std::uint64_t> fences_;  ///< how often each of Program::system_fences was passed
  std::vector<BlockCounts> blocks_;
  std::uint32_t left_out_ = no_site;
  /// A branch that decides about a loop which ptxas has unrolled. Lanes that leave it in different
  /// rounds may pass other copies of its accesses; no round runs in the copies for several of them
  /// where there are too few.
  struct Decider : code::Program::Decider {
    std::uint64_t rounds_before = 0;
    bool has_parted = false;   ///< the warp, since it runs
    bool is_in_doubt = false;  ///< a warp with that many rounds has parted there
  };
  static constexpr std::uint64_t enough_rounds = 2;
  bool is_in_doubt(std::uint32_t branch) const;

  std::vector<Decider> deciders_;
  std::vector<bool> have_met_;  ///< by instruction
  bool have_parted_for_longer_ = false;
  bool has_library_calls_ = false;
  bool have_updates_met_ = false;
  bool have_copies_met_ = false;
  std::uint64_t divergent_branches_ = 0;
  std::uint64_t barriers_ = 0, matrix_products_ = 0;
};

}  // namespace warpwise::watch
