#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simulator/machine/access/access.h"
#include "simulator/machine/checks/copy_checks.h"
#include "simulator/machine/checks/uninitialized.h"
#include "simulator/machine/runner_state.h"

namespace warpwise::machine {

/// Warpgroups: four warps that form products of matrices together, and wait for what they have
/// begun.
class Warpgroups {
 public:
  struct Parts {
    Uninitialized& uninitialized;
    CopyChecks& copy_checks;
    Accesses& accesses;
  };
  Warpgroups(RunnerState& here, const Parts& parts) : here_(here), parts_(parts) {}

  /// The warp waits for the others of its warpgroup.
  void meet(Group& group, std::uint32_t mask);
  /// All four warps are there: each forms its part of the product. A warp that then waits for it
  /// waits for all of its parts.
  /// @param barrier of the block at which they have met.
  void multiply_together(std::uint32_t barrier);
  /// Faults: some warps of the group wait here, the others never will.
  [[noreturn]] void report_missing_warps(const Group& group);
  /// wgmma.fence.
  void fence() { here_.warp_->products.fenced = true; }
  /// fence.proxy.async. The block's writes may be in other blocks of its cluster.
  void fence_proxies();
  /// The products begun since the last time are a group, for which the warp may wait.
  void commit() { ++here_.warp_->products.committed; }
  /// Products of the whole warpgroup end together: to wait for the own part is to wait for all.
  void wait(const code::Operation& operation, std::uint32_t mask);

 private:
  void check_one_product(const std::vector<Group*>& groups, unsigned first);
  // warpgroup_products.cpp
  struct Factors;
  void form_product(const code::Instruction& instruction, const code::Operation& operation);
  void fetch(const code::WarpgroupProduct& product, int matrix, std::uint64_t descriptor,
             Factors& factors);
  void read_pieces(const code::Access& access, std::uint32_t lanes, const std::uint64_t* addresses,
                   const char* matrix, const std::string& descriptor);
  void use_factor(code::Slot slot, unsigned block, Factors& factors);
  void note_undefined(const code::Access& access, std::uint32_t lanes, bool is_a, bool in_columns,
                      unsigned first, Factors& factors);
  void note_missing_fence();
  void follow_product(const code::WarpgroupProduct& product, const Factors& factors, bool adds);

  RunnerState& here_;
  Parts parts_;
};

}  // namespace warpwise::machine
