#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/formats.h"

/// Conversions of two values at once, and to the formats of 8 bits and less.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

/// The width of one value in a packed register: e2m1 takes half a byte, the other narrow ones one.
template <class F>
constexpr int packed_bits = F::width <= 4   ? 4
                            : F::width <= 8 ? 8
                                            : 16;

template <class F>
using Packed = std::conditional_t<packed_bits<F> == 4, uint8_t,
                                  std::conditional_t<packed_bits<F> == 8, uint16_t, uint32_t>>;

template <class F, Rounding Mode, bool Saturate, bool Relu>
uint32_t narrow_one(float x) {
  return narrow<F, Mode, Saturate>(Relu ? cut_negative(x) : x);
}

/// The first source goes to the upper half.
template <class F, Rounding Mode, bool Saturate, bool Relu>
struct Pack {
  uint32_t operator()(float a, float b) const {
    return narrow_one<F, Mode, Saturate, Relu>(a) << packed_bits<F> |
           narrow_one<F, Mode, Saturate, Relu>(b);
  }
  /// From a pair of f16.
  uint32_t operator()(uint32_t a) const {
    return (*this)(widen<Half>(a >> 16), widen<Half>(a & 0xffff));
  }
};

/// Pairs of f16 from pairs of a narrower format; exact.
template <class F, bool Relu>
struct Unpack {
  uint32_t operator()(Packed<F> a) const {
    constexpr uint32_t mask = (1u << packed_bits<F>)-1;
    return Pack<Half, Rounding::rn, false, Relu>{}(widen<F>(a >> packed_bits<F>),
                                                   widen<F>(a & mask));
  }
};

template <class F, Rounding Mode>
LaneFunction pack(const Variant& v) {
  bool relu = v.has("relu");
  if (v.has("satfinite"))
    return relu ? each_lane<Pack<F, Mode, true, true>, Packed<F>, float, float>
                : each_lane<Pack<F, Mode, true, false>, Packed<F>, float, float>;
  return relu ? each_lane<Pack<F, Mode, false, true>, Packed<F>, float, float>
              : each_lane<Pack<F, Mode, false, false>, Packed<F>, float, float>;
}

LaneFunction select_pack(const Variant& v) {
  bool down = v["rnd"] == "rz";
  if (v["dtype"] == "f16x2")
    return down ? pack<Half, Rounding::rz>(v) : pack<Half, Rounding::rn>(v);
  return down ? pack<Bfloat, Rounding::rz>(v) : pack<Bfloat, Rounding::rn>(v);
}

template <class Make>
LaneFunction with_narrow_format(std::string_view name, Make make) {
  if (name == "e4m3x2") return make.template operator()<E4m3>();
  if (name == "e5m2x2") return make.template operator()<E5m2>();
  if (name == "e2m3x2") return make.template operator()<E2m3>();
  if (name == "e3m2x2") return make.template operator()<E3m2>();
  return make.template operator()<E2m1>();
}

LaneFunction select_pack_narrow(const Variant& v) {
  return with_narrow_format(v["dtype"],
                            [&]<class F>() -> LaneFunction { return pack<F, Rounding::rn>(v); });
}
LaneFunction select_repack_narrow(const Variant& v) {
  return with_narrow_format(v["dtype"], [&]<class F>() -> LaneFunction {
    return v.has("relu") ? each_lane<Pack<F, Rounding::rn, true, true>, Packed<F>, uint32_t>
                         : each_lane<Pack<F, Rounding::rn, true, false>, Packed<F>, uint32_t>;
  });
}
LaneFunction select_unpack_narrow(const Variant& v) {
  return with_narrow_format(v["atype"], [&]<class F>() -> LaneFunction {
    return v.has("relu") ? each_lane<Unpack<F, true>, uint32_t, Packed<F>>
                         : each_lane<Unpack<F, false>, uint32_t, Packed<F>>;
  });
}

/// A power of two: the exponent of |x|, rounded towards zero or up.
template <bool Up, bool Saturate>
uint32_t scale_of(float x) {
  uint32_t magnitude = std::bit_cast<uint32_t>(x) & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return 0xff;
  if (magnitude == 0x7f800000u) return Saturate ? 0xfe : 0xff;
  uint32_t exponent = magnitude >> 23;
  // 2^-127 is half the smallest normal float: its fraction is 0x400000 at exponent 0.
  uint32_t exact = exponent == 0 ? 0x400000u : 0u;
  bool up = Up && (magnitude & 0x7fffffu) > exact;
  uint32_t result = exponent + (up ? 1 : 0);
  return Saturate && result > 0xfe ? 0xfe : result;
}

template <bool Up, bool Saturate>
struct PackScales {
  uint16_t operator()(float a, float b) const {
    return static_cast<uint16_t>(scale_of<Up, Saturate>(a) << 8 | scale_of<Up, Saturate>(b));
  }
  uint16_t operator()(uint32_t a) const {
    return (*this)(widen<Bfloat>(a >> 16), widen<Bfloat>(a & 0xffff));
  }
};
template <class... A>
LaneFunction select_scales(const Variant& v) {
  bool up = v["rnd"] == "rp";
  if (v.has("satfinite"))
    return up ? each_lane<PackScales<true, true>, uint16_t, A...>
              : each_lane<PackScales<false, true>, uint16_t, A...>;
  return up ? each_lane<PackScales<true, false>, uint16_t, A...>
            : each_lane<PackScales<false, false>, uint16_t, A...>;
}

constexpr auto unpack_scales = [](uint16_t a) {
  auto one = [](uint32_t scale) -> uint32_t {
    return scale == 0xff ? Bfloat::not_a_number : scale == 0 ? 0x40 : scale << 7;
  };
  return one(a >> 8) << 16 | one(a & 0xff);
};

/// To tf32 in a 32-bit register, whose 13 lower bits are zero.
template <Rounding Mode, bool Saturate, bool Relu>
struct ToTf32 {
  uint32_t operator()(float a) const { return narrow_one<Tf32, Mode, Saturate, Relu>(a) << 13; }
};
template <Rounding Mode>
LaneFunction to_tf32(const Variant& v) {
  bool relu = v.has("relu");
  if (v.has("satfinite"))
    return relu ? each_lane<ToTf32<Mode, true, true>, uint32_t, float>
                : each_lane<ToTf32<Mode, true, false>, uint32_t, float>;
  return relu ? each_lane<ToTf32<Mode, false, true>, uint32_t, float>
              : each_lane<ToTf32<Mode, false, false>, uint32_t, float>;
}
LaneFunction select_tf32(const Variant& v) {
  return v["rnd"] == "rz" ? to_tf32<Rounding::rz>(v) : to_tf32<Rounding::rn>(v);
}

/// .rna is three integer instructions in the compiled code. A value that is not finite is only cut,
/// and with .satfinite lowered by one unit, so a NaN may lose the bits that made it one.
template <bool Saturate>
struct AwayFromZero {
  uint32_t operator()(uint32_t a) const {
    auto is_finite = [](uint32_t bits) { return (bits & 0x7fffffffu) < 0x7f800000u; };
    uint32_t result = (is_finite(a) ? a + 0x1000 : a) & 0xffffe000u;
    return Saturate && !is_finite(result) ? result - 0x2000 : result;
  }
};
LaneFunction select_tf32_away(const Variant& v) {
  return v.has("satfinite") ? each_lane<AwayFromZero<true>, uint32_t, uint32_t>
                            : each_lane<AwayFromZero<false>, uint32_t, uint32_t>;
}

/// cvt.pack: b is lowest, then a, then as much of c as fits above.
template <int Bits, bool Signed>
struct PackIntegers {
  static uint32_t cut(int32_t value) {
    constexpr int32_t low = Signed ? -(1 << (Bits - 1)) : 0, high = (1 << (Bits - Signed)) - 1;
    return static_cast<uint32_t>(value < low    ? low
                                 : value > high ? high
                                                : value) &
           ((1u << Bits) - 1);
  }
  uint32_t operator()(int32_t a, int32_t b) const { return cut(a) << Bits | cut(b); }
  uint32_t operator()(int32_t a, int32_t b, uint32_t c) const {
    return c << 2 * Bits | (*this)(a, b);
  }
};
template <int Bits, bool Signed>
LaneFunction pack_above() {
  return each_lane<PackIntegers<Bits, Signed>, uint32_t, int32_t, int32_t, uint32_t>;
}
LaneFunction select_pack_integers(const Variant& v) {
  std::string_view to = v["to"];
  return to == "s16"   ? each_lane<PackIntegers<16, true>, uint32_t, int32_t, int32_t>
         : to == "u16" ? each_lane<PackIntegers<16, false>, uint32_t, int32_t, int32_t>
         : to == "s8"  ? pack_above<8, true>()
         : to == "u8"  ? pack_above<8, false>()
         : to == "s4"  ? pack_above<4, true>()
         : to == "u4"  ? pack_above<4, false>()
         : to == "s2"  ? pack_above<2, true>()
                       : pack_above<2, false>();
}

}  // namespace

std::span<const Row> convert_packed_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"cvt.rnd{.relu}{.satfinite}.dtype.f32 d:dtype, a, b; .rnd = {.rn, .rz}; "
       ".dtype = {.f16x2, .bf16x2}",
       K::lanes, select_pack},
      {"cvt.rn.satfinite{.relu}.dtype.f32 d:dtype, a, b; "
       ".dtype = {.e4m3x2, .e5m2x2, .e2m3x2, .e3m2x2, .e2m1x2}",
       K::lanes, select_pack_narrow},
      {"cvt.rn.satfinite{.relu}.dtype.f16x2 d:dtype, a; .dtype = {.e4m3x2, .e5m2x2}", K::lanes,
       select_repack_narrow},
      {"cvt.rn{.relu}.f16x2.atype d:f16x2, a; "
       ".atype = {.e4m3x2, .e5m2x2, .e2m3x2, .e3m2x2, .e2m1x2}",
       K::lanes, select_unpack_narrow},
      {"cvt.rnd{.satfinite}.ue8m0x2.f32 d:ue8m0x2, a, b; .rnd = {.rz, .rp}", K::lanes,
       select_scales<float, float>},
      {"cvt.rnd{.satfinite}.ue8m0x2.bf16x2 d:ue8m0x2, a; .rnd = {.rz, .rp}", K::lanes,
       select_scales<uint32_t>},
      {"cvt.rn.bf16x2.ue8m0x2 d:bf16x2, a", K::lanes,
       [](const Variant&) -> LaneFunction {
         return each_lane<decltype(unpack_scales), uint32_t, uint16_t>;
       }},
      {"cvt.rnd{.relu}{.satfinite}.tf32.f32 d:tf32, a; .rnd = {.rn, .rz}", K::lanes, select_tf32},
      {"cvt.rnd{.satfinite}{.relu}.tf32.f32 d:tf32, a; .rnd = {.rn, .rz}", K::lanes, select_tf32},
      {"cvt.pack.sat.to.s32 d:b32, a:s32, b:s32; .to = {.u16, .s16}", K::lanes,
       select_pack_integers},
      {"cvt.pack.sat.to.s32.b32 d:b32, a:s32, b:s32, c:b32; "
       ".to = {.u2, .s2, .u4, .s4, .u8, .s8}",
       K::lanes, select_pack_integers},
      {"cvt.rna{.satfinite}.tf32.f32 d:tf32, a", K::lanes, select_tf32_away},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
