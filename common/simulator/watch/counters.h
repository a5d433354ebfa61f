#pragma once
#include <vector>

#include "simulator/code/program.h"
#include "simulator/watch/access_event.h"
#include "simulator/watch/report.h"
#include "simulator/watch/seen_pattern.h"

namespace warpwise::watch {

/// Counts of one launch on one host thread; add() joins those of several.
class Counters {
 public:
  explicit Counters(const code::Program& program)
      : program_(&program),
        sites_(program.sites.size()),
        patterns_(program.sites.size()),
        blocks_(program.block_sizes.size()) {}

  void access(const AccessEvent& event);
  /// cp.async.cg, whose read access() has heard of.
  /// @param from, to addresses of 32 lanes, in global and in shared memory.
  void bypassing_copy(std::uint32_t site, std::uint32_t mask, const std::uint64_t* from,
                      const std::uint64_t* to);
  void basic_block(std::uint32_t block, unsigned lanes) {
    ++blocks_[block].warps;
    blocks_[block].lanes += lanes;
  }
  void divergent_branch() { ++divergent_branches_; }
  void barrier() { ++barriers_; }

  void add(const Counters& other);
  /// Fills counters and lines.
  void write(LaunchReport& report) const;

 private:
  struct SiteCounts {
    std::uint64_t requests = 0;
    std::uint64_t sectors = 0;
    std::uint64_t wavefronts = 0, ideal_wavefronts = 0;
    bool is_uniform = false;  ///< of an atomic: lanes met at one address, which ptxas may join
  };
  struct BlockCounts {
    std::uint64_t warps = 0, lanes = 0;
  };
  void write_totals(LaunchReport& report) const;
  void write_atomics(LaunchReport& report) const;
  void write_lines(LaunchReport& report) const;

  const code::Program* program_;
  std::vector<SiteCounts> sites_;
  std::vector<SeenPattern> patterns_;  ///< by site
  std::vector<BlockCounts> blocks_;
  std::uint64_t divergent_branches_ = 0;
  std::uint64_t barriers_ = 0;
};

}  // namespace warpwise::watch
