// Kernels of which it is known how many loads a warp of them waits for at a time.

#include "simulator/image/loads_in_flight.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;

namespace loads_in_flight_test {

constexpr const char* source = R"(
#define KERNEL(name, ...) \
  extern "C" __global__ void name(const float* __VA_ARGS__ x, float* __VA_ARGS__ y, int n)
#define PLACE int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x
#define UNROLLED _Pragma("unroll")
__device__ float f(float v) { return v * fabsf(v); }

KERNEL(loop) { PLACE; for (; i < n; i += threads) y[i] = f(x[i]); }
KERNEL(unrolled_loop) { PLACE; _Pragma("unroll 4") for (; i < n; i += threads) y[i] = f(x[i]); }
KERNEL(may_move, __restrict__) {
  PLACE;
  _Pragma("unroll 4") for (; i < n; i += threads) y[i] = f(x[i]);
}
KERNEL(four_first) {
  PLACE;
  float v[4];
  UNROLLED for (int k = 0; k < 4; ++k) if (i + k * threads < n) v[k] = x[i + k * threads];
  UNROLLED for (int k = 0; k < 4; ++k) if (i + k * threads < n) y[i + k * threads] = f(v[k]);
}
KERNEL(two_by_two) {
  PLACE;
  UNROLLED for (int k = 0; k < 4; k += 2, i += 2 * threads) {
    float a, b;
    if (i < n) a = x[i];
    if (i + threads < n) b = x[i + threads];
    if (i < n) y[i] = f(a);
    if (i + threads < n) y[i + threads] = f(b);
  }
}
KERNEL(quotients) {
  PLACE;
  float v[4];
  UNROLLED for (int k = 0; k < 4; ++k) if (i + k * threads < n) v[k] = x[i + k * threads];
  UNROLLED for (int k = 0; k < 4; ++k) if (i + k * threads < n) y[i + k * threads] = 1 / v[k];
}
KERNEL(until_the_end) {
  PLACE;
  float v[4];
  UNROLLED for (int k = 0; k < 4; ++k) { if (i + k * threads >= n) break; v[k] = x[i + k * threads]; }
  UNROLLED for (int k = 0; k < 4; ++k) { if (i + k * threads >= n) break; y[i + k * threads] = f(v[k]); }
}
KERNEL(chain) {
  PLACE;
  int at = i;
  for (int k = 0; k < n; ++k) at = static_cast<int>(x[at]);
  y[i] = at;
}
KERNEL(in_shared) {
  PLACE;
  __shared__ float s[128];
  s[threadIdx.x] = f(x[i]);
  __syncthreads();
  y[i] = s[threadIdx.x ^ 1] + s[threadIdx.x ^ 2] + s[threadIdx.x ^ 3];
}
)";

/// The most of a kernel's loads.
unsigned most(const KernelFacts& kernel) {
  unsigned found = 0;
  for (const MemoryInstruction& instruction : kernel.memory)
    found = std::max(found, instruction.loads_in_flight);
  return found;
}

TEST_CASE("loads are in flight until a warp waits, on every architecture") {
  const std::map<std::string, unsigned> expected = {
      {"loop", 1},      {"unrolled_loop", 1}, {"may_move", 4}, {"four_first", 4}, {"two_by_two", 2},
      {"quotients", 4}, {"until_the_end", 4}, {"chain", 1},    {"in_shared", 1}};
  for (const unsigned architecture : {75, 80, 86, 89, 90, 100, 120}) {
    const auto facts = read_cubin(
        test::compile("-cubin -std=c++20 -arch=sm_" + std::to_string(architecture), source));
    CAPTURE(architecture);
    for (const auto& [name, loads] : expected) {
      CAPTURE(name);
      CHECK(most(facts.at(name)) == loads);
    }
  }
}

// As sm_90 has them: a load that marks a scoreboard, a product, which waits for none, and what
// waits for scoreboards.
constexpr std::uint64_t load[2] = {0x0000000402057981, 0x000ea2000c1e1900};
constexpr std::uint64_t product[2] = {0x0000000505057220, 0x000fc80000400000};
constexpr std::uint64_t leave[2] = {0x000000000000794d, 0x000fea0003800000};
constexpr std::uint64_t waits_for_0 = 1ull << 52;

/// The loads in flight of code that consists of these instructions, load by load.
std::vector<unsigned> of(std::vector<std::array<std::uint64_t, 2>> code) {
  const auto bytes = std::as_bytes(std::span(code));
  std::vector<MemoryInstruction> memory;
  for (std::size_t i = 0; i < code.size(); ++i)
    if ((code[i][0] & 0xfff) == 0x981)
      memory.push_back({MemoryInstruction::Space::global, MemoryInstruction::Access::load, 4,
                        static_cast<std::uint32_t>(i * 16), "", 0});
  count_loads_in_flight(bytes, memory);
  std::vector<unsigned> loads;
  for (const MemoryInstruction& instruction : memory) loads.push_back(instruction.loads_in_flight);
  return loads;
}

std::array<std::uint64_t, 2> marking(unsigned scoreboard) {
  return {load[0], (load[1] & ~(7ull << 46)) | std::uint64_t{scoreboard} << 46};
}

TEST_CASE("a wait is for one scoreboard, and for all loads that mark it") {
  const std::array<std::uint64_t, 2> idle = {product[0], product[1]};
  const std::array<std::uint64_t, 2> wait_0 = {product[0], product[1] | waits_for_0};
  const std::array<std::uint64_t, 2> wait_1 = {product[0], product[1] | waits_for_0 << 1};
  const std::array<std::uint64_t, 2> end = {leave[0], leave[1]};
  using Loads = std::vector<unsigned>;
  CHECK(of({marking(0), idle, marking(1), wait_0, wait_1}) == Loads{2, 2});
  CHECK(of({marking(0), wait_0, marking(0), wait_0}) == Loads{1, 1});
  CHECK(of({marking(0), marking(1), wait_0, marking(0), wait_1}) == Loads{2, 2, 2});
  CHECK(of({marking(0), marking(0), wait_0, marking(1)}) == Loads{2, 2, 1});
  CHECK(of({marking(0), wait_1, marking(1)}) == Loads{2, 2});
  CHECK(of({marking(0), end, marking(1)}) == Loads{1, 1});
  CHECK(of({marking(7), marking(1)}) == Loads{0, 1});
}

TEST_CASE("not more than a thread has registers for") {
  const std::vector<unsigned> loads = of(std::vector(300, marking(0)));
  CHECK(loads[0] == 255);
  CHECK(loads[299] == 0);
}

}  // namespace loads_in_flight_test
