#include "simulator/isa/rows/all.h"

/// Branches, calls, and instructions that the machine answers by itself.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> machine_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"bra{.uni} target", K::branch},
      {"brx.idx{.uni} a:u32, target", K::branch_table},
      {"call{.uni} target", K::call},
      {"ret{.uni}", K::ret},
      {"exit", K::exit},
      {"trap", K::trap},
      {"brkpt", K::trap},
      {"activemask.b32 d", K::activemask},
      {"cvta{.to}.space.type d, a; .space = {.global, .shared, .shared::cta, .shared::cluster, "
       ".local, .const, .param, .param::entry}; .type = {.u32, .u64}",
       K::convert_address},
      {"isspacep.space p:pred, a:u64; .space = {.global, .shared, .shared::cta, "
       ".shared::cluster, .local, .const, .param, .param::entry}",
       K::test_address},
      {"alloca.type d, a, align; .type = {.u32, .u64}", K::stack},
      {"stacksave.type d; .type = {.u32, .u64}", K::stack},
      {"stackrestore.type a; .type = {.u32, .u64}", K::stack},
      {"nanosleep.u32 a", K::sleep},
      // Instructions that only change speed, or address tools.
      {"prefetch{.space}.level [a]; .space = {.global, .local}; .level = {.L1, .L2}", K::nothing},
      {"prefetch.global.level [a]; .level = {.L2::evict_last, .L2::evict_normal}", K::nothing},
      {"prefetchu.L1 [a]", K::nothing},
      {"applypriority{.global}.level [a], n; .level = {.L2::evict_normal}", K::nothing},
      {"setmaxnreg.action.sync.aligned.u32 a; .action = {.inc, .dec}", K::nothing},
      {"griddepcontrol.action; .action = {.launch_dependents, .wait}", K::nothing},
      {"pmevent a", K::nothing},
      {"pmevent.mask a", K::nothing},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
