#include "verification/conformance/random/program_frame.h"

#include <fmt/format.h>

#include "verification/conformance/assumptions.h"
#include "verification/conformance/random/program_input.h"
#include "verification/conformance/random/registers.h"

namespace warpwise::conformance {
namespace {

constexpr unsigned digest = 128;  ///< in a thread's record, what all of its results come to

std::size_t records_bytes(Shape shape) {
  return std::size_t{shape.threads} * shape.blocks * record_bytes;
}

std::string load_into(const std::string& name, unsigned c, Random& random) {
  constexpr unsigned kinds[3][3] = {{3, 2, 0}, {0, 1, 6}, {4, 5, 7}};
  unsigned region = kinds[c][random.below(3)];
  return entry_address(region, random) +
         fmt::format("  ld.global.b{} {}, [%b0];\n", 16u << c, name);
}

std::string declarations(Shape shape) {
  return "  .reg .b16 %h<6>, %c<2>;\n  .reg .b32 %r<8>, %a<3>, %k<3>;\n"
         "  .reg .b64 %d<6>, %b<3>;\n  .reg .pred %p<4>, %q<2>;\n"
         "  .reg .b32 %tx, %gx, %mask, %tile;\n"
         "  .reg .b64 %in, %out, %own, %grid, %digest;\n"
         "  .reg .b16 %zh;\n  .reg .b32 %zr;\n  .reg .b64 %zd;\n" +
         fmt::format(
             "  .shared .align 16 .b8 tile[{}];\n  .shared .align 8 .b8 sums[{}];\n"
             "  .local .align 16 .b8 frame[64];\n  mov.u64 %digest, 0;\n",
             shape.threads * 16, sums * 8);
}

std::string addresses(Shape shape) {
  return fmt::format(
      "  ld.param.u64 %in, [in];\n  ld.param.u64 %out, [out];\n"
      "  mov.u32 %tx, %tid.x;\n  mov.u32 %a0, %ctaid.x;\n  mad.lo.u32 %gx, %a0, {}, %tx;\n"
      "  mad.wide.u32 %own, %gx, {}, %out;\n  add.u64 %grid, %out, {};\n"
      "  mov.u32 %a1, tile;\n  mad.lo.u32 %tile, %tx, 16, %a1;\n",
      shape.threads, record_bytes, records_bytes(shape) + shape.blocks * sums * 8);
}

/// Sets %mask to the lanes that this warp has.
std::string lanes(Shape shape) {
  return fmt::format(
      "  and.b32 %a0, %tx, 0xffffffe0;\n  sub.u32 %a0, {}, %a0;\n  min.u32 %a0, %a0, 32;\n"
      "  sub.u32 %a0, 32, %a0;\n  mov.u32 %a1, 0xffffffff;\n  shr.u32 %mask, %a1, %a0;\n",
      shape.threads);
}

std::string cleared_memory() {
  std::string text = fmt::format(
      "  mov.u64 %b0, 0;\n  setp.lt.u32 %q0, %tx, {};\n  shl.b32 %a0, %tx, 3;\n"
      "  mov.u32 %a1, sums;\n  add.u32 %a0, %a0, %a1;\n  @%q0 st.shared.u64 [%a0], %b0;\n"
      "  bar.sync 0;\n",
      sums);
  for (unsigned at = 0; at < 64; at += 8)
    text += fmt::format("  st.local.u64 [frame+{}], %b0;\n", at);
  return text;
}

}  // namespace

std::size_t output_bytes(Shape shape) {
  return records_bytes(shape) + shape.blocks * sums * 8 + grid_sums * 4;
}

std::string set_up(Shape shape, Random& random) {
  std::string text = declarations(shape) + addresses(shape);
  for (unsigned c = 0; c < 3; ++c)
    text += fmt::format("  ld.global.b{} {}, [%own];\n", 16u << c, unknown_zeros[c]);
  text += lanes(shape) + cleared_memory();
  for (unsigned c = 0; c < 3; ++c)
    for (unsigned k = 0; k < registers[c]; ++k)
      text += load_into(fmt::format("%{}{}", classes[c], k), c, random);
  for (unsigned k = 0; k < predicates; ++k)
    text += fmt::format("  and.b32 %a0, %gx, {};\n  setp.ne.u32 %p{}, %a0, 0;\n", 1u << k, k);
  return text;
}

std::string write_out(Shape shape) {
  std::string text;
  unsigned at = 0;
  for (unsigned c : {1u, 2u, 0u})
    for (unsigned k = 0; k < registers[c]; ++k, at += 2u << c)
      text += fmt::format("  st.global.b{} [%own+{}], %{}{};\n", 16u << c, at, classes[c], k);
  text += fmt::format("  st.global.u64 [%own+{}], %digest;\n  mov.u32 %a0, 0;\n", digest);
  for (unsigned k = 0; k < predicates; ++k)
    text += fmt::format("  selp.u32 %a1, {}, 0, %p{};\n  or.b32 %a0, %a0, %a1;\n", 1u << k, k);
  text += fmt::format("  st.global.b32 [%own+{}], %a0;\n  bar.sync 0;\n", at);
  return text +
         fmt::format(
             "  setp.ge.u32 %q0, %tx, {0};\n  @%q0 bra $end;\n  shl.b32 %a0, %tx, 3;\n"
             "  mov.u32 %a1, sums;\n  add.u32 %a0, %a0, %a1;\n  ld.shared.u64 %b0, [%a0];\n"
             "  mov.u32 %a0, %ctaid.x;\n  mad.lo.u32 %a0, %a0, {0}, %tx;\n"
             "  mad.wide.u32 %b1, %a0, 8, %out;\n  st.global.u64 [%b1+{1}], %b0;\n$end:\n  ret;\n",
             sums, records_bytes(shape));
}

std::string entry_address(unsigned region, Random& random) {
  return fmt::format(
      "  mad.lo.u32 %a0, %gx, 37, {};\n  and.b32 %a0, %a0, {};\n  add.u32 %a0, %a0, {};\n"
      "  mad.wide.u32 %b0, %a0, 8, %in;\n",
      random.below(region_entries), region_entries - 1, region * region_entries);
}

}  // namespace warpwise::conformance
