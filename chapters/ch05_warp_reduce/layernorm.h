#pragma once
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/run.h"
#include "rows.h"

/// \file
/// LayerNorm of one row by one warp, its reference and its inputs: for the ladder, and for the one
/// that adds a residual first.
namespace rows {

inline constexpr float epsilon = 1e-5F;

/// 1 / sqrt(variance + added).
__device__ inline float scale_of(float variance, float added = epsilon) {
  return 1 / sqrtf(variance + added);
}

template <int N>
__device__ float sum_of(Pack<N> pack) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) sum += pack.value[i];
  return sum;
}

/// The squares of the distances from the mean, added.
template <int N>
__device__ float squares_of(Pack<N> pack, float mean) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < N; ++i) sum += (pack.value[i] - mean) * (pack.value[i] - mean);
  return sum;
}

template <int N>
__device__ Pack<N> normalised(Pack<N> pack, float mean, float scale, Pack<N> weight, Pack<N> bias) {
#pragma unroll
  for (int i = 0; i < N; ++i) {
    pack.value[i] = (pack.value[i] - mean) * scale * weight.value[i] + bias.value[i];
  }
  return pack;
}

/// Reads a row into a warp's registers, zeros past its end.
/// @param in the row, `count` packs.
template <int N, int packs>
__device__ void load_row(Pack<N> (&kept)[packs], const Pack<N>* in, int count) {
  // Unrolled, so that every index into kept is a constant and kept is registers.
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    const int pack = i * warp_size + threadIdx.x;
    kept[i] = pack < count ? in[pack] : Pack<N>{};
  }
}

/// Stores a pack of a row. Rows of other types have an overload of their own.
template <int N>
__device__ void store_pack(float* out, int pack, const Pack<N>& value) {
  reinterpret_cast<Pack<N>*>(out)[pack] = value;
}

/// The row that a warp holds, normalised and stored.
/// @tparam Out float, or what else store_pack() takes.
/// @param[in] weight, bias columns, device. @param[out] out the row, columns, device.
/// @param added to the variance: models differ in it.
/// @pre columns % N == 0; threadIdx.x is the lane; all 32 lanes call it.
template <int N, int packs, class Out>
__device__ void normalise_row(const Pack<N> (&kept)[packs], const float* weight, const float* bias,
                              Out* out, int columns, float added = epsilon) {
  const int count = columns / N;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < packs; ++i) sum += sum_of(kept[i]);
  const float mean = warp_sum(sum) / columns;
  float squares = 0;
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    // A number past the end of the row is zero, not the mean: it must not be counted.
    if (i * warp_size + threadIdx.x < count) squares += squares_of(kept[i], mean);
  }
  const float scale = scale_of(warp_sum(squares) / columns, added);
#pragma unroll
  for (int i = 0; i < packs; ++i) {
    const int pack = i * warp_size + threadIdx.x;
    if (pack < count) {
      store_pack(out, pack,
                 normalised(kept[i], mean, scale, reinterpret_cast<const Pack<N>*>(weight)[pack],
                            reinterpret_cast<const Pack<N>*>(bias)[pack]));
    }
  }
}

/// Calls `use` with the smallest number of packs a lane that holds a row, as an integral constant.
/// @return false where none does.
template <int N, class Use>
bool with_packs(int columns, const Use& use) {
  const int floats = ceil_div(columns, warp_size);
  if (floats <= 4) {
    use(std::integral_constant<int, 4 / N>());
  } else if (floats <= 24) {
    use(std::integral_constant<int, 24 / N>());
  } else if (floats <= 64) {
    use(std::integral_constant<int, 64 / N>());
  } else {
    return false;
  }
  return true;
}

/// Why with_packs() found none.
inline constexpr const char* too_wide =
    "more than 2048 columns do not fit the registers of one warp";

/// Four warps a block, a warp for each row.
inline warpwise::lesson::Shape warp_shape(int rows) {
  return {.grid = std::min(ceil_div(rows, 4), most_blocks), .block = {warp_size, 4}};
}

/// Numbers around 0.5 that repeat on every machine; row 1 constant, row 2 far from zero.
inline std::vector<float> layernorm_input(int rows, int columns, std::uint32_t seed) {
  warpwise::lesson::RandomBits bits(seed);
  std::vector<float> x(static_cast<std::size_t>(rows) * columns);
  for (float& value : x) value = bits.signed_fraction() + 0.5F;
  const auto row = [&](int index) { return x.begin() + std::ptrdiff_t{index} * columns; };
  if (rows > 1) std::fill_n(row(1), columns, 0.25F);
  if (rows > 2) std::for_each(row(2), row(3), [](float& value) { value += 64; });
  return x;
}

inline std::vector<float> layernorm_weight(int columns) {
  std::vector<float> weight;
  for (int i = 0; i < columns; ++i) weight.push_back(0.5F + static_cast<float>(i % 7) / 8);
  return weight;
}

inline std::vector<float> layernorm_bias(int columns) {
  std::vector<float> bias;
  for (int i = 0; i < columns; ++i) bias.push_back(static_cast<float>(i % 5) / 4 - 0.5F);
  return bias;
}

/// In double. @param x rows of `columns` numbers.
inline std::vector<double> layernorm_reference(const std::vector<double>& x,
                                               const std::vector<float>& weight,
                                               const std::vector<float>& bias, int columns) {
  std::vector<double> y(x.size());
  for (std::size_t begin = 0; begin < x.size(); begin += columns) {
    double sum = 0, squares = 0;
    for (int i = 0; i < columns; ++i) sum += x[begin + i];
    const double mean = sum / columns;
    for (int i = 0; i < columns; ++i) squares += (x[begin + i] - mean) * (x[begin + i] - mean);
    const double scale = 1 / std::sqrt(squares / columns + double{epsilon});
    for (int i = 0; i < columns; ++i)
      y[begin + i] = (x[begin + i] - mean) * scale * weight[i] + bias[i];
  }
  return y;
}

/// A mean near 64 has an error of a few units in its last place, 2^-18; divided by a standard
/// deviation of one half or more and times a weight of 1.25.
inline constexpr warpwise::lesson::Tolerance layernorm_tolerance{.absolute = 8e-5,
                                                                 .relative = 1e-5};

}  // namespace rows
