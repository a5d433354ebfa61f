#include <bit>
#include <cstring>

#include "simulator/isa/rows/all.h"
#include "simulator/isa/rows/lanes.h"

/// The video instructions: arithmetic on a chosen byte or half of each source (vadd, vmad), or on
/// two halves (vadd2) or four bytes (vadd4) at once.
namespace warpwise::isa::WARPWISE_ISA_LEVEL {
namespace {

enum class Operation : uint8_t { add, sub, difference, min, max, average, compare, left, right };
enum class Second : uint8_t { none, add, min, max, merge };

/// The choices of an opcode and the selectors of its operands, packed into the last source.
struct Chosen {
  Operation operation;
  Second second;
  bool d_signed : 1;
  bool a_signed : 1;
  bool b_signed : 1;
  bool saturated : 1;
  bool wrapped : 1;   ///< shifts: the count's lower five bits
  uint8_t relations;  ///< vset: 1 less, 2 equal, 4 greater
  uint16_t a : 12;    ///< three bits per part: which part of both sources
  uint16_t mask : 4;  ///< the parts of d that are results
  uint16_t b : 12;
  uint16_t unused : 4;
};
static_assert(sizeof(Chosen) == 8);

/// A scalar selector as a number: where it begins in bytes, and 4 for a half, 8 for all.
constexpr uint16_t all_bytes = 8;
uint16_t scalar_selector(std::string_view text) {
  if (text.size() < 2) return all_bytes;
  auto index = static_cast<uint16_t>(text[1] - '0');
  return text[0] == 'h' ? static_cast<uint16_t>(4 + index) : index;
}
unsigned first_byte(uint16_t selector) {
  return selector >= all_bytes ? 0 : selector >= 4 ? 2u * (selector - 4u) : selector;
}
unsigned byte_count(uint16_t selector) { return selector >= all_bytes ? 4 : selector >= 4 ? 2 : 1; }

/// "b7654" with the highest part first, as three bits for each.
uint16_t part_selectors(std::string_view text, std::string_view otherwise) {
  if (text.empty()) text = otherwise;
  uint16_t packed = 0;
  for (char digit : text.substr(1)) packed = static_cast<uint16_t>(packed << 3 | (digit - '0'));
  return packed & 0xfff;
}
uint16_t part_mask(std::string_view text) {
  if (text.empty()) return 15;
  uint16_t mask = 0;
  for (char digit : text.substr(1)) mask = static_cast<uint16_t>(mask | 1u << (digit - '0'));
  return mask & 15;
}

uint8_t relations_of(std::string_view name) {
  return name == "eq"   ? 2
         : name == "ne" ? 5
         : name == "lt" ? 1
         : name == "le" ? 3
         : name == "gt" ? 4
                        : 6;
}

template <Operation Op, int Parts>
uint64_t choose(const Variant& v, std::span<const std::string_view> selectors) {
  auto selector = [&](std::size_t i) { return i < selectors.size() ? selectors[i] : ""; };
  Chosen chosen{};
  chosen.operation = Op;
  std::string_view second = v["second"];
  chosen.second = second == "add"                     ? Second::add
                  : second == "min"                   ? Second::min
                  : second == "max"                   ? Second::max
                  : Parts > 1 || !selector(0).empty() ? Second::merge
                                                      : Second::none;
  chosen.d_signed = v["dtype"] == "s32";
  chosen.a_signed = v["atype"] == "s32";
  chosen.b_signed = v["btype"] == "s32";
  // vset has no type of its own for the result.
  if (Op == Operation::compare) chosen.d_signed = chosen.a_signed;
  chosen.saturated = v.has("sat");
  chosen.wrapped = v["mode"] == "wrap";
  chosen.relations = relations_of(v["cmp"]);
  if constexpr (Parts == 1) {
    chosen.a = scalar_selector(selector(1));
    chosen.b = scalar_selector(selector(2));
    chosen.mask = scalar_selector(selector(0)) & 15;
  } else {
    chosen.a = part_selectors(selector(1), Parts == 2 ? "h10" : "b3210");
    chosen.b = part_selectors(selector(2), Parts == 2 ? "h32" : "b7654");
    chosen.mask = part_mask(selector(0));
  }
  return std::bit_cast<uint64_t>(chosen);
}

/// `bits` of `whole` from `shift` on, extended by their sign or by zeros.
int64_t extract(uint64_t whole, unsigned shift, unsigned bits, bool is_signed) {
  uint64_t value = whole >> shift << (64 - bits);
  return is_signed ? static_cast<int64_t>(value) >> (64 - bits)
                   : static_cast<int64_t>(value >> (64 - bits));
}

int64_t saturated(int64_t value, unsigned bits, bool is_signed) {
  int64_t low = is_signed ? -(int64_t{1} << (bits - 1)) : 0;
  int64_t high = (int64_t{1} << (bits - (is_signed ? 1 : 0))) - 1;
  return value < low ? low : value > high ? high : value;
}

int64_t result_of(const Chosen& chosen, int64_t a, int64_t b) {
  switch (chosen.operation) {
    case Operation::add:
      return a + b;
    case Operation::sub:
      return a - b;
    case Operation::difference:
      return a > b ? a - b : b - a;
    case Operation::min:
      return a < b ? a : b;
    case Operation::max:
      return a > b ? a : b;
    case Operation::average:
      return (a + b + (a + b >= 0 ? 1 : 0)) >> 1;
    case Operation::compare:
      return chosen.relations & (a < b ? 1 : a == b ? 2 : 4) ? 1 : 0;
    case Operation::left:
    case Operation::right:
      break;
  }
  int64_t count = chosen.wrapped ? b & 31 : b < 32 ? b : 32;
  return chosen.operation == Operation::left
             ? static_cast<int64_t>(static_cast<uint64_t>(a) << count)
             : a >> count;
}

bool shifts(const Chosen& chosen) {
  return chosen.operation == Operation::left || chosen.operation == Operation::right;
}

// sm_90 has no scalar video instructions: ptxas makes them from others. The functions below compute
// what these compute on an H200, even where the manual promises another result.

/// Into the range of 32 bits. A shift to the left was cut to 34 bits before; other results above
/// the largest unsigned one stay.
int64_t saturated_word(const Chosen& chosen, int64_t result) {
  bool left = chosen.operation == Operation::left;
  if (left) result = extract(static_cast<uint64_t>(result), 0, 34, true);
  if (chosen.d_signed || left) return saturated(result, 32, chosen.d_signed);
  return result < 0 ? 0 : result;
}

/// A result that replaces a byte or half of c. Saturation looks at the whole sum without a sign;
/// each half of the result goes to its own place.
uint32_t merged(const Chosen& chosen, int64_t result, uint32_t c) {
  uint16_t to = chosen.mask;
  unsigned bits = 8 * byte_count(to), shift = 8 * first_byte(to);
  auto value = static_cast<uint32_t>(result);
  if (chosen.saturated && shifts(chosen)) {
    value = static_cast<uint32_t>(saturated_word(chosen, result));
  } else if (chosen.saturated) {
    uint32_t largest = (1u << (bits - (chosen.d_signed ? 1 : 0))) - 1;
    value = static_cast<uint64_t>(result) < largest ? value : largest;
  }
  uint32_t replaced = ((1u << bits) - 1) << shift;
  return (c & ~replaced) | ((bits == 16 && shift ? value : value << shift) & replaced);
}

/// True where min or max gives an unsigned word: for max, at least one source is unsigned; for min,
/// both are.
bool is_unsigned_extremum(const Chosen& chosen) {
  if (chosen.saturated) return false;
  if (chosen.operation == Operation::max) return !chosen.a_signed || !chosen.b_signed;
  return chosen.operation == Operation::min && !chosen.a_signed && !chosen.b_signed;
}

/// For min and max as second operations.
bool is_less(const Chosen& chosen, int64_t result, uint32_t c) {
  Operation operation = chosen.operation;
  auto value = static_cast<uint32_t>(result);
  if (chosen.d_signed) {
    bool whole = operation == Operation::difference || operation == Operation::left ||
                 is_unsigned_extremum(chosen);
    return (whole ? result : static_cast<int32_t>(value)) < static_cast<int32_t>(c);
  }
  if (operation == Operation::difference) return result < c;
  // Where the first result might have a sign, one with the highest bit passes for the larger.
  bool extremum = operation == Operation::min || operation == Operation::max;
  bool unsigned_shift =
      operation == Operation::right && !chosen.a_signed && !chosen.b_signed && !chosen.saturated;
  bool no_sign = operation == Operation::compare || (extremum && chosen.saturated) ||
                 is_unsigned_extremum(chosen) || unsigned_shift;
  return value < c && (no_sign || value >> 31 == 0);
}

uint32_t scalar(const Chosen& chosen, uint32_t a, uint32_t b, uint32_t c) {
  int64_t result = result_of(
      chosen, extract(a, 8 * first_byte(chosen.a), 8 * byte_count(chosen.a), chosen.a_signed),
      extract(b, 8 * first_byte(chosen.b), 8 * byte_count(chosen.b), chosen.b_signed));
  if (chosen.second == Second::merge && byte_count(chosen.mask) < 4)
    return merged(chosen, result, c);
  if (chosen.saturated) result = saturated_word(chosen, result);
  auto value = static_cast<uint32_t>(result);
  switch (chosen.second) {
    case Second::add:
      return value + c;
    case Second::min:
      return is_less(chosen, result, c) ? value : c;
    case Second::max:
      return is_less(chosen, result, c) ? c : value;
    default:
      return value;
  }
}

template <int Parts>
uint32_t parallel(const Chosen& chosen, uint32_t a, uint32_t b, uint32_t c) {
  constexpr unsigned bits = 32 / Parts;
  constexpr uint32_t part_bits = (1u << bits) - 1;
  uint64_t both = static_cast<uint64_t>(b) << 32 | a;
  uint32_t d = c;
  for (unsigned part = 0; part < Parts; ++part) {
    if (!(chosen.mask >> part & 1)) continue;
    unsigned from_a = (chosen.a >> (3 * part) & 7) * bits,
             from_b = (chosen.b >> (3 * part) & 7) * bits;
    int64_t result = result_of(chosen, extract(both, from_a & 63, bits, chosen.a_signed),
                               extract(both, from_b & 63, bits, chosen.b_signed));
    if (chosen.saturated) result = saturated(result, bits, chosen.d_signed);
    auto value = static_cast<uint32_t>(result);
    if (chosen.second == Second::add)
      d += value;
    else
      d = (d & ~(part_bits << (part * bits))) | (value & part_bits) << (part * bits);
  }
  return d;
}

/// With C, the third source is c and the fourth the selectors, else the third is the selectors.
template <int Parts, bool C>
void video(const Operands& o) {
  Chosen chosen;
  std::memcpy(&chosen, o.s[C ? 3 : 2], sizeof chosen);
  auto source = [&](int i, int lane) { return static_cast<const uint32_t*>(o.s[i])[lane]; };
  for (int lane = 0; lane < warp_size; ++lane) {
    uint32_t a = source(0, lane), b = source(1, lane), c = C ? source(2, lane) : 0;
    auto& d = static_cast<uint32_t*>(o.d)[lane];
    if constexpr (Parts == 1)
      d = scalar(chosen, a, b, c);
    else
      d = parallel<Parts>(chosen, a, b, c);
  }
}

/// The choices of vmad's opcode and of the signs and selectors of its operands.
struct MultiplyAdd {
  bool a_signed, b_signed, saturated;
  bool plus_one, minus_product, minus_c;
  uint8_t a : 4, b : 4;  ///< scalar selectors
  uint8_t shift;
};
static_assert(sizeof(MultiplyAdd) == 8);

uint64_t choose_multiply_add(const Variant& v, std::span<const std::string_view> selectors) {
  auto is_minus = [&](std::size_t i) {
    return i < selectors.size() && selectors[i].starts_with('-');
  };
  auto selector = [&](std::size_t i) {
    if (i >= selectors.size()) return all_bytes;
    return scalar_selector(selectors[i].substr(is_minus(i) ? 1 : 0));
  };
  MultiplyAdd chosen{};
  chosen.a_signed = v["atype"] == "s32";
  chosen.b_signed = v["btype"] == "s32";
  chosen.saturated = v.has("sat");
  chosen.plus_one = v.has("po");
  chosen.minus_product = is_minus(1) != is_minus(2);
  chosen.minus_c = is_minus(3);
  chosen.a = selector(1) & 15;
  chosen.b = selector(2) & 15;
  chosen.shift = v["scale"] == "shr7" ? 7 : v["scale"] == "shr15" ? 15 : 0;
  return std::bit_cast<uint64_t>(chosen);
}

/// An H200's results, which are not the manual's: whole words and c are taken as signed whatever
/// their types say, and a saturated unsigned result that is below zero is 0, or all ones once it is
/// scaled.
uint32_t multiply_add(const MultiplyAdd& chosen, uint32_t a, uint32_t b, uint32_t c) {
  const bool is_signed =
      chosen.a_signed || chosen.b_signed || chosen.minus_product || chosen.minus_c;
  auto factor = [](uint32_t word, uint8_t selector, bool part_signed) {
    return extract(word, 8 * first_byte(selector), 8 * byte_count(selector),
                   part_signed || selector == all_bytes);
  };
  // The product of two words and a third one need 65 bits.
  __int128 result = static_cast<__int128>(factor(a, chosen.a, chosen.a_signed)) *
                    factor(b, chosen.b, chosen.b_signed);
  if (chosen.minus_product) result = -result;
  // The manual computes -c as ~c + 1, which maps the least number to itself.
  const uint32_t added = chosen.minus_c && !chosen.minus_product ? ~c : c;
  result += static_cast<int32_t>(added);
  if (chosen.plus_one || (chosen.minus_c && !chosen.minus_product)) result += 1;
  const auto scaled = static_cast<int64_t>(result >> chosen.shift);
  if (!chosen.saturated) return static_cast<uint32_t>(scaled);
  if (is_signed) return static_cast<uint32_t>(saturated(scaled, 32, true));
  if (scaled < 0) return chosen.shift ? ~uint32_t{0} : 0;
  return static_cast<uint32_t>(saturated(scaled, 32, false));
}

void lanes_multiply_add(const Operands& o) {
  MultiplyAdd chosen;
  std::memcpy(&chosen, o.s[3], sizeof chosen);
  auto source = [&](int i, int lane) { return static_cast<const uint32_t*>(o.s[i])[lane]; };
  for (int lane = 0; lane < warp_size; ++lane)
    static_cast<uint32_t*>(o.d)[lane] =
        multiply_add(chosen, source(0, lane), source(1, lane), source(2, lane));
}

LaneFunction select_multiply_add(const Variant&) { return lanes_multiply_add; }

/// Parallel forms either saturate or add up.
template <int Parts, bool C>
LaneFunction select_video(const Variant& v) {
  if (Parts > 1 && v.has("sat") && !v["second"].empty()) return nullptr;
  return video<Parts, C>;
}

}  // namespace

// Scalar with and without the third source, and both parallel forms, of one operation.
#define WARPWISE_VIDEO_TYPES ".dtype = {.u32, .s32}; .atype = {.u32, .s32}; .btype = {.u32, .s32}; "
#define WARPWISE_VIDEO_SCALAR(NAME, OPERATION)                                        \
  {NAME ".dtype.atype.btype{.sat} d, a, b, IMM; " WARPWISE_VIDEO_TYPES, K::lanes,     \
   select_video<1, false>, choose<OPERATION, 1>},                                     \
  {                                                                                   \
    NAME ".dtype.atype.btype{.sat}{.second} d, a, b, c, IMM; .second = {.add, .min, " \
         ".max}; " WARPWISE_VIDEO_TYPES,                                              \
        K::lanes, select_video<1, true>, choose<OPERATION, 1>                         \
  }
#define WARPWISE_VIDEO_PARALLEL(NAME, OPERATION)                                                  \
  {NAME                                                                                           \
   "2.dtype.atype.btype{.sat}{.second} d, a, b, c, IMM; .second = {.add}; " WARPWISE_VIDEO_TYPES, \
   K::lanes, select_video<2, true>, choose<OPERATION, 2>},                                        \
  {                                                                                               \
    NAME "4.dtype.atype.btype{.sat}{.second} d, a, b, c, IMM; .second = "                         \
         "{.add}; " WARPWISE_VIDEO_TYPES,                                                         \
        K::lanes, select_video<4, true>, choose<OPERATION, 4>                                     \
  }

std::span<const Row> video_rows() {
  using K = Kind;
  using enum Operation;
  static constexpr Row rows[] = {
      WARPWISE_VIDEO_SCALAR("vadd", add),
      WARPWISE_VIDEO_SCALAR("vsub", sub),
      WARPWISE_VIDEO_SCALAR("vabsdiff", difference),
      WARPWISE_VIDEO_SCALAR("vmin", min),
      WARPWISE_VIDEO_SCALAR("vmax", max),
      WARPWISE_VIDEO_PARALLEL("vadd", add),
      WARPWISE_VIDEO_PARALLEL("vsub", sub),
      WARPWISE_VIDEO_PARALLEL("vabsdiff", difference),
      WARPWISE_VIDEO_PARALLEL("vmin", min),
      WARPWISE_VIDEO_PARALLEL("vmax", max),
      WARPWISE_VIDEO_PARALLEL("vavrg", average),
      {"vmad.dtype.atype.btype{.po}{.sat}{.scale} d, a, b, c, IMM; .scale = {.shr7, "
       ".shr15}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_multiply_add, choose_multiply_add},
      {"vset.atype.btype.cmp d:u32, a, b, IMM; .cmp = {.eq, .ne, .lt, .le, .gt, "
       ".ge}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, false>, choose<compare, 1>},
      {"vset.atype.btype.cmp{.second} d:u32, a, b, c, IMM; "
       ".cmp = {.eq, .ne, .lt, .le, .gt, .ge}; .second = {.add, .min, .max}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, true>, choose<compare, 1>},
      {"vset2.atype.btype.cmp{.second} d:u32, a, b, c, IMM; "
       ".cmp = {.eq, .ne, .lt, .le, .gt, .ge}; .second = {.add}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<2, true>, choose<compare, 2>},
      {"vset4.atype.btype.cmp{.second} d:u32, a, b, c, IMM; "
       ".cmp = {.eq, .ne, .lt, .le, .gt, .ge}; .second = {.add}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<4, true>, choose<compare, 4>},
      {"vshl.dtype.atype.u32{.sat}.mode d:u32, a, b, IMM; .mode = {.clamp, "
       ".wrap}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, false>, choose<left, 1>},
      {"vshl.dtype.atype.u32{.sat}.mode{.second} d:u32, a, b, c, IMM; .mode = {.clamp, .wrap}; "
       ".second = {.add, .min, .max}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, true>, choose<left, 1>},
      {"vshr.dtype.atype.u32{.sat}.mode d:u32, a, b, IMM; .mode = {.clamp, "
       ".wrap}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, false>, choose<right, 1>},
      {"vshr.dtype.atype.u32{.sat}.mode{.second} d:u32, a, b, c, IMM; .mode = {.clamp, .wrap}; "
       ".second = {.add, .min, .max}; " WARPWISE_VIDEO_TYPES,
       K::lanes, select_video<1, true>, choose<right, 1>},
  };
  return rows;
}

}  // namespace warpwise::isa::WARPWISE_ISA_LEVEL
