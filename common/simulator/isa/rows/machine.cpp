#include "simulator/isa/rows/all.h"

/// Instructions that touch memory, other lanes or the flow of control: described here, executed by
/// machine/.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> machine_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"ld{.order}{.scope}{.space}{.nc}{.cache}{.evict}{.prefetch}{.vec}.type d, [a]; "
       ".order = {.weak, .volatile, .relaxed, .acquire}; .scope = {.cta, .cluster, .gpu, .sys}; "
       ".space = {.global, .shared, .shared::cta, .local, .const, .param, .param::entry, "
       ".param::func}; "
       ".cache = {.ca, .cg, .cs, .lu, .cv}; "
       ".evict = {.L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last, "
       ".L1::no_allocate}; "
       ".prefetch = {.L2::64B, .L2::128B, .L2::256B}; .vec = {.v2, .v4}; "
       ".type = {.b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}",
       K::load},
      {"st{.order}{.scope}{.space}{.cache}{.evict}{.vec}.type [a], b; "
       ".order = {.weak, .volatile, .relaxed, .release}; .scope = {.cta, .cluster, .gpu, .sys}; "
       ".space = {.global, .shared, .shared::cta, .local, .param, .param::func}; "
       ".cache = {.wb, .cg, .cs, .wt}; "
       ".evict = {.L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, .L1::evict_last, "
       ".L1::no_allocate}; .vec = {.v2, .v4}; "
       ".type = {.b8, .b16, .b32, .b64, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}",
       K::store},
      {"atom{.order}{.scope}{.space}.op.type d, [a], b{, c}; "
       ".order = {.relaxed, .acquire, .release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; "
       ".space = {.global, .shared, .shared::cta}; "
       ".op = {.add, .min, .max, .and, .or, .xor, .exch, .cas, .inc, .dec}; "
       ".type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      // The order that the CUDA headers write in their inline assembly.
      {"atom{.space}.op{.order}{.scope}.type d, [a], b{, c}; "
       ".order = {.relaxed, .acquire, .release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; "
       ".space = {.global, .shared, .shared::cta}; "
       ".op = {.add, .min, .max, .and, .or, .xor, .exch, .cas, .inc, .dec}; "
       ".type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      {"atom.space.scope.op.type d, [a], b{, c}; .scope = {.cta, .cluster, .gpu, .sys}; "
       ".space = {.global, .shared, .shared::cta}; "
       ".op = {.add, .min, .max, .and, .or, .xor, .exch, .cas, .inc, .dec}; "
       ".type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      {"red{.order}{.scope}{.space}.op.type [a], b; .order = {.relaxed, .release}; "
       ".scope = {.cta, .cluster, .gpu, .sys}; .space = {.global, .shared, .shared::cta}; "
       ".op = {.add, .min, .max, .and, .or, .xor, .inc, .dec}; "
       ".type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      {"bra{.uni} target", K::branch},
      {"brx.idx{.uni} a:u32, target", K::branch_table},
      {"call{.uni} target", K::call},
      {"ret{.uni}", K::ret},
      {"exit", K::exit},
      {"trap", K::trap},
      {"bar{.cta}.sync a:u32{, b:u32}", K::barrier},
      {"barrier{.cta}.sync{.aligned} a:u32{, b:u32}", K::barrier},
      {"bar.warp.sync m:u32", K::warp_barrier},
      {"shfl.sync.mode.b32 d|p, a, b:u32, c:u32, m:u32; .mode = {.up, .down, .bfly, .idx}",
       K::shuffle},
      {"vote.sync.mode.pred d:pred, a:pred, m:u32; .mode = {.all, .any, .uni}", K::vote},
      {"vote.sync.mode.b32 d, a:pred, m:u32; .mode = {.ballot}", K::vote},
      {"activemask.b32 d", K::activemask},
      {"cvta{.to}.space.type d, a; .space = {.global, .shared, .shared::cta, .local, .const, "
       ".param, .param::entry}; "
       ".type = {.u32, .u64}",
       K::convert_address},
      {"isspacep.space p:pred, a:u64; .space = {.global, .shared, .shared::cta, "
       ".shared::cluster, .local, .const, .param, .param::entry}",
       K::test_address},
      {"alloca.type d, a, align; .type = {.u32, .u64}", K::stack},
      {"stacksave.type d; .type = {.u32, .u64}", K::stack},
      {"stackrestore.type a; .type = {.u32, .u64}", K::stack},
      {"membar.scope; .scope = {.cta, .gl, .sys}", K::fence},
      {"fence{.order}.scope; .order = {.sc, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}",
       K::fence},
      {"prefetch{.space}.level [a]; .space = {.global, .local}; .level = {.L1, .L2}", K::nothing},
      {"nanosleep.u32 a", K::sleep},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
