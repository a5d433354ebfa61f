/// \file
/// The instruction alone: no memory, no loop around it that matters.
///
/// The question: an mma.sync takes some thirty cycles. How many of them must a warp have on their
/// way, independent of each other, until the tensor core always has work? And how fast is it then?
/// That is the bound for every program that multiplies by this instruction.
///
///     build/ch06_tensor_cores --only in_flight
#include <vector>

#include "product_problem.h"
#include "warp_matrix.h"

namespace lesson = warpwise::lesson;

namespace tensor {
namespace {

constexpr int block_warps = 8;

/// y[i] = steps times the product of a tile of ones and one of x[i], begun anew for each chain, all
/// chains added. A chain is a sum in which each product waits for the one before.
/// @tparam chains independent sums of a warp; steps is a multiple of them.
/// @param[in] x one number for each column of B, 8, device: integers, so that all sums are exact.
/// @param[out] y one number a thread, device.
/// @pre blocks of 256 threads. @post y[i] = 16 x[2 t] steps + the starts 0, 1, 2, ... of the chains
/// @cost 4096 steps flops a warp.
template <int chains>
__global__ void __launch_bounds__(block_warps * 32)
    products_in_flight(const float* x, float* y, int steps) {
  const int lane = threadIdx.x % 32;
  const auto twice = [](float value) {
    const __nv_bfloat162 pair = __float2bfloat162_rn(value);
    return *reinterpret_cast<const unsigned*>(&pair);
  };
  const unsigned ones = twice(1.0F), column = twice(x[lane / 4]);
  const FragmentA a{{ones, ones, ones, ones}};
  const FragmentB b{{column, column}};
  Accumulator sum[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) sum[c] = {{static_cast<float>(c), 0, 0, 0}};
#pragma unroll 4
  for (int step = 0; step < steps; step += chains) {
#pragma unroll
    for (int c = 0; c < chains; ++c) multiply_add(sum[c], a, b);
  }
  float total = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) total += sum[c].value[0];
  y[blockIdx.x * blockDim.x + threadIdx.x] = total;
}

/// Size: warps, products of each.
void rungs(lesson::Trial& run) {
  if (!has_bf16_mma()) return run.skip("products in flight", needs_sm_80);
  const int blocks = ceil_div(run.size()[0], block_warps), steps = run.size()[1];
  const std::vector<float> columns = {0, 1, 2, 3, 4, 5, 6, 7};
  const float* x = run.input("x", columns);
  const auto rung = [&](const char* name, int chains, auto* kernel) {
    std::vector<double> expected(static_cast<std::size_t>(blocks) * block_warps * 32);
    const double starts = chains * (chains - 1) / 2.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expected[i] = 16.0 * columns[i % 4 * 2] * steps + starts;
    }
    float* y = run.output("y", expected, {});
    run.variant(name, kernel, {.grid = blocks, .block = block_warps * 32}, x, y, steps);
  };
  rung("1 in flight", 1, products_in_flight<1>);
  rung("2 in flight", 2, products_in_flight<2>);
  rung("4 in flight", 4, products_in_flight<4>);
  rung("8 in flight", 8, products_in_flight<8>);
  rung("16 in flight", 16, products_in_flight<16>);
}

}  // namespace
}  // namespace tensor

void in_flight_ladder(lesson::Run& run) {
  run.ladder({.name = "in_flight",
              .title = "mma.sync alone, eight warps a block: warps x products of each",
              .full = {132 * 8, 1 << 16},
              .small = {16, 64},
              .awkward = {{1, 16}, {9, 48}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.flops = 4096.0 * size[0] * size[1], .tensor_cores = true};
                  },
              .limit = "16 in flight"},
             tensor::rungs);
}
