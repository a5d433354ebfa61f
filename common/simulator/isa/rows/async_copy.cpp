#include "simulator/isa/rows/all.h"

/// Asynchronous copies, and the mbarriers that signal their end.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> async_copy_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"cp.async.cache.space.global{.hint}{.prefetch} [a], [b], immn:u32{, limit:any}"
       "{, policy:b64}; .cache = {.ca, .cg}; .space = {.shared, .shared::cta}; "
       ".hint = {.L2::cache_hint}; .prefetch = {.L2::64B, .L2::128B, .L2::256B}",
       K::copy_async},
      {"cp.async.commit_group", K::commit_copies},
      {"cp.async.wait_group immn:u32", K::wait_copies},
      {"cp.async.wait_all", K::wait_copies},
      {"cp.async.mbarrier.arrive{.noinc}{.space}.b64 [a]; .space = {.shared, .shared::cta}",
       K::mbarrier_arrive},
      {"cp.async.bulk.dst.src.done{.multicast}{.hint} [a], [b], n:u32, [bar]"
       "{, blocks:u16}{, policy:b64}; .dst = {.shared::cta, .shared::cluster}; "
       ".src = {.global, .shared::cta}; .done = {.mbarrier::complete_tx::bytes}; "
       ".multicast = {.multicast::cluster}; .hint = {.L2::cache_hint}",
       K::copy_bulk},
      {"cp.async.bulk.dst.src.done{.hint} [a], [b], n:u32{, policy:b64}; "
       ".dst = {.global}; .src = {.shared::cta}; .done = {.bulk_group}; "
       ".hint = {.L2::cache_hint}",
       K::copy_bulk},
      {"cp.reduce.async.bulk.dst.src.done.op.type [a], [b], n:u32, [bar]; "
       ".dst = {.shared::cluster}; .src = {.shared::cta}; "
       ".done = {.mbarrier::complete_tx::bytes}; "
       ".op = {.and, .or, .xor, .add, .inc, .dec, .min, .max}; "
       ".type = {.b32, .u32, .s32, .u64, .s64}",
       K::copy_bulk},
      {"cp.reduce.async.bulk.dst.src.done{.hint}.op{.noftz}.type [a], [b], n:u32{, policy:b64}; "
       ".dst = {.global}; .src = {.shared::cta}; .done = {.bulk_group}; "
       ".hint = {.L2::cache_hint}; .op = {.and, .or, .xor, .add, .inc, .dec, .min, .max}; "
       ".type = {.b32, .u32, .s32, .b64, .u64, .s64, .f16, .bf16, .f32, .f64}",
       K::copy_bulk},
      {"cp.async.bulk.commit_group", K::commit_bulk},
      {"cp.async.bulk.wait_group{.read} immn:u32", K::wait_bulk},
      {"cp.async.bulk.prefetch.L2.global{.hint} [a], n:u32{, policy:b64}; "
       ".hint = {.L2::cache_hint}",
       K::nothing},
      {"cp.async.bulk.tensor.dim.dst.src{.mode}.done{.multicast}{.hint} [a], [b, c], [bar]"
       "{, blocks:u16}{, policy:b64}; .dim = {.1d, .2d, .3d, .4d, .5d}; "
       ".dst = {.shared::cta, .shared::cluster}; .src = {.global}; .mode = {.tile}; "
       ".done = {.mbarrier::complete_tx::bytes}; .multicast = {.multicast::cluster}; "
       ".hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"cp.async.bulk.tensor.dim.dst.src.mode.done{.multicast}{.hint} [a], [b, c], [bar], o:u16"
       "{, blocks:u16}{, policy:b64}; .dim = {.3d, .4d, .5d}; "
       ".dst = {.shared::cta, .shared::cluster}; .src = {.global}; .mode = {.im2col}; "
       ".done = {.mbarrier::complete_tx::bytes}; .multicast = {.multicast::cluster}; "
       ".hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"cp.async.bulk.tensor.dim.dst.src{.mode}.done{.hint} [a, c], [b]{, policy:b64}; "
       ".dim = {.1d, .2d, .3d, .4d, .5d}; .dst = {.global}; .src = {.shared::cta}; "
       ".mode = {.tile}; .done = {.bulk_group}; .hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"cp.reduce.async.bulk.tensor.dim.dst.src.op{.mode}.done{.hint} [a, c], [b]{, policy:b64}; "
       ".dim = {.1d, .2d, .3d, .4d, .5d}; .dst = {.global}; .src = {.shared::cta}; "
       ".op = {.add, .min, .max, .inc, .dec, .and, .or, .xor}; .mode = {.tile}; "
       ".done = {.bulk_group}; .hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"cp.async.bulk.prefetch.tensor.dim.L2.src{.mode}{.hint} [a, c]{, policy:b64}; "
       ".dim = {.1d, .2d, .3d, .4d, .5d}; .src = {.global}; .mode = {.tile}; "
       ".hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"cp.async.bulk.prefetch.tensor.dim.L2.src.mode{.hint} [a, c], o:u16{, policy:b64}; "
       ".dim = {.3d, .4d, .5d}; .src = {.global}; .mode = {.im2col}; .hint = {.L2::cache_hint}",
       K::copy_tensor},
      {"prefetch{.space}.tensormap [a]; .space = {.const, .param}", K::nothing},
      {"st.async{.weak}{.space}{.done}{.vec}.type [a], b, [bar]; "
       ".space = {.shared::cluster}; .done = {.mbarrier::complete_tx::bytes}; .vec = {.v2, .v4}; "
       ".type = {.b32, .b64, .u32, .u64, .s32, .s64, .f32, .f64}",
       K::store_async},
      {"red.async{.order}{.scope}{.space}{.done}.op.type [a], b, [bar]; .order = {.relaxed}; "
       ".scope = {.cluster}; .space = {.shared::cluster}; "
       ".done = {.mbarrier::complete_tx::bytes}; "
       ".op = {.inc, .dec, .min, .max, .add, .and, .or, .xor}; .type = {.u32, .s32, .b32, .u64}",
       K::reduce_async},
      {"mbarrier.how{.space}.b64 [a]{, n:u32}; .how = {.init, .inval}; "
       ".space = {.shared, .shared::cta}",
       K::mbarrier_arrive},
      {"mbarrier.how{.noComplete}{.order}{.scope}{.space}.b64 d, [a]{, n:u32}; "
       ".how = {.arrive, .arrive_drop}; .order = {.release, .relaxed}; .scope = {.cta, .cluster}; "
       ".space = {.shared, .shared::cta, .shared::cluster}",
       K::mbarrier_arrive},
      {"mbarrier.how.expect_tx{.order}{.scope}{.space}.b64 d, [a], n:u32; "
       ".how = {.arrive, .arrive_drop}; .order = {.release, .relaxed}; .scope = {.cta, .cluster}; "
       ".space = {.shared, .shared::cta, .shared::cluster}",
       K::mbarrier_arrive},
      {"mbarrier.how{.order}{.scope}{.space}.b64 [a], n:u32; "
       ".how = {.expect_tx, .complete_tx}; .order = {.relaxed}; .scope = {.cta, .cluster}; "
       ".space = {.shared, .shared::cta, .shared::cluster}",
       K::mbarrier_arrive},
      {"mbarrier.how{.order}{.scope}{.space}.b64 p:pred, [a], s:b64{, time:u32}; "
       ".how = {.test_wait, .try_wait}; .order = {.acquire, .relaxed}; .scope = {.cta, .cluster}; "
       ".space = {.shared, .shared::cta}",
       K::mbarrier_test},
      {"mbarrier.how.parity{.order}{.scope}{.space}.b64 p:pred, [a], s:u32{, time:u32}; "
       ".how = {.test_wait, .try_wait}; .order = {.acquire, .relaxed}; .scope = {.cta, .cluster}; "
       ".space = {.shared, .shared::cta}",
       K::mbarrier_test},
      {"mbarrier.pending_count.b64 d:u32, s:b64", K::mbarrier_pending},
      // The policy's bits mean something to the hardware's cache only.
      {"createpolicy.fractional.primary{.secondary}.b64 d{, fraction:f32}; "
       ".primary = {.L2::evict_last, .L2::evict_normal, .L2::evict_first, .L2::evict_unchanged}; "
       ".secondary = {.L2::evict_first, .L2::evict_unchanged}",
       K::cache_policy},
      {"createpolicy.range{.space}.primary{.secondary}.b64 d, [a], n:u32, whole:u32; "
       ".space = {.global}; "
       ".primary = {.L2::evict_last, .L2::evict_normal, .L2::evict_first, .L2::evict_unchanged}; "
       ".secondary = {.L2::evict_first, .L2::evict_unchanged}",
       K::cache_policy},
      {"createpolicy.cvt.L2.b64 d, a", K::cache_policy},
      {"discard{.space}.level [a], n:u32; .space = {.global}; .level = {.L2}", K::nothing},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
