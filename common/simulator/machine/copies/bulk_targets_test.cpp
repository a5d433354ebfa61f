// Bulk stores into global memory, and threads that read or write there before they have ended.

#include "simulator/machine/copies/bulk_targets.h"

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace bulk_targets_test {

const std::string source = R"(
__device__ unsigned at(const void* p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }
#define FILL(s) s[threadIdx.x] = threadIdx.x; asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); __syncthreads()
#define STORE(y, s, bytes) asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(y), "r"(at(s)), "n"(bytes) : "memory")
#define ADD(y, s, bytes) asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(y), "r"(at(s)), "n"(bytes) : "memory")
#define COMMIT asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.bulk.wait_group " #n ";" ::: "memory")
#define WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read " #n ";" ::: "memory")
extern "C" __global__ void waited_for(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) { STORE(y, s, 256); COMMIT; WAIT(0); y[0] = y[5] + 1; }
  __syncthreads();
  y[64 + threadIdx.x] = y[threadIdx.x];
}
extern "C" __global__ void of_two_groups(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) {
    STORE(y, s, 128); COMMIT;
    STORE(y + 32, s, 128); COMMIT;
    WAIT(1);
    y[0] = 7;
    WAIT(0);
    y[32] = 7;
  }
}
extern "C" __global__ void beside_it(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) { STORE(y, s, 128); COMMIT; y[32] = y[33]; WAIT(0); }
}
extern "C" __global__ void sums(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) { ADD(y, s, 128); ADD(y, s, 128); COMMIT; atomicAdd(y + 3, 1); WAIT(0); }
}
extern "C" __global__ void rewritten(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) {
    STORE(y, s, 256);
    COMMIT;
    y[6] = 3;  // expect: race
    WAIT(0);
  }
}
extern "C" __global__ void read_back(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) { STORE(y, s, 256); COMMIT; WAIT_READ(0); }
  __syncthreads();
  y[64 + threadIdx.x] = y[threadIdx.x];  // expect: race
}
extern "C" __global__ void of_the_last_group(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) {
    STORE(y, s, 128); COMMIT;
    STORE(y + 32, s, 128); COMMIT;
    WAIT(1);
    y[40] = 7;  // expect: race
    WAIT(0);
  }
}
extern "C" __global__ void sum_read(int* y) {
  __shared__ alignas(16) int s[64];
  FILL(s);
  if (threadIdx.x == 0) {
    ADD(y, s, 128);
    COMMIT;
    y[64] = y[1];  // expect: race
    WAIT(0);
  }
}
)";

Device& device() {
  static Device& made = *new Device(source);
  return made;
}

watch::LaunchReport run(const char* kernel) {
  const auto y = device().upload(std::vector<int>(128));
  return device().run(kernel, {1, 1, 1}, {64, 1, 1}, y);
}

TEST_CASE("the target of a bulk store is free once its thread has waited for it") {
  for (const char* kernel : {"waited_for", "of_two_groups", "beside_it", "sums"}) {
    CAPTURE(kernel);
    const auto report = run(kernel);
    CHECK(report.unsupported == "");
    CHECK(Device::found(report) == device().expected(kernel));
  }
}

TEST_CASE("a read or write of the target of a bulk store before its end is reported") {
  for (const char* kernel : {"rewritten", "read_back", "of_the_last_group", "sum_read"}) {
    CAPTURE(kernel);
    const auto report = run(kernel);
    CHECK(report.unsupported == "");
    CHECK(Device::found(report) == device().expected(kernel));
    REQUIRE(report.diagnoses.size() == 1);
    CHECK(report.diagnoses[0].message.find("cp.async.bulk.wait_group, without .read") !=
          std::string::npos);
  }
}

}  // namespace bulk_targets_test
