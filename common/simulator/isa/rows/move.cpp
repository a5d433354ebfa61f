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

template <class Part, class Whole, int Index>
LaneFunction extract_or_insert(bool insert) {
  if (insert) return each_lane<Insert<Part, Whole, Index>, Whole, Whole, Part>;
  return each_lane<Extract<Part, Whole, Index>, Part, Whole>;
}

template <bool Into>
LaneFunction select_part(const Variant& v) {
  std::string_view index = v["index"];
  if (v.type("part") == Type::b32)
    return index == "0" ? extract_or_insert<uint32_t, uint64_t, 0>(Into)
                        : extract_or_insert<uint32_t, uint64_t, 1>(Into);
  if (v.type() == Type::b32)
    return index == "0" ? extract_or_insert<uint16_t, uint32_t, 0>(Into)
                        : extract_or_insert<uint16_t, uint32_t, 1>(Into);
  if (index == "0") return extract_or_insert<uint16_t, uint64_t, 0>(Into);
  if (index == "1") return extract_or_insert<uint16_t, uint64_t, 1>(Into);
  if (index == "2") return extract_or_insert<uint16_t, uint64_t, 2>(Into);
  return extract_or_insert<uint16_t, uint64_t, 3>(Into);
}

}  // namespace

std::span<const Row> move_rows() {
  using K = Kind;
  static constexpr Row rows[] = {
      {"mov.type d, a; "
       ".type = {.pred, .b16, .b32, .b64, .u16, .u32, .u64, .s16, .s32, .s64, .f32, .f64}",
       K::lanes, select_move},
      // What "mov.b64 {lo, hi}, a" and "mov.b64 d, {lo, hi}" become, a part at a time.
      {"_extract.index.part.type d:part, a; .index = {.0, .1, .2, .3}; .part = {.b16, .b32}; "
       ".type = {.b32, .b64}",
       K::lanes, select_part<false>},
      {"_insert.index.part.type d, a, b:part; .index = {.0, .1, .2, .3}; .part = {.b16, .b32}; "
       ".type = {.b32, .b64}",
       K::lanes, select_part<true>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
