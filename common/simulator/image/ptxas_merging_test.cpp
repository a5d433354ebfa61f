// ptxas merges neighbouring shared accesses that are separate in PTX; these kernels pin down what
// it does.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;
using Space = MemoryInstruction::Space;
using Access = MemoryInstruction::Access;

namespace {

/// Widths of a kernel's accesses of one kind, widest first, as text such as "8 4 4".
std::string widths(const KernelFacts& facts, Space space, Access access) {
  std::vector<unsigned> found;
  for (const MemoryInstruction& one : facts.memory) {
    if (one.space == space && one.access == access) found.push_back(one.width_bytes);
  }
  std::sort(found.rbegin(), found.rend());
  std::string text;
  for (unsigned width : found) text += (text.empty() ? "" : " ") + std::to_string(width);
  return text;
}

KernelFacts compile_one(const std::string& source) {
  const auto facts = read_cubin(test::compile("-cubin -arch=sm_90 -lineinfo", source));
  REQUIRE(facts.size() == 1);
  return facts.begin()->second;
}

}  // namespace

TEST_CASE("a row by cub::BlockReduce loads 64 bits once and 32 bits twice") {
  const KernelFacts facts = compile_one(R"(
#include <cub/block/block_reduce.cuh>
__global__ void normalize(float* x) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float whole;
  float v = x[blockIdx.x * 128 + threadIdx.x];
  float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) whole = sum;
  __syncthreads();
  x[blockIdx.x * 128 + threadIdx.x] = v / whole;
}
)");
  CHECK(widths(facts, Space::shared, Access::load) == "8 4 4");
  // The other three partial sums are read in the library, the broadcast in the kernel's last line.
  unsigned in_library = 0;
  for (const MemoryInstruction& one : facts.memory) {
    if (one.space != Space::shared || one.access != Access::load) continue;
    if (one.file.find("/cub/") != std::string::npos) ++in_library;
    if (one.file.find("kernel.cu") != std::string::npos) CHECK(one.line == 11);
  }
  CHECK(in_library == 2);
}

TEST_CASE("the partial results of eight warps are loaded as two quads") {
  const KernelFacts facts = compile_one(R"(
__global__ void normalize(float* x) {
  __shared__ float partial[8];
  __shared__ float whole;
  int t = threadIdx.x;
  float v = x[blockIdx.x * 256 + t], sum = v;
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    float all = 0;
    for (int w = 0; w < 8; ++w) all += partial[w];
    whole = all;
  }
  __syncthreads();
  x[blockIdx.x * 256 + t] = v / whole;
}
)");
  CHECK(widths(facts, Space::shared, Access::load) == "16 16 4");
}

TEST_CASE("the textbook conflict s[t*4+k] becomes one 128-bit load and one store") {
  const KernelFacts facts = compile_one(R"(
__global__ void quads(const float* x, float* y) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) s[t * 4 + k] = x[t + 256 * k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += s[((t + 1) & 255) * 4 + k];
  y[t] = sum;
}
)");
  CHECK(widths(facts, Space::shared, Access::load) == "16");
  CHECK(widths(facts, Space::shared, Access::store) == "16");
  CHECK(widths(facts, Space::global, Access::load) == "4 4 4 4");
}

TEST_CASE("stride 5 and volatile accesses stay separate") {
  const KernelFacts strided = compile_one(R"(
__global__ void fives(const float* x, float* y) {
  __shared__ float s[256 * 5];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) s[t * 5 + k] = x[t + 256 * k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += s[((t + 1) & 255) * 5 + k];
  y[t] = sum;
}
)");
  CHECK(widths(strided, Space::shared, Access::load) == "4 4 4 4");
  CHECK(widths(strided, Space::shared, Access::store) == "4 4 4 4");
  const KernelFacts fixed = compile_one(R"(
__global__ void quads(const float* x, float* y) {
  __shared__ volatile float s[1024];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) s[t * 4 + k] = x[t + 256 * k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += s[((t + 1) & 255) * 4 + k];
  y[t] = sum;
}
)");
  CHECK(widths(fixed, Space::shared, Access::load) == "4 4 4 4");
}

TEST_CASE("a 16 x 16 tiled product loads four quads and sixteen single floats") {
  const KernelFacts facts = compile_one(R"(
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[row * n + k + x];
    bs[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
)");
  CHECK(widths(facts, Space::shared, Access::load) ==
        "16 16 16 16 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
  CHECK(widths(facts, Space::shared, Access::store) == "4 4");
}
