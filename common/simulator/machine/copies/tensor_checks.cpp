#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "simulator/machine/copies/tensor_box.h"
#include "simulator/machine/copies/tensor_copies.h"

/// Tensor maps that are read, and copies that the hardware refuses.
namespace warpwise::machine {
namespace {

using code::AtomicOp;
using Element = TensorMap::Element;
using What = code::TensorCopy::What;

constexpr const char* kind_of_refusal = "invalid-tensor-copy";

/// In the order of TensorMap::Element, as cuda.h names them.
constexpr std::string_view element_names[] = {
    "UINT8",   "UINT16",  "UINT32",   "INT32",       "UINT64",   "INT64",        "FLOAT16",
    "FLOAT32", "FLOAT64", "BFLOAT16", "FLOAT32_FTZ", "TFLOAT32", "TFLOAT32_FTZ",
};

const char* tensor_verb(What what) {
  switch (what) {
    case What::load:
      return "loads";
    case What::store:
      return "stores";
    case What::reduce:
      return "reduces into";
    default:
      return "prefetches";
  }
}

/// Whether the hardware updates elements of the type so (measured on an H100).
bool can_update(AtomicOp op, Element element) {
  const bool is_add = op == AtomicOp::add;
  const bool is_extreme = op == AtomicOp::min || op == AtomicOp::max;
  const bool is_counting = op == AtomicOp::increment || op == AtomicOp::decrement;
  switch (element) {
    case Element::u8:
    case Element::u16:
      return false;
    case Element::u32:
      return true;
    case Element::s32:
    case Element::u64:
      return !is_counting;
    case Element::s64:
      return is_extreme;
    case Element::f16:
    case Element::bf16:
      return is_add || is_extreme;
    default:
      return is_add;
  }
}

std::string coordinates_text(const TensorBox::Position& at, unsigned rank) {
  std::string text;
  for (unsigned i = 0; i < rank; ++i) text += (i ? ", " : "") + std::to_string(at[i]);
  return "(" + text + ")";
}

}  // namespace

void TensorCopies::refuse_copy(unsigned lane, const char* kind, const std::string& rest) {
  here_.fault(here_.finding(
      kind, fmt::format("thread {} {}", here_.thread_text(here_.warp_index_ * 32 + lane), rest),
      lane));
}

void TensorCopies::check_tile_address(unsigned lane, std::uint64_t address) {
  constexpr std::uint64_t alignment = 128;
  if (address % alignment == 0) return;
  refuse_copy(lane, "misaligned",
              fmt::format("copies a box of a tensor to or from an address of shared memory "
                          "that is not a multiple of {} (remainder {}). Declare the tile with "
                          "alignas({}), and keep its parts multiples of that.",
                          alignment, address % alignment, alignment));
}

/// Where a row leaves an allocation, the map is wrong, and no index.
/// @return how many bytes there are from the row's start on.
std::uint32_t TensorCopies::check_row(const code::Access& access, unsigned lane,
                                      const TensorBox::Row& row) {
  const memory::Allocation* in = here_.cached_[access.site];
  if (!in || !in->live || !in->holds(row.address)) in = here_.grid_.memory.find(row.address);
  const std::uint64_t end = row.address + row.bytes;
  if (in && end <= in->end())
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(in->end() - row.address, ~0u));
  if (!in) in = here_.grid_.memory.nearest(row.address);
  // For other addresses reach() says what is wrong.
  if (!in || !in->live || row.address < in->base || !here_.grid_.memory.contains(row.address))
    return row.bytes;
  refuse_copy(lane, "out-of-bounds",
              fmt::format("{} {} bytes of a tensor at offset {} of {}: {} bytes past its end. "
                          "Do the dimensions and strides that cuTensorMapEncodeTiled got fit "
                          "the memory?",
                          access.is_store ? "writes" : "reads", row.bytes, row.address - in->base,
                          in->describe(), end - in->end()));
}

/// The box that a lane asks for, after all checks.
TensorBox TensorCopies::box_of(const code::TensorCopy& copy, unsigned lane, std::uint64_t address) {
  const TensorMap map = map_at(copy, lane, address);
  TensorBox::Position at{}, offsets{};
  for (unsigned i = 0; i < copy.rank; ++i)
    at[i] = static_cast<std::int32_t>(here_.lane_value(copy.coordinates[i], lane));
  for (unsigned i = 0; copy.is_im2col && i + 2 < copy.rank; ++i)
    offsets[i + 1] = static_cast<std::int64_t>(here_.lane_value(copy.offsets[i], lane));
  check_copy(copy, map, lane);
  check_place(copy, map, at, lane);
  return {map, at, offsets};
}

/// Checks the map and the instruction against each other.
void TensorCopies::check_copy(const code::TensorCopy& copy, const TensorMap& map, unsigned lane) {
  if (map.rank != copy.rank)
    refuse_copy(lane, kind_of_refusal,
                fmt::format("{} a box of a tensor with {} coordinates; the tensor map says "
                            "that it has {} dimensions.",
                            tensor_verb(copy.what), copy.rank, map.rank));
  if (map.is_im2col != copy.is_im2col)
    refuse_copy(lane, kind_of_refusal,
                fmt::format("{} a box in {} mode by a tensor map of {}.", tensor_verb(copy.what),
                            copy.is_im2col ? "im2col" : "tile",
                            map.is_im2col ? "cuTensorMapEncodeIm2col" : "cuTensorMapEncodeTiled"));
  if (copy.what == What::reduce && !can_update(copy.update, map.element))
    refuse_copy(
        lane, kind_of_refusal,
        fmt::format("reduces elements of type CU_TENSOR_MAP_DATA_TYPE_{}, for which the hardware "
                    "has no such operation.",
                    element_names[static_cast<std::size_t>(map.element)]));
}

/// Whether the hardware lets a box begin there.
void TensorCopies::check_place(const code::TensorCopy& copy, const TensorMap& map,
                               const TensorBox::Position& at, unsigned lane) {
  const auto refuse = [&](const std::string& why) {
    refuse_copy(lane, kind_of_refusal,
                fmt::format("{} a box at {}{}", tensor_verb(copy.what),
                            coordinates_text(at, map.rank), why));
  };
  constexpr std::int64_t unit = 16;
  if (const std::int64_t offset = at[0] * static_cast<std::int64_t>(map.strides[0]);
      offset % unit != 0)
    refuse(
        fmt::format(" whose first coordinate is {} bytes into a row: it must be a multiple of "
                    "{} bytes.",
                    offset, unit));
  const bool writes = copy.what == What::store || copy.what == What::reduce;
  if (writes && std::any_of(at.begin(), at.end(), [](std::int64_t i) { return i < 0; }))
    refuse(
        ": a store may reach beyond the end of a tensor, which clips it, but not begin before its "
        "start.");
  for (unsigned i = 1; map.is_im2col && i + 1 < map.rank; ++i)
    if (at[i] < map.lower[i - 1] || at[i] > map.last_pixel(i))
      refuse(
          fmt::format(": its pixels go from {} to {} in dimension {}, by the corners that "
                      "cuTensorMapEncodeIm2col got, and the first must be one of them.",
                      map.lower[i - 1], map.last_pixel(i), i));
}

/// The map at a generic address.
TensorMap TensorCopies::map_at(const code::TensorCopy& copy, unsigned lane, std::uint64_t address) {
  const bool is_parameter =
      address >= code::parameter_window && address < 2 * code::parameter_window;
  if (!is_parameter && address >= code::shared_window && address < code::parameter_window)
    refuse_copy(
        lane, "invalid-object",
        fmt::format("{} a box by a tensor map in {} memory. A map is a parameter "
                    "`const __grid_constant__ CUtensorMap`, or is in constant or "
                    "global memory; without __grid_constant__ the parameter is copied "
                    "where its address is taken.",
                    tensor_verb(copy.what), address >= code::local_window ? "local" : "shared"));
  if (address % TensorMap::alignment != 0)
    refuse_copy(
        lane, "misaligned",
        fmt::format("{} a box by a tensor map at an address that is not a multiple of {} "
                    "(remainder {}).",
                    tensor_verb(copy.what), TensorMap::alignment, address % TensorMap::alignment));
  code::Access access = here_.program_.accesses[copy.map];
  access.element_bytes = TensorMap::bytes;
  std::array<std::byte, TensorMap::bytes> bytes;
  if (is_parameter) {
    std::uint64_t addresses[32] = {};
    addresses[lane] = address - code::parameter_window;
    parts_.bounds.check_parameters(access, 1u << lane, addresses);
    std::memcpy(bytes.data(), here_.grid_.launch.parameters.data() + addresses[lane], bytes.size());
  } else {
    access.space = code::Space::global;
    std::memcpy(bytes.data(), parts_.async_copies.reach(access, lane, address).bytes, bytes.size());
  }
  if (const auto map = TensorMap::unpacked(bytes)) return *map;
  refuse_copy(lane, kind_of_refusal,
              fmt::format("{} a box by a tensor map whose bytes are not a tensor map. Did "
                          "cuTensorMapEncodeTiled succeed, and was all of the map copied to "
                          "where the kernel reads it?",
                          tensor_verb(copy.what)));
}

}  // namespace warpwise::machine
