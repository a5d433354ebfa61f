// Threads that may use a copy's bytes: those that have seen its phase end, and those that meet
// them.

#include "simulator/machine/copies/arrived_copies.h"

#include "simulator/machine/copies/async_copies_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace arrived_copies_test {

const std::string source = R"(
// Begins a copy of as many ints as there are threads.
__device__ void bring(int* s, const int* x, u64* bar) {
  if (threadIdx.x == 0) {
    init(bar, 1);
    arrive_expecting(bar, 4 * blockDim.x);
    copy_bulk(s, x, 4 * blockDim.x, bar);
  }
  __syncthreads();
}
extern "C" __global__ void all_wait(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  wait(&bar, 0);
  y[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void one_waits(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  if (threadIdx.x == 0) wait(&bar, 0);
  y[threadIdx.x] = s[63 - threadIdx.x];  // expect: race
}
extern "C" __global__ void one_warp_waits(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  if (threadIdx.x < 32) wait(&bar, 0);
  y[threadIdx.x] = s[63 - threadIdx.x];  // expect: race
}
extern "C" __global__ void one_waits_others_write(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  if (threadIdx.x == 0) wait(&bar, 0);
  s[threadIdx.x] = 1;  // expect: race
  y[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void one_waits_for_the_block(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  if (threadIdx.x == 40) wait(&bar, 0);
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" __global__ void one_waits_for_its_warp(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[64];
  bring(s, x, &bar);
  if (threadIdx.x % 32 == 7) wait(&bar, 0);
  __syncwarp();
  y[threadIdx.x] = s[63 - threadIdx.x];
}
// One thread has waited, and tells the others by another mbarrier.
extern "C" __global__ void told_by_an_mbarrier(const int* x, int* y) {
  __shared__ u64 bar, told;
  __shared__ alignas(16) int s[64];
  if (threadIdx.x == 0) init(&told, 1);
  bring(s, x, &bar);
  if (threadIdx.x == 3) {
    wait(&bar, 0);
    arrive(&told);
  }
  wait(&told, 0);
  y[threadIdx.x] = s[63 - threadIdx.x];
}
// cp.async of each thread, whose ends arrive.
extern "C" __global__ void small_copies(const int* x, int* y, int waiting) {
  __shared__ u64 bar;
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(s + t, x + t, 4);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
  if (t < waiting) wait(&bar, 0);
  y[t] = s[63 - t];  // expect: race
}
// The same stage again and again. A warp brings, the other one works.
extern "C" __global__ void ring(const int* x, int* y, int rounds) {
  __shared__ u64 full, empty;
  __shared__ alignas(16) int s[32];
  if (threadIdx.x == 0) init(&full, 1), init(&empty, 32);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < rounds; ++i) {
      if (i > 0) wait(&empty, i - 1 & 1);
      arrive_expecting(&full, 128);
      copy_bulk(s, x + 32 * i, 128, &full);
    }
  } else if (threadIdx.x >= 32) {
    int t = threadIdx.x - 32, sum = 0;
    for (int i = 0; i < rounds; ++i) {
      wait(&full, i & 1);
      sum += s[31 - t];
      arrive(&empty);
    }
    y[t] = sum;
  }
}
// Two stages: the next copy goes on while this one's data are worked on.
extern "C" __global__ void two_stages(const int* x, int* y, int rounds) {
  __shared__ u64 full[2], empty[2];
  __shared__ alignas(16) int s[2][32];
  int t = threadIdx.x - 32, sum = 0;
  if (threadIdx.x < 2) init(&full[threadIdx.x], 1), init(&empty[threadIdx.x], 32);
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 0; i < rounds; ++i) {
      if (i > 1) wait(&empty[i & 1], i / 2 - 1 & 1);
      arrive_expecting(&full[i & 1], 128);
      copy_bulk(s[i & 1], x + 32 * i, 128, &full[i & 1]);
    }
  } else if (t >= 0) {
    for (int i = 0; i < rounds; ++i) {
      wait(&full[i & 1], i / 2 & 1);
      sum += s[i & 1][31 - t];
      arrive(&empty[i & 1]);
    }
    y[t] = sum;
  }
}
// Waits for the first of two rounds only.
extern "C" __global__ void second_round_unseen(const int* x, int* y) {
  __shared__ u64 full;
  __shared__ alignas(16) int s[32];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&full, 1);
  __syncthreads();
  for (int i = 0; i < 2; ++i) {
    if (t == 0) {
      arrive_expecting(&full, 128);
      copy_bulk(s, x + 32 * i, 128, &full);
    }
    __syncthreads();
    if (t < 32 || i == 0) wait(&full, i);
    sum += s[t % 32];  // expect: race
    __syncthreads();
  }
  y[t] = sum;
}
)";

AsyncCopies& copies() {
  static AsyncCopies made(source);
  return made;
}

std::vector<int> run_clean(const char* kernel) {
  copies().device.run_clean(kernel, {1, 1, 1}, {64, 1, 1}, copies().input, copies().output);
  return copies().got(64);
}

std::string found(const char* kernel) {
  return Device::found(
      copies().device.run(kernel, {1, 1, 1}, {64, 1, 1}, copies().input, copies().output));
}

TEST_CASE("a thread may use what a copy brings once it knows of the end of its phase") {
  for (const char* kernel :
       {"all_wait", "one_waits_for_the_block", "one_waits_for_its_warp", "told_by_an_mbarrier"}) {
    CAPTURE(kernel);
    const std::vector<int> got = run_clean(kernel);
    for (int i = 0; i < 64; ++i) CHECK(got[static_cast<std::size_t>(i)] == 63 - i);
  }
}

TEST_CASE("that another thread has waited tells nothing to one that does not meet it") {
  for (const char* kernel :
       {"one_waits", "one_warp_waits", "one_waits_others_write", "second_round_unseen"}) {
    CAPTURE(kernel);
    CHECK(found(kernel) == copies().device.expected(kernel));
  }
}

TEST_CASE("copies of single threads that end with a phase are seen in the same way") {
  auto run = [](int waiting) {
    return copies().device.run("small_copies", {1, 1, 1}, {64, 1, 1}, copies().input,
                               copies().output, waiting);
  };
  CHECK(Device::found(run(64)).empty());
  CHECK(Device::found(run(1)) == copies().device.expected("small_copies"));
}

TEST_CASE("a stage that is filled again has to be seen again") {
  copies().device.run_clean("ring", {1, 1, 1}, {64, 1, 1}, copies().input, copies().output, 20);
  const std::vector<int> got = copies().got(32);
  for (int i = 0; i < 32; ++i)
    CHECK(got[static_cast<std::size_t>(i)] == 20 * (31 - i) + 32 * 19 * 20 / 2);
}

TEST_CASE("work during copies is that of their own warp, or of those that a warp copies for") {
  auto beside = [](const char* kernel, auto... more) {
    auto report = copies().device.run(kernel, {1, 1, 1}, {64, 1, 1}, copies().input,
                                      copies().output, more...);
    std::uint64_t requests = 0;
    for (const auto& line : report.counts.lines) requests += line.during_copies;
    return requests;
  };
  CHECK(beside("all_wait") == 0);
  // The first warp fills both stages and waits: it works on one of two pieces while the other is
  // copied.
  CHECK(beside("two_stages", 20) == 10);
  CHECK(beside("ring", 20) == 0);  // One stage: the next copy begins after the work.
}
}  // namespace arrived_copies_test
