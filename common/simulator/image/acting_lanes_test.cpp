// Kernels whose atomics ptxas gives to one lane for all active lanes, and kernels where it does
// not.

#include "simulator/image/acting_lanes.h"

#include <doctest/doctest.h>

#include <map>
#include <span>
#include <string>
#include <vector>

#include "simulator/image/compile_fixture.h"
#include "simulator/image/cubin.h"

using namespace warpwise::image;

namespace acting_lanes_test {

const std::map<std::string, KernelFacts>& facts() {
  static const std::map<std::string, KernelFacts> made =
      read_cubin(test::compile("-cubin -std=c++20 -arch=sm_90", R"(
#define KERNEL extern "C" __global__ void
#define PLACE int i = blockIdx.x * blockDim.x + threadIdx.x
KERNEL counted(const int* x, int* t, int n) { PLACE; if (i < n && x[i] > 3) atomicAdd(t, 1); }
KERNEL summed(const int* x, int* t, int n) { PLACE; if (i < n) atomicAdd(t, x[i]); }
KERNEL largest(const int* x, int* t, int n) { PLACE; if (i < n) atomicMax(t, x[i]); }
KERNEL ticket(int* y, int* t, int n) { PLACE; if (i < n) y[i] = atomicAdd(t, 1); }
KERNEL of_a_block(const int* x, int* t, int n) { PLACE; if (i < n) atomicAdd(t + blockIdx.x, x[i]); }
KERNEL unrolled(const int* x, int* t, int n) {
  PLACE;
  for (int k = 0; k < n / 100; ++k) atomicAdd(&t[k], x[i]);
}
KERNEL long_way(const int* x, int* t, int n) {
  PLACE;
  int v = x[i];
#pragma unroll
  for (int k = 0; k < 400; ++k) v = v * (k + n) ^ v >> 3;
  atomicAdd(t, v);
}
KERNEL room(const int* x, int* y, int* t, int n) { PLACE; if (i < n) y[i] = atomicAdd(t, x[i]); }
KERNEL floats(const float* x, float* t, int n) { PLACE; if (i < n) atomicAdd(t, x[i]); }
KERNEL bins(const int* x, int* t, int n) { PLACE; if (i < n) atomicAdd(t + x[i], 1); }
KERNEL swapped(int* y, int* t, int n) { PLACE; if (i < n) y[i] = atomicExch(t, i); }
)"));
  return made;
}

/// The acting lanes of each atomic of a kernel.
std::vector<ActingLanes> lanes(const std::string& kernel) {
  std::vector<ActingLanes> found;
  for (const MemoryInstruction& instruction : facts().at(kernel).memory)
    if (instruction.access == MemoryInstruction::Access::atomic ||
        instruction.access == MemoryInstruction::Access::reduction)
      found.push_back(instruction.acting);
  return found;
}

using Lanes = std::vector<ActingLanes>;

TEST_CASE("one lane updates an address that all share") {
  for (const char* kernel : {"counted", "summed", "largest", "ticket", "of_a_block"})
    CHECK_MESSAGE(lanes(kernel) == Lanes{ActingLanes::elected}, std::string(kernel));
  CHECK(lanes("long_way") == Lanes{ActingLanes::elected});
  CHECK(lanes("unrolled") == Lanes(5, ActingLanes::elected));
}

TEST_CASE("the last lane of a whole warp adds up what the others take, those of others add alone") {
  CHECK(lanes("room") == Lanes{ActingLanes::all_of_partial_warp, ActingLanes::last_of_whole_warp});
}

TEST_CASE("all lanes update addresses of their own, floats and what they swap") {
  for (const char* kernel : {"floats", "bins", "swapped"})
    CHECK_MESSAGE(lanes(kernel) == Lanes{ActingLanes::all}, std::string(kernel));
}

TEST_CASE("another predicate tells of no election") {
  const std::uint64_t code[] = {
      0x0000000000007919, 0x000e620000000000,  // S2R R0, SR_LANEID
      0x00000004000472bd, 0x000fcc00080e0000,  // UFLO.U32 UR4, UR4
      0x0000000405007c0c, 0x000fda000bf06270,  // ISETP.GE.AND P0, PT, R5, UR4, PT
      0x000000070400098e, 0x001fe2000c10e186,  // @P0 REDG.E.ADD.STRONG.GPU [R4.64], R7
      0x0000000400007c0c, 0x002fe2000bf02070,  // ISETP.EQ.U32.AND P0, PT, R0, UR4, PT
      0x000000070400098e, 0x001fe2000c10e186,  // @P0 REDG.E.ADD.STRONG.GPU [R4.64], R7
  };
  const auto bytes = std::as_bytes(std::span(code));
  CHECK(acting_lanes(bytes, 48) == ActingLanes::some);
  CHECK(acting_lanes(bytes, 80) == ActingLanes::elected);
  CHECK(acting_lanes(bytes.subspan(32), 48) == ActingLanes::some);
  CHECK(acting_lanes(bytes.subspan(48, 16), 0) == ActingLanes::some);
}

}  // namespace acting_lanes_test
