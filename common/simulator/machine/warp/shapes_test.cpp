// Grids and blocks of any shape, and library code of CUB in them.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace shapes_test {

const std::string source = R"(
extern "C" __global__ void who(int* out) {
  int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  int all = blockDim.x * blockDim.y * blockDim.z;
  int* mine = out + 9 * (block * all + thread);
  mine[0] = threadIdx.x; mine[1] = threadIdx.y; mine[2] = threadIdx.z;
  mine[3] = blockIdx.x; mine[4] = blockIdx.y; mine[5] = blockIdx.z;
  mine[6] = gridDim.x * 10000 + gridDim.y * 100 + gridDim.z;
  int lane, warp;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm("mov.u32 %0, %%warpid;" : "=r"(warp));
  mine[7] = lane; mine[8] = warp;
}
extern "C" __global__ void sum_blocks(const float* in, float* out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 32; d; d /= 2) {
    if (t < d && t + d < blockDim.x) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
)";

const std::string with_cub = R"(
#include <cub/block/block_reduce.cuh>
#include <cub/warp/warp_reduce.cuh>
template <int threads, cub::BlockReduceAlgorithm algorithm> __device__ void block_sum(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, threads, algorithm>;
  __shared__ typename Reduce::TempStorage storage;
  float sum = Reduce(storage).Sum(in[blockIdx.x * threads + threadIdx.x]);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
extern "C" __global__ void block128(const float* in, float* out) {
  block_sum<128, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
}
extern "C" __global__ void block33(const float* in, float* out) {
  block_sum<33, cub::BLOCK_REDUCE_WARP_REDUCTIONS>(in, out);
}
extern "C" __global__ void raking128(const float* in, float* out) {
  block_sum<128, cub::BLOCK_REDUCE_RAKING>(in, out);
}
extern "C" __global__ void warps(const float* in, float* out, int valid) {
  using Reduce = cub::WarpReduce<float>;
  __shared__ typename Reduce::TempStorage storage[4];
  int warp = threadIdx.x / 32;
  float sum = Reduce(storage[warp]).Sum(in[threadIdx.x]);
  float part = Reduce(storage[warp]).Sum(in[threadIdx.x], valid);
  if (threadIdx.x % 32 == 0) { out[warp] = sum; out[4 + warp] = part; }
}
extern "C" __global__ void small_warps(const float* in, float* out) {
  using Reduce = cub::WarpReduce<float, 8>;
  __shared__ typename Reduce::TempStorage storage[8];
  int group = threadIdx.x / 8;
  float most = Reduce(storage[group]).Reduce(in[threadIdx.x], [] __device__ (float a, float b) { return a > b ? a : b; });
  if (threadIdx.x % 8 == 0) out[group] = most;
}
)";

Device& library() {
  static Device made(with_cub, fatbin_options + " --extended-lambda");
  return made;
}

std::vector<float> small_numbers(int count) {
  return made(count, [](int i) { return static_cast<float>(i * 7 % 19); });
}

std::vector<float> sums(const std::vector<float>& in, int width) {
  return made(in.size() / width, [&](int b) {
    float sum = 0;
    for (int i = 0; i < width; ++i) sum += in[b * width + i];
    return sum;
  });
}

TEST_CASE("every thread knows its place in grids and blocks of three dimensions") {
  Device device(source);
  const watch::Index3 shapes[][2] = {{{1, 1, 1}, {33, 1, 1}},
                                     {{3, 2, 4}, {5, 7, 3}},
                                     {{2, 5, 1}, {1, 1, 64}},
                                     {{1, 1, 3}, {16, 64, 1}},
                                     {{7, 1, 1}, {1, 1, 1}}};
  for (const auto& [grid, block] : shapes) {
    CAPTURE(block[0]);
    int threads = static_cast<int>(block[0] * block[1] * block[2]);
    int blocks = static_cast<int>(grid[0] * grid[1] * grid[2]);
    auto out = device.upload(std::vector<int>(static_cast<std::size_t>(9 * threads * blocks)));
    device.run_clean("who", grid, block, out);
    int x = static_cast<int>(block[0]), y = static_cast<int>(block[1]),
        gx = static_cast<int>(grid[0]), gy = static_cast<int>(grid[1]);
    auto want = made(static_cast<std::size_t>(9 * threads * blocks), [&](int i) {
      int t = i / 9 % threads, b = i / 9 / threads;
      const int fields[9] = {t % x,
                             t / x % y,
                             t / x / y,
                             b % gx,
                             b / gx % gy,
                             b / gx / gy,
                             gx * 10000 + gy * 100 + static_cast<int>(grid[2]),
                             t % 32,
                             t / 32};
      return fields[i % 9];
    });
    CHECK(difference(device.download<int>(out, want.size()), want) == "");
  }
}

TEST_CASE("blocks that are not a multiple of a warp sum right, with any number of host threads") {
  Device device(source);
  for (unsigned threads : {1u, 2u, 4u}) {
    device.options().threads = threads;
    for (int width : {1, 31, 33, 64}) {
      CAPTURE(width);
      auto in = small_numbers(width * 9);
      auto out = device.upload(std::vector<float>(9));
      device.run_clean("sum_blocks", {9, 1, 1}, {static_cast<unsigned>(width), 1, 1},
                       device.upload(in), out, width * 9);
      CHECK(difference(device.download<float>(out, 9), sums(in, width)) == "");
    }
  }
}

TEST_CASE("cub::BlockReduce by warps and by raking, also in a block of 33 threads") {
  for (auto [kernel, width] : {std::pair{"block128", 128}, {"raking128", 128}, {"block33", 33}}) {
    CAPTURE(kernel);
    auto in = small_numbers(width * 3);
    auto out = library().upload(std::vector<float>(3));
    library().run_clean(kernel, {3, 1, 1}, {static_cast<unsigned>(width), 1, 1},
                        library().upload(in), out);
    CHECK(difference(library().download<float>(out, 3), sums(in, width)) == "");
  }
}

TEST_CASE("cub::WarpReduce of whole, partly valid and small warps") {
  auto in = small_numbers(128);
  auto out = library().upload(std::vector<float>(8));
  library().run_clean("warps", {1, 1, 1}, {128, 1, 1}, library().upload(in), out, 20);
  auto want = sums(in, 32);
  for (int w = 0; w < 4; ++w) {
    float part = 0;
    for (int i = 0; i < 20; ++i) part += in[32 * w + i];
    want.push_back(part);
  }
  CHECK(difference(library().download<float>(out, 8), want) == "");
  auto small = library().upload(std::vector<float>(8));
  library().run_clean("small_warps", {1, 1, 1}, {64, 1, 1}, library().upload(in), small);
  auto most =
      made(8, [&](int g) { return *std::max_element(in.begin() + g * 8, in.begin() + g * 8 + 8); });
  CHECK(difference(library().download<float>(small, 8), most) == "");
}

}  // namespace shapes_test
