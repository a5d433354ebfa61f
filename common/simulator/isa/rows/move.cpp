#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

constexpr auto same = [](auto a) { return a; };
void move_mask(const Operands& o) { mask_of(o.d) = mask_of(o.s[0]); }

LaneFunction select_move(const Variant& v) {
  switch (size_bytes(v.type())) {
    case 0:
      return move_mask;
    case 2:
      return each_lane<decltype(same), uint16_t, uint16_t>;
    case 4:
      return each_lane<decltype(same), uint32_t, uint32_t>;
    case 8:
      return each_lane<decltype(same), uint64_t, uint64_t>;
    case 16:
      return each_lane<decltype(same), unsigned __int128, unsigned __int128>;
    default:
      return nullptr;
  }
}

/// Part `Index` of a wider register, and a wider register with that part replaced.
template <class Part, class Whole, int Index>
struct Extract {
  Part operator()(Whole whole) const {
    return static_cast<Part>(whole >> (Index * 8 * sizeof(Part)));
  }
};
template <class Part, class Whole, int Index>
struct Insert {
  Whole operator()(Whole whole, Part part) const {
    constexpr int shift = Index * 8 * sizeof(Part);
    return (whole & ~(static_cast<Whole>(static_cast<Part>(~Part(0))) << shift)) |
           static_cast<Whole>(part) << shift;
  }
};

/// The bits of a value that is so many bits wide, and above them another.
template <int Bits>
struct Join {
  uint32_t operator()(uint32_t low, uint32_t high) const { return low | high << Bits; }
};
LaneFunction select_join(const Variant& v) {
  return v["bits"] == "8" ? each_lane<Join<8>, uint32_t, uint32_t, uint32_t>
                          : each_lane<Join<16>, uint32_t, uint32_t, uint32_t>;
}

template <bool Into, class Part, class Whole, int Index>
LaneFunction part_at() {
  if constexpr (Index * sizeof(Part) >= sizeof(Whole))
    return nullptr;
  else if constexpr (Into)
    return each_lane<Insert<Part, Whole, Index>, Whole, Whole, Part>;
  else
    return each_lane<Extract<Part, Whole, Index>, Part, Whole>;
}
template <bool Into, class Part, class Whole>
LaneFunction part_of(std::string_view index) {
  if (index == "0") return part_at<Into, Part, Whole, 0>();
  if (index == "1") return part_at<Into, Part, Whole, 1>();
  if (index == "2") return part_at<Into, Part, Whole, 2>();
  return part_at<Into, Part, Whole, 3>();
}

template <bool Into>
LaneFunction select_part(const Variant& v) {
  std::string_view index = v["index"];
  switch (10 * size_bytes(v.type()) / size_bytes(v.type("part")) + size_bytes(v.type("part"))) {
    case 21:
      return part_of<Into, uint8_t, uint16_t>(index);
    case 41:
      return part_of<Into, uint8_t, uint32_t>(index);
    case 22:
      return part_of<Into, uint16_t, uint32_t>(index);
    case 42:
      return part_of<Into, uint16_t, uint64_t>(index);
    case 24:
      return part_of<Into, uint32_t, uint64_t>(index);
    case 28:
      return part_of<Into, uint64_t, unsigned __int128>(index);
    default:
      return nullptr;
  }
}

}  // namespace

std::span<const Row> move_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"mov.type d, a; "
       ".type = {.pred, .b16, .b32, .b64, .b128, .u16, .u32, .u64, .s16, .s32, .s64, .f32, "
       ".f64}",
       K::lanes, select_move},
      // The steps of "mov.b64 {lo, hi}, a" and "mov.b64 d, {lo, hi}", one part each.
      {"_extract.index.part.type d:part, a; .index = {.0, .1, .2, .3}; "
       ".part = {.b8, .b16, .b32, .b64}; .type = {.b16, .b32, .b64, .b128}",
       K::lanes, select_part<false>},
      {"_insert.index.part.type d, a, b:part; .index = {.0, .1, .2, .3}; "
       ".part = {.b8, .b16, .b32, .b64}; .type = {.b16, .b32, .b64, .b128}",
       K::lanes, select_part<true>},
      {"_join.bits.b32 d, a, b; .bits = {.8, .16}", K::lanes, select_join},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
