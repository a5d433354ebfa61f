#include "simulator/isa/rows/all.h"

/// Textures and surfaces, by the handle of an object: described here, executed by machine/.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

std::span<const Row> texture_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"tex.geom.v4.dtype.ctype d:dtype|p, [a, c]; "
       ".geom = {.1d, .2d, .3d, .a1d, .a2d, .cube, .acube}; .dtype = {.u32, .s32, .f32}; "
       ".ctype = {.s32, .f32}",
       K::texture},
      {"tex.level.geom.v4.dtype.ctype d:dtype|p, [a, c], lod:ctype; "
       ".geom = {.1d, .2d, .3d, .a1d, .a2d, .cube, .acube}; .dtype = {.u32, .s32, .f32}; "
       ".ctype = {.s32, .f32}",
       K::texture},
      {"tex.grad.geom.v4.dtype.f32 d:dtype|p, [a, c], dx:f32, dy:f32; "
       ".geom = {.1d, .2d, .3d, .a1d, .a2d, .cube, .acube}; .dtype = {.u32, .s32, .f32}",
       K::texture},
      {"tld4.comp.geom.v4.dtype.f32 d:dtype|p, [a, c]; .comp = {.r, .g, .b, .a}; "
       ".geom = {.2d, .a2d}; .dtype = {.u32, .s32, .f32}",
       K::texture},
      {"suld.b.geom{.cache}{.vec}.dtype.outside d:dtype, [a, c]; "
       ".geom = {.1d, .2d, .3d, .a1d, .a2d}; .cache = {.ca, .cg, .cs, .cv}; "
       ".vec = {.v2, .v4}; .dtype = {.b8, .b16, .b32, .b64}; .outside = {.trap, .clamp, .zero}",
       K::surface_load},
      {"sust.b.geom{.cache}{.vec}.dtype.outside [a, c], b:dtype; "
       ".geom = {.1d, .2d, .3d, .a1d, .a2d}; .cache = {.wb, .cg, .cs, .wt}; "
       ".vec = {.v2, .v4}; .dtype = {.b8, .b16, .b32, .b64}; .outside = {.trap, .clamp, .zero}",
       K::surface_store},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
