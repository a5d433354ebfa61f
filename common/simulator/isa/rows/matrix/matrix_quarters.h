#pragma once
#include "simulator/isa/rows/matrix/matrix_float.h"

/// Four products of 8 x 8 x 4 at once, as Volta's tensor cores had them.
///
/// The tensor cores of an H200 lack this shape: ptxas makes it from f32 arithmetic. To f32,
/// products are added one after another, each sum rounded, and C in the end; to f16, the sum of the
/// first two and C, then that of the other two, and the result is rounded to f16. An H200 gave
/// these bits for random inputs of all layouts and types.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {

/// The element of a lane's registers, of which each holds one or two.
template <class Raw>
Raw& element_of(void* const* registers, unsigned lane, unsigned element) {
  constexpr unsigned per = elements_per_register<Raw>;
  return static_cast<Raw*>(registers[element / per])[lane * per + element % per];
}

inline uint32_t sum_of_four(const float* a, const float* b, float c, F32) {
  float sum = 0;
  for (unsigned l = 0; l < 4; ++l) sum = std::fma(a[l], b[l], sum);
  return std::bit_cast<uint32_t>(canonical(sum + c));
}
inline uint16_t sum_of_four(const float* a, const float* b, float c, F16) {
  const float first = std::fma(a[1], b[1], a[0] * b[0]), second = std::fma(a[3], b[3], a[2] * b[2]);
  return round_to(static_cast<double>(first + c + second), F16{});
}

/// D = A * B + C, four times.
template <class C, class D, bool AInColumns, bool BInColumns>
void quarter_products(const Operands& o) {
  constexpr unsigned lanes = warp_size;
  auto registers = [&](int operand) { return static_cast<void* const*>(o.s[operand]); };
  float a[32][4], b[32][4];  // rows of A, columns of B
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < 4; ++i) {
      Position at = fragment::of_quarters(Role::a, AInColumns, 16, lane, i);
      a[at.row][at.column] =
          static_cast<float>(F16::value(element_of<uint16_t>(registers(0), lane, i)));
      at = fragment::of_quarters(Role::b, BInColumns, 16, lane, i);
      b[at.column][at.row] =
          static_cast<float>(F16::value(element_of<uint16_t>(registers(1), lane, i)));
    }
  // C and D may have different layouts in the same registers.
  float c[32][8];  // row, and column in its block
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      const Position at =
          fragment::of_quarters(Role::accumulator, false, 8 * sizeof(typename C::Raw), lane, i);
      c[at.row][at.column % 8] =
          static_cast<float>(C::value(element_of<typename C::Raw>(registers(2), lane, i)));
    }
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      const Position at =
          fragment::of_quarters(Role::accumulator, false, 8 * sizeof(typename D::Raw), lane, i);
      element_of<typename D::Raw>(static_cast<void* const*>(o.d), lane, i) =
          sum_of_four(a[at.row], b[at.column], c[at.row][at.column % 8], D{});
    }
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
