/// \file
/// A residual added and the sum normalised: two kernels, and one.
///
///     sum = x + residual         (kept: the next block of a transformer adds to it again)
///     y = LayerNorm(sum)
///
/// The question: both kernels are limited by memory. How much is saved if the sum, once it is in
/// registers, is not read again?
///
///     build/ch05_warp_reduce --only residual
#include <tuple>
#include <vector>

#include "base/algorithm.h"
#include "base/function.h"
#include "layernorm.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;
using namespace rows;

namespace {

// ---- rung 1: two kernels ----

/// sum = x + residual, pack by pack.
/// @param[in] x, residual packs * N floats, device. @param[out] sum the same, device.
/// @pre any one-dimensional launch.
/// @cost 12 bytes and 1 flop an element.
/// @source the article's residual kernels.
template <int N>
__global__ void add(const float* x, const float* residual, float* sum, std::size_t packs) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < packs; i += stride) {
    Pack<N> pack = reinterpret_cast<const Pack<N>*>(x)[i];
    const Pack<N> other = reinterpret_cast<const Pack<N>*>(residual)[i];
    for (int e = 0; e < N; ++e) pack.value[e] += other.value[e];
    reinterpret_cast<Pack<N>*>(sum)[i] = pack;
  }
}

/// LayerNorm as in the ladder's last rung. @param[in] sum, @param[out] y rows * columns, device.
/// @pre columns % N == 0; columns <= N * packs * 32; blocks of (32, 4) threads, any grid.
/// @cost 8 bytes an element.
template <int N, int packs>
__global__ void __launch_bounds__(128)
    normalise(const float* sum, const float* weight, const float* bias, float* y, int rows,
              int columns) {
  const int warps = gridDim.x * blockDim.y;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += warps) {
    Pack<N> kept[packs];
    load_row(kept, reinterpret_cast<const Pack<N>*>(sum + row_begin(row, columns)), columns / N);
    normalise_row(kept, weight, bias, y + row_begin(row, columns), columns);
  }
}

// ---- rung 2: one kernel ----

/// A warp adds its two rows in registers, stores the sum, and goes on to normalise what it holds.
/// @param[in] x, residual rows * columns, row-major, device. @param[out] sum, y the same, device.
/// @pre as normalise().
/// @cost 16 bytes an element: two read, two written; the two kernels move 20.
/// @source the article's fused kernel, for the idea.
template <int N, int packs>
__global__ void __launch_bounds__(128)
    add_and_normalise(const float* x, const float* residual, const float* weight, const float* bias,
                      float* sum, float* y, int rows, int columns) {
  const int warps = gridDim.x * blockDim.y;
  const int count = columns / N;
  for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < rows; row += warps) {
    const std::size_t begin = row_begin(row, columns);
    Pack<N> kept[packs], other[packs];
    load_row(kept, reinterpret_cast<const Pack<N>*>(x + begin), count);
    load_row(other, reinterpret_cast<const Pack<N>*>(residual + begin), count);
    auto* to = reinterpret_cast<Pack<N>*>(sum + begin);
#pragma unroll
    for (int i = 0; i < packs; ++i) {
#pragma unroll
      for (int e = 0; e < N; ++e) kept[i].value[e] += other[i].value[e];
      const int pack = i * warp_size + threadIdx.x;
      if (pack < count) to[pack] = kept[i];
    }
    normalise_row(kept, weight, bias, y + begin, columns);
  }
}

// ---- launchers ----

/// The arrays of one size. The output holds both results: the sum, then y.
struct Problem {
  const float *x, *residual, *weight, *bias;
  float *sum, *y;
};

template <int N>
void rungs_of(lesson::Trial& run, const Problem& p) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::size_t packs_of_all = run.size().elements() / N;
  const int blocks = static_cast<int>(std::min<std::size_t>((packs_of_all + 255) / 256, 16384));
  const bool fits = with_packs<N>(columns, [&](auto packs) {
    constexpr int count = decltype(packs)::value;
    const auto first =
        lesson::bind_launch(reinterpret_cast<const void*>(add<N>), {.grid = blocks, .block = 256},
                            std::tuple(p.x, p.residual, p.sum, packs_of_all));
    const auto second = lesson::bind_launch(
        reinterpret_cast<const void*>(normalise<N, count>), warp_shape(rows),
        std::tuple(static_cast<const float*>(p.sum), p.weight, p.bias, p.y, rows, columns));
    run.work("residual, then layernorm", [=] {
      first();
      second();
    });
    run.variant("both in one kernel", add_and_normalise<N, count>, warp_shape(rows), p.x,
                p.residual, p.weight, p.bias, p.sum, p.y, rows, columns);
  });
  if (!fits) run.skip("both in one kernel", too_wide);
}

void residual_rungs(lesson::Trial& run) {
  const int rows = run.size()[0];
  const int columns = run.size()[1];
  const std::vector<float> x = layernorm_input(rows, columns, 1);
  const std::vector<float> residual = layernorm_input(rows, columns, 2);
  const std::vector<float> weight = layernorm_weight(columns), bias = layernorm_bias(columns);
  std::vector<double> expected;
  // What the sum is in float: that is what gets normalised.
  for (std::size_t i = 0; i < x.size(); ++i) expected.push_back(x[i] + residual[i]);
  const std::vector<double> y = layernorm_reference(expected, weight, bias, columns);
  expected.insert(expected.end(), y.begin(), y.end());

  Problem p{run.input("x", x),
            run.input("residual", residual),
            run.input("weight", weight),
            run.input("bias", bias),
            nullptr,
            nullptr};
  p.sum = run.output("sum and y", std::move(expected), layernorm_tolerance, columns);
  p.y = p.sum + run.size().elements();
  // Where y begins must be a whole pack too, as every row.
  if (columns % 4 == 0) {
    rungs_of<4>(run, p);
  } else {
    rungs_of<1>(run, p);
  }
}

}  // namespace

void residual_layernorm_ladder(lesson::Run& run) {
  run.ladder({.name = "residual_layernorm",
              .title = "sum = x + residual, y = LayerNorm(sum), float32",
              .full = {65536, 768},
              .small = {1024, 768},
              .awkward = {{1, 1}, {8, 33}, {33, 130}, {7, 768}},
              .needs =
                  [](const lesson::Size& size) {
                    const auto elements = static_cast<double>(size.elements());
                    return lesson::Needs{.bytes = 16 * elements, .flops = 9 * elements};
                  }},
             residual_rungs);
}
