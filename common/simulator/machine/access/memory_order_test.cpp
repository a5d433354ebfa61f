// Programs that order their accesses through memory: right ones are clean, a missing fence is
// found.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace memory_order_test {

const std::string source = R"(
#include <cuda/atomic>

// A lock for each thread in turn, as long as nobody else holds it.
template <bool fences>
__device__ void lock_and_count(int* y) {
  __shared__ int lock, count;
  if (threadIdx.x == 0) lock = count = 0;
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      if (fences) __threadfence_block();
      count += threadIdx.x;
      if (fences) __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) y[0] = count;
}
extern "C" __global__ void lock(int* y) { lock_and_count<true>(y); }
extern "C" __global__ void lock_without_fences(int* y) { lock_and_count<false>(y); }

extern "C" __global__ void ticket_lock(int* y) {
  __shared__ unsigned next, serving;
  __shared__ int count;
  if (threadIdx.x == 0) next = serving = count = 0;
  __syncthreads();
  unsigned mine = atomicAdd(&next, 1u);
  while (*(volatile unsigned*)&serving != mine) { }
  __threadfence_block();
  count = count * 2 + 1;
  __threadfence_block();
  atomicAdd(&serving, 1u);
  __syncthreads();
  if (threadIdx.x == 0) y[0] = count;
}

// Warp 0 writes, warp 1 reads once the flag says so.
template <bool release, bool acquire>
__device__ void message(int* y) {
  __shared__ int data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = y[1] + 7;  // a constant would not need the memory
    if (release) __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 32) {
    while (flag == 0) { }
    if (acquire) __threadfence_block();
    y[0] = data;
  }
}
extern "C" __global__ void flag(int* y) { message<true, true>(y); }
extern "C" __global__ void flag_without_release(int* y) { message<false, true>(y); }
extern "C" __global__ void flag_without_acquire(int* y) { message<true, false>(y); }

template <class Order>
__device__ void atomic_message(int* y, Order store, Order load) {
  __shared__ int data, flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  cuda::atomic_ref<int, cuda::thread_scope_block> ready(flag);
  if (threadIdx.x == 0) {
    data = y[1] + 7;  // a constant would not need the memory
    ready.store(1, store);
  }
  if (threadIdx.x == 32) {
    while (ready.load(load) == 0) { }
    y[0] = data;
  }
}
extern "C" __global__ void release_acquire(int* y) {
  atomic_message(y, cuda::memory_order_release, cuda::memory_order_acquire);
}
extern "C" __global__ void sequential(int* y) {
  atomic_message(y, cuda::memory_order_seq_cst, cuda::memory_order_seq_cst);
}
extern "C" __global__ void relaxed(int* y) {
  atomic_message(y, cuda::memory_order_relaxed, cuda::memory_order_relaxed);
}
// The vote and the shuffle order nothing; the sync does.
template <bool sync>
__device__ void through_votes(int* y) {
  __shared__ int s[32];
  s[threadIdx.x] = threadIdx.x;
  if (sync) __syncwarp();
  else if (__any_sync(~0u, y[0] == 12345)) return;
  y[threadIdx.x] = __shfl_sync(~0u, s[threadIdx.x ^ 1], 3);
}
extern "C" __global__ void vote(int* y) { through_votes<false>(y); }
extern "C" __global__ void warp_sync(int* y) { through_votes<true>(y); }
)";

TEST_CASE("order through memory within a block") {
  Device device(source);
  auto y = device.upload(std::vector<int>(64));
  struct Case {
    const char* kernel;
    unsigned threads;
    bool is_right;
    int result;
  };
  const Case cases[] = {
      {"lock", 96, true, 96 * 95 / 2},
      {"lock_without_fences", 96, false, 96 * 95 / 2},
      {"ticket_lock", 40, true, -1},
      {"flag", 64, true, 7},
      {"flag_without_release", 64, false, 7},
      {"flag_without_acquire", 64, false, 7},
      {"release_acquire", 64, true, 7},
      {"sequential", 64, true, 7},
      {"relaxed", 64, false, 7},
      {"vote", 32, false, 2},
      {"warp_sync", 32, true, 2},
  };
  for (const Case& c : cases) {
    CAPTURE(c.kernel);
    auto report = device.run(c.kernel, {1, 1, 1}, {c.threads, 1, 1}, y);
    CHECK(report.unsupported == "");
    CHECK_FALSE(report.faulted);
    if (c.is_right) {
      Device::check_clean(report);
    } else {
      CHECK_FALSE(report.diagnoses.empty());
      for (const watch::Diagnosis& diagnosis : report.diagnoses) CHECK(diagnosis.kind == "race");
    }
    CHECK(device.download<int>(y, 1)[0] == c.result);
  }
}

}  // namespace memory_order_test
