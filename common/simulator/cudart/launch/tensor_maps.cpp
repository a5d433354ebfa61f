#include <cuda.h>
#include <fmt/format.h>

#include <cstring>
#include <string>

#include "simulator/cudart/device/driver_functions.h"
#include "simulator/cudart/report/console.h"
#include "simulator/cudart/runtime.h"
#include "simulator/machine/copies/tensor_map.h"

// Refuses the maps that the driver refuses for an H100 (asked with answers/).
namespace warpwise::cudart {
namespace {

using machine::TensorMap;

static_assert(sizeof(CUtensorMap) == TensorMap::bytes);

/// The arguments of a call, as they were given.
struct WantedMap {
  unsigned type, rank;
  std::uint64_t address;
  const cuuint64_t *dims, *strides;
  const cuuint32_t *box, *steps;
  unsigned interleave, swizzle, promotion, fill;
  // Of im2col, which has no box.
  const int *lower = nullptr, *upper = nullptr;
  unsigned channels = 0, pixels = 0;

  bool is_im2col() const { return lower; }
};

constexpr unsigned swizzle_bytes[] = {0, 32, 64, 128};
constexpr std::uint64_t most_dim = 1ull << 32, stride_limit = 1ull << 40,
                        address_limit = 1ull << 57;
constexpr unsigned most_step = 8, map_unit = 16;

std::string wrong_choice(const WantedMap& wanted) {
  if (wanted.type >= TensorMap::elements) return "the data type is none that an H200 knows";
  if (wanted.rank < 1 || wanted.rank > TensorMap::most_dimensions)
    return fmt::format("a tensor has 1 to {} dimensions, not {}", TensorMap::most_dimensions,
                       wanted.rank);
  if (wanted.interleave > CU_TENSOR_MAP_INTERLEAVE_32B) return "unknown interleave";
  if (wanted.interleave && wanted.rank < 3) return "an interleaved tensor has 3 dimensions or more";
  if (wanted.swizzle >= std::size(swizzle_bytes)) return "an H200 has no such swizzle";
  if (wanted.promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B) return "unknown promotion";
  if (wanted.fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA) return "unknown fill";
  if (wanted.fill && wanted.type < CU_TENSOR_MAP_DATA_TYPE_FLOAT16)
    return "only tensors of floating-point numbers can be filled with NaN";
  return "";
}

std::string wrong_tensor(const WantedMap& wanted) {
  const unsigned aligned =
      wanted.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 2 * map_unit : map_unit;
  if (wanted.address % aligned != 0 || wanted.address >= address_limit)
    return fmt::format("the address 0x{:x} must be a multiple of {}, and below 2 to the 57",
                       wanted.address, aligned);
  for (unsigned i = 0; i < wanted.rank; ++i)
    if (wanted.dims[i] == 0 || wanted.dims[i] > most_dim)
      return fmt::format("dimension {} has {} elements: it takes 1 to 2 to the 32", i,
                         wanted.dims[i]);
  for (unsigned i = 0; i + 1 < wanted.rank; ++i)
    if (wanted.strides[i] % aligned != 0 || wanted.strides[i] >= stride_limit)
      return fmt::format(
          "stride {} is {} bytes: it must be a multiple of {}, and below 2 to the "
          "40 (the rows need padding)",
          i, wanted.strides[i], aligned);
  return "";
}

std::string wrong_steps(const WantedMap& wanted) {
  for (unsigned i = 0; i < wanted.rank; ++i)
    if (wanted.steps[i] == 0 || wanted.steps[i] > most_step)
      return fmt::format("the element stride of dimension {} is {}: it takes 1 to {}", i,
                         wanted.steps[i], most_step);
  return "";
}

/// The pixels of im2col.
std::string wrong_bounds(const WantedMap& wanted) {
  if (!wanted.is_im2col()) return "";
  if (wanted.rank < 3) return "im2col takes tensors of 3 dimensions or more";
  static constexpr int limits[] = {1 << 15, 1 << 7, 1 << 4};
  const int limit = limits[wanted.rank - 3];
  for (unsigned i = 0; i + 2 < wanted.rank; ++i) {
    const int lower = wanted.lower[i], upper = wanted.upper[i];
    if (lower < -limit || lower >= limit || upper < -limit || upper >= limit)
      return fmt::format("corner {} is {} and {}: both take {} to {}", i, lower, upper, -limit,
                         limit - 1);
    if (static_cast<std::int64_t>(wanted.dims[i + 1]) + upper <= lower)
      return fmt::format("no pixel is between the corners {} and {} of dimension {}", lower, upper,
                         i + 1);
  }
  if (wanted.pixels == 0 || wanted.pixels > TensorMap::most_pixels)
    return fmt::format("there are {} pixels: it takes 1 to {}", wanted.pixels,
                       TensorMap::most_pixels);
  return "";
}

std::string wrong_box(const WantedMap& wanted) {
  const unsigned each = machine::size_bytes(static_cast<TensorMap::Element>(wanted.type));
  std::uint64_t bytes = wanted.is_im2col() ? wanted.pixels : 1;
  for (unsigned i = 0; i < wanted.rank && !(wanted.is_im2col() && i > 0); ++i) {
    const unsigned length = wanted.is_im2col() ? wanted.channels : wanted.box[i];
    if (length == 0 || length > TensorMap::most_in_box)
      return fmt::format("the box has {} elements in dimension {}: it takes 1 to {}", length, i,
                         TensorMap::most_in_box);
    bytes *= i ? (length + wanted.steps[i] - 1) / wanted.steps[i] : length * each;
  }
  const unsigned row = (wanted.is_im2col() ? wanted.channels : wanted.box[0]) * each;
  if (row % TensorMap::row_unit != 0)
    return fmt::format("a row of the box has {} bytes: it must be a multiple of {}", row,
                       TensorMap::row_unit);
  if (const unsigned span = swizzle_bytes[wanted.swizzle]; span && !wanted.interleave && row > span)
    return fmt::format("a row of the box has {} bytes: no more than the {} of its swizzle fit", row,
                       span);
  if (bytes > TensorMap::most_box_bytes)
    return fmt::format("the box has {} bytes, more than the {} of shared memory", bytes,
                       TensorMap::most_box_bytes);
  return "";
}

/// A description of the mistake; "" where there is none.
std::string wrong(const void* map, const WantedMap& wanted) {
  const bool has_box = wanted.is_im2col() || wanted.box;
  if (!map || !wanted.dims || !wanted.strides || !has_box || !wanted.steps)
    return "an argument is a null pointer";
  for (auto check : {wrong_choice, wrong_tensor, wrong_steps, wrong_bounds, wrong_box})
    if (std::string found = check(wanted); !found.empty()) return found;
  return "";
}

CUresult refused(const char* function, const std::string& why) {
  explain(fmt::format("note: {} returns CUDA_ERROR_INVALID_VALUE: {}", function, why));
  return CUDA_ERROR_INVALID_VALUE;
}

TensorMap map_of(const WantedMap& wanted) {
  TensorMap map;
  map.address = wanted.address;
  map.element = static_cast<TensorMap::Element>(wanted.type);
  map.rank = static_cast<std::uint8_t>(wanted.rank);
  map.swizzle_bytes = static_cast<std::uint8_t>(swizzle_bytes[wanted.swizzle]);
  map.fills_with_nan = wanted.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  for (unsigned i = 0; i < TensorMap::most_dimensions; ++i) {
    const bool is_there = i < wanted.rank;
    map.dims[i] = is_there ? wanted.dims[i] : 1;
    map.box[i] = static_cast<std::uint16_t>(is_there && wanted.box ? wanted.box[i] : 1);
    map.steps[i] = static_cast<std::uint8_t>(is_there ? wanted.steps[i] : 1);
    if (i > 0 && is_there) map.strides[i] = wanted.strides[i - 1];
  }
  if (!wanted.is_im2col()) return map;
  map.is_im2col = true;
  map.box[0] = static_cast<std::uint16_t>(wanted.channels);
  map.pixels = static_cast<std::uint16_t>(wanted.pixels);
  for (unsigned i = 0; i + 2 < wanted.rank; ++i) {
    map.lower[i] = static_cast<std::int16_t>(wanted.lower[i]);
    map.upper[i] = static_cast<std::int16_t>(wanted.upper[i]);
  }
  return map;
}

CUresult encode(const char* function, CUtensorMap* map, const WantedMap& wanted) {
  if (const std::string why = wrong(map, wanted); !why.empty()) return refused(function, why);
  if (wanted.interleave)
    stop_unsupported(
        fmt::format("simulator: {} with interleaved channels "
                    "(CU_TENSOR_MAP_INTERLEAVE_16B, _32B) is not supported",
                    function));
  const auto packed = map_of(wanted).packed();
  std::memcpy(map, packed.data(), packed.size());
  return CUDA_SUCCESS;
}

CUresult encode_tiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                      const cuuint64_t* dims, const cuuint64_t* strides, const cuuint32_t* box,
                      const cuuint32_t* steps, CUtensorMapInterleave interleave,
                      CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                      CUtensorMapFloatOOBfill fill) {
  const WantedMap wanted = {.type = static_cast<unsigned>(type),
                            .rank = rank,
                            .address = reinterpret_cast<std::uint64_t>(address),
                            .dims = dims,
                            .strides = strides,
                            .box = box,
                            .steps = steps,
                            .interleave = static_cast<unsigned>(interleave),
                            .swizzle = static_cast<unsigned>(swizzle),
                            .promotion = static_cast<unsigned>(promotion),
                            .fill = static_cast<unsigned>(fill)};
  return encode("cuTensorMapEncodeTiled", map, wanted);
}

CUresult encode_im2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank, void* address,
                       const cuuint64_t* dims, const cuuint64_t* strides, const int* lower,
                       const int* upper, cuuint32_t channels, cuuint32_t pixels,
                       const cuuint32_t* steps, CUtensorMapInterleave interleave,
                       CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                       CUtensorMapFloatOOBfill fill) {
  constexpr const char* name = "cuTensorMapEncodeIm2col";
  if (!lower || !upper) return refused(name, "an argument is a null pointer");
  return encode(name, map,
                {.type = static_cast<unsigned>(type),
                 .rank = rank,
                 .address = reinterpret_cast<std::uint64_t>(address),
                 .dims = dims,
                 .strides = strides,
                 .box = nullptr,
                 .steps = steps,
                 .interleave = static_cast<unsigned>(interleave),
                 .swizzle = static_cast<unsigned>(swizzle),
                 .promotion = static_cast<unsigned>(promotion),
                 .fill = static_cast<unsigned>(fill),
                 .lower = lower,
                 .upper = upper,
                 .channels = channels,
                 .pixels = pixels});
}

CUresult replace_address(CUtensorMap* map, void* address) {
  constexpr const char* name = "cuTensorMapReplaceAddress";
  if (!map || !address) return refused(name, "an argument is a null pointer");
  std::array<std::byte, TensorMap::bytes> bytes;
  std::memcpy(bytes.data(), map, bytes.size());
  auto known = TensorMap::unpacked(bytes);
  if (!known) return refused(name, "the bytes are not a tensor map");
  known->address = reinterpret_cast<std::uint64_t>(address);
  if (known->address % map_unit != 0 || known->address >= address_limit)
    return refused(name, fmt::format("the address 0x{:x} must be a multiple of {}, and below 2 to "
                                     "the 57",
                                     known->address, map_unit));
  bytes = known->packed();
  std::memcpy(map, bytes.data(), bytes.size());
  return CUDA_SUCCESS;
}

}  // namespace

std::span<const DriverFunction> tensor_map_functions() {
  static const DriverFunction functions[] = {
      driver_function("cuTensorMapEncodeTiled", 12000, encode_tiled),
      driver_function("cuTensorMapEncodeIm2col", 12000, encode_im2col),
      driver_function("cuTensorMapReplaceAddress", 12000, replace_address),
  };
  return functions;
}

}  // namespace warpwise::cudart
