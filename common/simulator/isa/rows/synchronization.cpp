#include "simulator/isa/rows/all.h"

/// Instructions in which threads meet: warps, blocks and clusters.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> synchronization_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"bar{.cta}.sync a:u32{, b:u32}", K::barrier},
      {"bar{.cta}.arrive a:u32, b:u32", K::barrier},
      {"bar{.cta}.red.op.u32 d, a:u32, c:pred; .op = {.popc}", K::barrier},
      {"bar{.cta}.red.op.u32 d, a:u32, b:u32, c:pred; .op = {.popc}", K::barrier},
      {"bar{.cta}.red.op.pred d, a:u32, c:pred; .op = {.and, .or}", K::barrier},
      {"bar{.cta}.red.op.pred d, a:u32, b:u32, c:pred; .op = {.and, .or}", K::barrier},
      {"barrier{.cta}.sync{.aligned} a:u32{, b:u32}", K::barrier},
      {"barrier{.cta}.arrive{.aligned} a:u32, b:u32", K::barrier},
      {"barrier{.cta}.red.op{.aligned}.u32 d, a:u32, c:pred; .op = {.popc}", K::barrier},
      {"barrier{.cta}.red.op{.aligned}.u32 d, a:u32, b:u32, c:pred; .op = {.popc}", K::barrier},
      {"barrier{.cta}.red.op{.aligned}.pred d, a:u32, c:pred; .op = {.and, .or}", K::barrier},
      {"barrier{.cta}.red.op{.aligned}.pred d, a:u32, b:u32, c:pred; .op = {.and, .or}",
       K::barrier},
      {"bar.warp.sync m:u32", K::warp_barrier},
      {"shfl.sync.mode.b32 d|p, a, b:u32, c:u32, m:u32; .mode = {.up, .down, .bfly, .idx}",
       K::shuffle},
      {"vote.sync.mode.pred d:pred, a:pred, m:u32; .mode = {.all, .any, .uni}", K::vote},
      {"vote.sync.mode.b32 d, a:pred, m:u32; .mode = {.ballot}", K::vote},
      // ptxas takes these words in either order, and CUB writes them so.
      {"vote.mode.sync.pred d:pred, a:pred, m:u32; .mode = {.all, .any, .uni}", K::vote},
      {"vote.mode.sync.b32 d, a:pred, m:u32; .mode = {.ballot}", K::vote},
      {"match.any.sync.type d:b32, a, m:u32; .type = {.b32, .b64}", K::match_any},
      {"match.all.sync.type d:b32|p:pred, a, m:u32; .type = {.b32, .b64}", K::match_all},
      {"redux.sync.op.type d, a, m:u32; .op = {.add, .min, .max}; .type = {.u32, .s32}", K::reduce},
      {"redux.sync.op.b32 d, a, m:u32; .op = {.and, .or, .xor}", K::reduce},
      {"elect.sync d:b32|p:pred, m:u32", K::elect},
      {"barrier.cluster.arrive{.order}{.aligned}; .order = {.release, .relaxed}",
       K::cluster_arrive},
      {"barrier.cluster.wait{.order}{.aligned}; .order = {.acquire}", K::cluster_wait},
      {"mapa.type d, a, b:u32; .type = {.u32, .u64}", K::map_shared},
      {"mapa.space.type d, a, b:u32; .space = {.shared::cluster}; .type = {.u32, .u64}",
       K::map_shared},
      {"getctarank.type d:u32, a; .type = {.u32, .u64}", K::shared_rank},
      {"getctarank.space.type d:u32, a; .space = {.shared::cluster}; .type = {.u32, .u64}",
       K::shared_rank},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
