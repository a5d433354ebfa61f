// Blocks that wait for other blocks, and meet at a barrier between one look and the next.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using machine::test::Device;

namespace waits_between_barriers_test {

const std::string source = R"(
// The last block sets the flag that all others wait for.
extern "C" __global__ void all_look(volatile int* flag, int* out) {
  if (blockIdx.x + 1 == gridDim.x) flag[0] = 1;
  while (!__syncthreads_and(flag[0])) {
  }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

extern "C" __global__ void one_looks(volatile int* flag, int* out) {
  __shared__ int seen;
  if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) flag[0] = 1;
  for (;;) {
    if (threadIdx.x == 0) seen = flag[0];
    __syncthreads();
    if (seen) break;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

extern "C" __global__ void one_asks(int* flag, int* out) {
  __shared__ int seen;
  if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) atomicExch(flag, 1);
  do {
    __syncthreads();
    if (threadIdx.x == 0) seen = atomicAdd(flag, 0);
    __syncthreads();
  } while (seen == 0);
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}

extern "C" __global__ void all_look_for_ever(volatile int* flag) {
  while (!__syncthreads_or(flag[threadIdx.x])) {  // expect: deadlock
  }
}

extern "C" __global__ void one_looks_for_ever(volatile int* flag) {
  __shared__ int seen;
  do {
    __syncthreads();
    if (threadIdx.x == 0) seen = flag[0];  // expect: deadlock
    __syncthreads();
  } while (seen == 0);
}

// Counts in shared memory while it waits, and gives up.
extern "C" __global__ void one_looks_for_long(volatile int* flag, int* out) {
  __shared__ int seen, looks;
  if (threadIdx.x == 0) looks = 0;
  do {
    __syncthreads();
    if (threadIdx.x == 0) seen = flag[0] || ++looks == 5000;
    __syncthreads();
  } while (seen == 0);
  if (threadIdx.x == 0) out[blockIdx.x] = looks;
}

// As scans do that look back: to sleep first may spare a look. Tells how many others had begun.
extern "C" __global__ void sleeps_first(volatile int* flags, int* out) {
  __shared__ int before;
  if (threadIdx.x == 0) {
    atomicAdd((int*)flags + 63, 1);
    __nanosleep(100);
    while (blockIdx.x > 0 && flags[blockIdx.x - 1] == 0) __nanosleep(100);
    before = flags[63] - 1;
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    out[blockIdx.x] = before - blockIdx.x;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}
)";

struct Waits {
  Device device{source};
  std::uint64_t flag = device.upload(std::vector<int>(64));
  std::uint64_t out = device.upload(std::vector<int>(8));
};

TEST_CASE("blocks that meet between their looks let the block start that they wait for") {
  for (const char* kernel : {"all_look", "one_looks", "one_asks"}) {
    CAPTURE(kernel);
    Waits waits;
    const auto report = waits.device.run(kernel, {8, 1, 1}, {64, 1, 1}, waits.flag, waits.out);
    CHECK(report.diagnoses.empty());
    CHECK(waits.device.download<int>(waits.out, 8) == std::vector<int>(8, 1));
  }
}

TEST_CASE("a wait between barriers that nothing can end is a deadlock") {
  for (const char* kernel : {"all_look_for_ever", "one_looks_for_ever"})
    for (const unsigned blocks : {1u, 3u}) {
      CAPTURE(kernel);
      CAPTURE(blocks);
      Waits waits;
      const auto report = waits.device.run(kernel, {blocks, 1, 1}, {64, 1, 1}, waits.flag);
      REQUIRE(report.diagnoses.size() == 1);
      CHECK(Device::found(report) == waits.device.expected(kernel));
      CHECK(report.diagnoses[0].message.find("waits for a value") != std::string::npos);
    }
}

TEST_CASE("a thread that counts between barriers while it waits is not taken for dead") {
  Waits waits;
  const auto report =
      waits.device.run("one_looks_for_long", {2, 1, 1}, {64, 1, 1}, waits.flag, waits.out);
  CHECK(report.diagnoses.empty());
  CHECK(waits.device.download<int>(waits.out, 2) == std::vector<int>{5000, 5000});
}

TEST_CASE("a thread that sleeps, then finds what it looks for, lets no other block begin") {
  Waits waits;
  const auto report =
      waits.device.run("sleeps_first", {8, 1, 1}, {64, 1, 1}, waits.flag, waits.out);
  CHECK(report.diagnoses.empty());
  CHECK(waits.device.download<int>(waits.out, 8) == std::vector<int>(8, 0));
}

}  // namespace waits_between_barriers_test
