// Barriers of the grid that one step has and the next has not: a thread that waits looks in time.

#include "simulator/machine/schedule/pending_spin_reads.h"

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace pending_spin_reads_test {

using machine::PendingSpinReads;

const std::string source = R"(
__device__ void meet(unsigned* barrier) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const unsigned add = blockIdx.x == 0 ? 0x80000000u - (gridDim.x - 1) : 1;
    const unsigned old = atomicAdd(barrier, add);
    while (((old ^ *(volatile unsigned*)barrier) & 0x80000000u) == 0) {}
    __threadfence();
  }
  __syncthreads();
}
extern "C" __global__ void two_meetings(unsigned* barrier, int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 3; ++step) {
    b[i] = a[(i + 1) % n] + 1;
    meet(barrier);
    a[i] = b[(i + 1) % n] * 2;
    meet(barrier);
  }
}
extern "C" __global__ void one_meeting(unsigned* barrier, int* a, int* b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int step = 0; step < 3; ++step) {
    b[i] = a[(i + 1) % n] + 1;  // expect: race
    meet(barrier);
    a[i] = b[(i + 1) % n] * 2;  // expect: race
    __syncthreads();
  }
}
)";

TEST_CASE("steps between which not all blocks meet race") {
  Device device(source);
  for (const unsigned blocks : {2u, 3u, 8u})
    for (const char* kernel : {"two_meetings", "one_meeting"}) {
      CAPTURE(blocks);
      CAPTURE(kernel);
      const int n = static_cast<int>(blocks) * 64;
      std::vector<int> values(static_cast<std::size_t>(n));
      for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * 7 % 31;
      const std::uint64_t barrier = device.upload(std::vector<unsigned>(1)),
                          a = device.upload(values), b = device.upload(values);
      auto launch = device.prepared(kernel, {blocks, 1, 1}, {64, 1, 1}, barrier, a, b, n);
      launch.cooperative = true;
      CHECK(Device::found(device.module().run(launch, device.options())) ==
            device.expected(kernel));
    }
}

TEST_CASE("before a word is written again, threads that wait for a known write may read it") {
  PendingSpinReads spin_reads;
  CHECK_FALSE(spin_reads.writes(0, 64));
  spin_reads.waits(0, 64);
  CHECK_FALSE(spin_reads.writes(1, 64));  // it knows of no write
  CHECK(spin_reads.writes(1, 64));        // it knows of its own
  spin_reads.reads(0);
  CHECK_FALSE(spin_reads.writes(1, 64));
  CHECK_FALSE(spin_reads.writes(0, 64));  // no thread waits
  spin_reads.waits(1, 64);
  spin_reads.waits(0, 64);
  CHECK_FALSE(spin_reads.writes(2, 64));
  CHECK_FALSE(spin_reads.writes(2, 128));  // another word
  spin_reads.reads(0);
  CHECK(spin_reads.writes(0, 64));  // block 1 waits yet
  spin_reads.reads(1);
  CHECK_FALSE(spin_reads.writes(0, 64));
}

}  // namespace pending_spin_reads_test
