#include "simulator/isa/rows/all.h"

/// Instructions that touch memory: described here, executed by machine/.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> memory_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"ld{.mmio}{.order}{.scope}{.space}{.cache}{.nc}{.evict}{.keep}{.hint}{.prefetch}{.vec}"
       ".type d, [a]{, policy:b64}; .order = {.weak, .volatile, .relaxed, .acquire}; .scope = "
       "{.cta, "
       ".cluster, .gpu, .sys}; .space = {.global, .shared, .shared::cta, .shared::cluster, "
       ".local, .const, .param, .param::entry, .param::func}; .cache = {.ca, .cg, .cs, .lu, "
       ".cv}; .evict = {.L1::evict_normal, .L1::evict_unchanged, .L1::evict_first, "
       ".L1::evict_last, .L1::no_allocate}; .keep = {.L2::evict_last, .L2::evict_normal, "
       ".L2::evict_first}; .hint = {.L2::cache_hint}; .prefetch = {.L2::64B, .L2::128B, "
       ".L2::256B}; .vec = {.v2, .v4, .v8}; .type = {.b8, .b16, .b32, .b64, .b128, .u8, .u16, "
       ".u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}",
       K::load},
      // The order of modifiers from before the manual put .nc after .cache.
      {"ld.global.nc.cache{.hint}{.prefetch}{.vec}.type d, [a]{, policy:b64}; .cache = {.ca, "
       ".cg, .cs}; .hint = {.L2::cache_hint}; .prefetch = {.L2::64B, .L2::128B, .L2::256B}; "
       ".vec = {.v2, .v4, .v8}; .type = {.b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, "
       ".s8, .s16, .s32, .s64, .f32, .f64}",
       K::load},
      {"ldu{.space}{.vec}.type d, [a]; .space = {.global}; .vec = {.v2, .v4}; .type = {.b8, "
       ".b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, .s16, .s32, .s64, .f32, .f64}",
       K::load},
      {"st{.mmio}{.order}{.scope}{.space}{.cache}{.evict}{.keep}{.hint}{.vec}.type [a], b{, "
       "policy:b64}; .order = {.weak, .volatile, .relaxed, .release}; .scope = {.cta, .cluster, "
       ".gpu, .sys}; .space = {.global, .shared, .shared::cta, .shared::cluster, .local, "
       ".param, .param::func}; .cache = {.wb, .cg, .cs, .wt}; .evict = {.L1::evict_normal, "
       ".L1::evict_unchanged, .L1::evict_first, .L1::evict_last, .L1::no_allocate}; .keep = "
       "{.L2::evict_last, .L2::evict_normal, .L2::evict_first}; .hint = {.L2::cache_hint}; .vec "
       "= {.v2, .v4, .v8}; .type = {.b8, .b16, .b32, .b64, .b128, .u8, .u16, .u32, .u64, .s8, "
       ".s16, .s32, .s64, .f32, .f64}",
       K::store},
      {"atom{.order}{.scope}{.space}.op{.hint}.type d, [a], b{, c}{, policy:b64}; .order = "
       "{.relaxed, .acquire, .release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; .space "
       "= {.global, .shared, .shared::cta, .shared::cluster}; .op = {.add, .min, .max, .and, "
       ".or, .xor, .exch, .cas, .inc, .dec}; .hint = {.L2::cache_hint}; .type = {.b32, .b64, "
       ".u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      // The order that the CUDA headers write in their inline assembly.
      {"atom{.space}.op{.order}{.scope}.type d, [a], b{, c}; .order = {.relaxed, .acquire, "
       ".release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; .space = {.global, .shared, "
       ".shared::cta, .shared::cluster}; .op = {.add, .min, .max, .and, .or, .xor, .exch, .cas, "
       ".inc, .dec}; .type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      {"atom.space.scope.op.type d, [a], b{, c}; .scope = {.cta, .cluster, .gpu, .sys}; .space "
       "= {.global, .shared, .shared::cta, .shared::cluster}; .op = {.add, .min, .max, .and, "
       ".or, .xor, .exch, .cas, .inc, .dec}; .type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, "
       ".f64}",
       K::atomic},
      {"atom{.order}{.scope}{.space}.op.type d, [a], b{, c}; .order = {.relaxed, .acquire, "
       ".release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; .space = {.global, .shared, "
       ".shared::cta, .shared::cluster}; .op = {.exch, .cas}; .type = {.b16, .b128}",
       K::atomic},
      // The form of __nv_atomic_exchange and __nv_atomic_compare_exchange of 16 bytes.
      {"atom{.space}.op{.order}{.scope}.type d, [a], b{, c}; .order = {.relaxed, .acquire, "
       ".release, .acq_rel}; .scope = {.cta, .cluster, .gpu, .sys}; .space = {.global, .shared, "
       ".shared::cta, .shared::cluster}; .op = {.exch, .cas}; .type = {.b16, .b128}",
       K::atomic},
      {"atom{.order}{.scope}{.space}.op{.noftz}{.hint}{.vec}.type d, [a], b{, policy:b64}; "
       ".order = {.relaxed, .acquire, .release, .acq_rel}; .scope = {.cta, .cluster, .gpu, "
       ".sys}; .space = {.global, .shared, .shared::cta, .shared::cluster}; .op = {.add, .min, "
       ".max}; .hint = {.L2::cache_hint}; .vec = {.v2, .v4, .v8}; .type = {.f16, .f16x2, .bf16, "
       ".bf16x2, .f32}",
       K::atomic},
      {"red{.order}{.scope}{.space}.op{.hint}.type [a], b{, policy:b64}; .order = {.relaxed, "
       ".release}; .scope = {.cta, .cluster, .gpu, .sys}; .space = {.global, .shared, "
       ".shared::cta, .shared::cluster}; .op = {.add, .min, .max, .and, .or, .xor, .inc, .dec}; "
       ".hint = {.L2::cache_hint}; .type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::atomic},
      {"red{.order}{.scope}{.space}.op{.noftz}{.hint}{.vec}.type [a], b{, policy:b64}; "
       ".order = {.relaxed, .release}; .scope = {.cta, .cluster, .gpu, .sys}; .space = "
       "{.global, .shared, .shared::cta, .shared::cluster}; .op = {.add, .min, .max}; .hint = "
       "{.L2::cache_hint}; .vec = {.v2, .v4, .v8}; .type = {.f16, .f16x2, .bf16, .bf16x2, .f32}",
       K::atomic},
      // The form in the headers of cooperative groups.
      {"red{.space}.op.order{.scope}.type [a], b; .order = {.relaxed, .release}; .scope = {.cta, "
       ".cluster, .gpu, .sys}; .space = {.global, .shared, .shared::cta, .shared::cluster}; .op = "
       "{.add, .min, .max, .and, .or, .xor, .inc, .dec}; .type = {.b32, .b64, .u32, .u64, .s32, "
       ".s64, .f32, .f64}",
       K::atomic},
      {"membar.scope; .scope = {.cta, .gl, .sys}", K::fence},
      {"fence{.order}.scope; .order = {.sc, .acq_rel, .acquire, .release}; .scope = {.cta, "
       ".cluster, .gpu, .sys}",
       K::fence},
      {"fence.order.restriction.scope; .order = {.acquire, .release}; .scope = {.cluster}; "
       ".restriction = {.sync_restrict::shared::cta, .sync_restrict::shared::cluster}",
       K::fence},
      {"fence.mbarrier_init.release.cluster", K::fence},
      // Between ways to the same memory; the simulator has only one.
      {"fence.proxy.alias", K::nothing},
      {"membar.proxy.alias", K::nothing},
      {"fence.proxy.async{.space}; .space = {.global, .shared::cta, .shared::cluster}",
       K::proxy_fence},
      {"fence.proxy.ways.order.restriction.scope; .ways = {.async::generic}; "
       ".order = {.acquire, .release}; .scope = {.cluster}; "
       ".restriction = {.sync_restrict::shared::cta, .sync_restrict::shared::cluster}",
       K::nothing},
      {"fence.proxy.ways.release.scope; .ways = {.tensormap::generic}; "
       ".scope = {.cta, .cluster, .gpu, .sys}",
       K::nothing},
      {"fence.proxy.ways.acquire.scope [a], n:u32; .ways = {.tensormap::generic}; "
       ".scope = {.cta, .cluster, .gpu, .sys}",
       K::nothing},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
