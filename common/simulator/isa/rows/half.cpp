#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/extremum.h"
#include "simulator/isa/rows/formats.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// Arithmetic of F, exact enough in a wider type to be rounded once more to F. Every product fits
/// in Wide.
template <class F>
using Wide = std::conditional_t<std::is_same_v<F, Half>, float, double>;

float roundable(float x) { return x; }
float roundable(double x) { return odd_float(x); }

template <class F>
struct Add {
  float operator()(float a, float b) const { return a + b; }
};
template <class F>
struct Subtract {
  float operator()(float a, float b) const { return a - b; }
};
template <class F>
struct Multiply {
  float operator()(float a, float b) const { return roundable(Wide<F>(a) * Wide<F>(b)); }
};
template <class F>
struct Fused {
  float operator()(float a, float b, float c) const {
    return roundable(odd_sum(Wide<F>(a) * Wide<F>(b), Wide<F>(c)));
  }
};

/// The last step on the rounded result.
enum class After : uint8_t { nothing, saturate, relu };

template <class F, After Then>
uint16_t finish(uint16_t bits) {
  if constexpr (Then == After::nothing) return bits;
  uint32_t magnitude = bits & F::magnitude_mask;
  bool nan = magnitude > F::infinity, negative = bits & F::sign_bit;
  if constexpr (Then == After::relu) return negative && !nan ? 0 : bits;
  constexpr uint32_t one = static_cast<uint32_t>(F::bias) << F::fraction_bits;
  return negative || nan ? 0 : magnitude > one ? one : bits;
}

/// .ftz for a result that is yet to be rounded. It flushes a result that is below the smallest
/// normal number when rounded to a normal number's digits, even if rounding as a subnormal would
/// reach that number.
template <class F>
float flush_result(float x) {
  constexpr float half_unit =
      std::bit_cast<float>(static_cast<uint32_t>(125 - F::fraction_bits) << 23);
  constexpr float smallest = std::bit_cast<float>(static_cast<uint32_t>(127 + 1 - F::bias) << 23);
  return std::fabs(x) < smallest * (1 - half_unit) ? std::copysign(0.0f, x) : x;
}
template <class F>
uint16_t flush_bits(uint16_t bits) {
  return (bits & F::infinity) == 0 ? bits & F::sign_bit : bits;
}

/// d = Op(a, b, ...) on `count` values of the format F. Not inlined: a register of one and one of
/// two values share it.
template <class Op, class F, std::size_t Arity, bool Ftz, After Then>
[[gnu::noinline]] void halves(const Operands& o, int count) {
  for (int first = 0; first < count; first += chunk) {
    float in[3][chunk] = {}, out[chunk];
    uint16_t bits[chunk];
    for (std::size_t s = 0; s < Arity; ++s) {
      std::memcpy(bits, static_cast<const uint16_t*>(o.s[s]) + first, sizeof bits);
      if constexpr (Ftz)
        for (uint16_t& value : bits) value = flush_bits<F>(value);
      widen_chunk<F>(bits, in[s]);
    }
    for (int i = 0; i < chunk; ++i) {
      if constexpr (Arity == 1)
        out[i] = Op{}(in[0][i]);
      else if constexpr (Arity == 2)
        out[i] = Op{}(in[0][i], in[1][i]);
      else
        out[i] = Op{}(in[0][i], in[1][i], in[2][i]);
      if constexpr (Ftz) out[i] = flush_result<F>(out[i]);
    }
    narrow_chunk<F>(out, bits);
    for (uint16_t& value : bits) value = finish<F, Then>(value);
    std::memcpy(static_cast<uint16_t*>(o.d) + first, bits, sizeof bits);
  }
}

template <class Op, class F, int Count, std::size_t Arity, bool Ftz, After Then>
void each_half(const Operands& o) {
  halves<Op, F, Arity, Ftz, Then>(o, warp_size * Count);
}

/// Which modifiers a format can have with an operation. A row's list decides which a program may
/// write; the functions are compiled for all that any row lists.
enum class Modifiers : uint8_t { none, ftz, ftz_sat, ftz_sat_relu, relu };

template <class Op, class F, int Count, std::size_t Arity, Modifiers Possible>
LaneFunction with_modifiers(const Variant& v) {
  constexpr bool can_ftz = Possible != Modifiers::none && Possible != Modifiers::relu;
  constexpr bool can_relu = Possible == Modifiers::relu || Possible == Modifiers::ftz_sat_relu;
  constexpr bool can_saturate =
      Possible == Modifiers::ftz_sat || Possible == Modifiers::ftz_sat_relu;
  const bool ftz = v.has("ftz"), saturate = v.has("sat"), relu = v.has("relu");
  if ((ftz && !can_ftz) || (saturate && !can_saturate) || (relu && !can_relu)) return nullptr;
  if constexpr (can_saturate)
    if (saturate)
      return ftz ? each_half<Op, F, Count, Arity, true, After::saturate>
                 : each_half<Op, F, Count, Arity, false, After::saturate>;
  if constexpr (can_relu)
    if (relu)
      return ftz ? each_half<Op, F, Count, Arity, can_ftz, After::relu>
                 : each_half<Op, F, Count, Arity, false, After::relu>;
  return ftz ? each_half<Op, F, Count, Arity, can_ftz, After::nothing>
             : each_half<Op, F, Count, Arity, false, After::nothing>;
}

/// A selector for d = Op<F>(a, ...) over f16, bf16 and pairs of them.
template <template <class> class Op, std::size_t Arity, Modifiers OfHalf = Modifiers::ftz,
          Modifiers OfBfloat = Modifiers::none>
LaneFunction select_half(const Variant& v) {
  switch (v.last_type()) {
    case Type::f16:
      return with_modifiers<Op<Half>, Half, 1, Arity, OfHalf>(v);
    case Type::f16x2:
      return with_modifiers<Op<Half>, Half, 2, Arity, OfHalf>(v);
    case Type::bf16:
      return with_modifiers<Op<Bfloat>, Bfloat, 1, Arity, OfBfloat>(v);
    default:
      return with_modifiers<Op<Bfloat>, Bfloat, 2, Arity, OfBfloat>(v);
  }
}
template <template <class> class Op>
constexpr Selector two_halves = select_half<Op, 2, Modifiers::ftz_sat>;
constexpr Selector fused_halves = select_half<Fused, 3, Modifiers::ftz_sat_relu, Modifiers::relu>;

/// For select_half: min and max are the same for every format.
template <bool Larger, bool Nan, bool XorSign>
struct Of {
  template <class F>
  using Format = Extremum<Larger, Nan, XorSign>;
};
template <bool Larger>
LaneFunction select_half_extremum(const Variant& v) {
  bool nan = v.has("NaN"), xor_sign = v.has("xorsign");
  if (xor_sign != v.has("abs")) return nullptr;
  if (xor_sign)
    return nan ? select_half<Of<Larger, true, true>::template Format, 2>(v)
               : select_half<Of<Larger, false, true>::template Format, 2>(v);
  return nan ? select_half<Of<Larger, true, false>::template Format, 2>(v)
             : select_half<Of<Larger, false, false>::template Format, 2>(v);
}

template <class F>
struct Negate {
  float operator()(float a) const { return -a; }
};
template <class F>
struct Absolute {
  float operator()(float a) const { return std::fabs(a); }
};

}  // namespace

std::span<const Row> half_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"add{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = {.rn}; .type = {.f16, .f16x2}", K::lanes,
       two_halves<Add>},
      {"add{.rnd}.type d, a, b; .rnd = {.rn}; .type = {.bf16, .bf16x2}", K::lanes, two_halves<Add>},
      {"sub{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = {.rn}; .type = {.f16, .f16x2}", K::lanes,
       two_halves<Subtract>},
      {"sub{.rnd}.type d, a, b; .rnd = {.rn}; .type = {.bf16, .bf16x2}", K::lanes,
       two_halves<Subtract>},
      {"mul{.rnd}{.ftz}{.sat}.type d, a, b; .rnd = {.rn}; .type = {.f16, .f16x2}", K::lanes,
       two_halves<Multiply>},
      {"mul{.rnd}.type d, a, b; .rnd = {.rn}; .type = {.bf16, .bf16x2}", K::lanes,
       two_halves<Multiply>},
      {"fma.rnd{.ftz}{.sat}.type d, a, b, c; .rnd = {.rn}; .type = {.f16, .f16x2}", K::lanes,
       fused_halves},
      {"fma.rnd{.ftz}.relu.type d, a, b, c; .rnd = {.rn}; .type = {.f16, .f16x2}", K::lanes,
       fused_halves},
      {"fma.rnd{.relu}.type d, a, b, c; .rnd = {.rn}; .type = {.bf16, .bf16x2}", K::lanes,
       fused_halves},
      {"min{.ftz}{.NaN}{.xorsign}{.abs}.type d, a, b; .type = {.f16, .f16x2}", K::lanes,
       select_half_extremum<false>},
      {"min{.NaN}{.xorsign}{.abs}.type d, a, b; .type = {.bf16, .bf16x2}", K::lanes,
       select_half_extremum<false>},
      {"max{.ftz}{.NaN}{.xorsign}{.abs}.type d, a, b; .type = {.f16, .f16x2}", K::lanes,
       select_half_extremum<true>},
      {"max{.NaN}{.xorsign}{.abs}.type d, a, b; .type = {.bf16, .bf16x2}", K::lanes,
       select_half_extremum<true>},
      {"neg{.ftz}.type d, a; .type = {.f16, .f16x2}", K::lanes, select_half<Negate, 1>},
      {"neg.type d, a; .type = {.bf16, .bf16x2}", K::lanes, select_half<Negate, 1>},
      {"abs{.ftz}.type d, a; .type = {.f16, .f16x2}", K::lanes, select_half<Absolute, 1>},
      {"abs.type d, a; .type = {.bf16, .bf16x2}", K::lanes, select_half<Absolute, 1>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
