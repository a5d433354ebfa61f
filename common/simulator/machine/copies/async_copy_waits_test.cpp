// Waits for asynchronous copies and at mbarriers that are missing or come too early or too late.

#include "simulator/machine/copies/async_copies_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace async_copy_waits_test {

const std::string source = R"(
// A warp writes, one thread of another waits and takes what all have written; then the warp may
// write again, which that thread says alone.
extern "C" __global__ void one_reader(int* y, int rounds) {
  __shared__ u64 full, empty;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) init(&full, 32), init(&empty, 1);
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    if (t < 32) {
      wait(&empty, i % 2 ^ 1);
      s[t] = t + i;
      arrive(&full);
    } else if (t == 40) {
      wait(&full, i % 2);
      for (int k = 0; k < 32; ++k) sum += s[k];
      arrive(&empty);
    }
  }
  if (t == 40) y[0] = sum;
}
extern "C" __global__ void all_meet(int* y, int rounds) {
  __shared__ u64 here;
  if (threadIdx.x == 0) init(&here, blockDim.x);
  __syncthreads();
  for (int i = 0; i < rounds; ++i) {
    arrive(&here);
    wait(&here, i % 2);
  }
  y[threadIdx.x] = rounds;
}
extern "C" __global__ void written_after_arrival(int* y) {
  __shared__ u64 full;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) init(&full, 32);
  __syncthreads();
  if (t < 32) {
    arrive(&full);
    s[t] = t;  // expect: race
  } else {
    wait(&full, 0);
    y[t] = s[t - 32];  // expect: race
  }
}
extern "C" __global__ void no_wait(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(s + t, x + t, 4);
  __pipeline_commit();
  y[t] = s[t];  // expect: race
}
extern "C" __global__ void one_too_few(const int* x, int* y) {
  __shared__ int s[2][64];
  int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    __pipeline_memcpy_async(s[i] + t, x + t, 4);
    __pipeline_commit();
  }
  __pipeline_wait_prior(1);
  __syncthreads();
  y[t] = s[0][t] + s[1][t];  // expect: race
}
extern "C" __global__ void stages_in_two_buffers(const int* x, int* y, int stages) {
  __shared__ alignas(16) int s[2][128];
  int t = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < stages; ++i) {
    __pipeline_memcpy_async(&s[i % 2][4 * t], x + 4 * t, 16);  // expect: race
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  y[t] = s[0][4 * t] + s[1][4 * t + 1];
}
extern "C" __global__ void no_barrier_behind(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(s + t, x + t, 4);
  __syncthreads();
  __pipeline_wait_prior(0);
  asm volatile("cp.async.wait_all;" ::: "memory");
  y[t] = s[63 - t];  // expect: race
}
extern "C" __global__ void written_meanwhile(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(s + t, x + t, 4);
  s[t] = t;  // expect: race
  __pipeline_wait_prior(0);
  asm volatile("cp.async.wait_all;" ::: "memory");
  y[t] = s[t];
}
extern "C" __global__ void reused_too_early(const int* x, int* y) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(s + t)), "l"(x + t + i) : "memory");  // expect: race
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    y[t + 64 * i] = s[63 - t];  // expect: race
  }
}
extern "C" __global__ void no_wait_for_mbarrier(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[32];
  int t = threadIdx.x;
  if (t == 0) {
    init(&bar, 1);
    arrive_expecting(&bar, 128);
    copy_bulk(s, x, 128, &bar);
  }
  __syncthreads();
  y[t] = s[t];  // expect: race
}
extern "C" __global__ void source_not_fenced(int* y) {
  __shared__ alignas(16) int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  if (t == 0)
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(y), "r"(at(s)) : "memory");  // expect: race
}
extern "C" __global__ void source_overwritten(int* y) {
  __shared__ alignas(16) int s[32];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 128;" ::"l"(y), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
  __syncthreads();
  s[t] = 0;  // expect: race
}
// Only the thread that began the copy knows when it has read.
extern "C" __global__ void overwritten_beside_the_wait(int* y) {
  __shared__ alignas(16) int s[64];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(y), "r"(at(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
  }
  __syncthreads();
  if (t == 0) asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  if (t >= 32) s[t] = 0;  // expect: race
}
extern "C" __global__ void never_initialised(int* y) {
  __shared__ u64 bar;
  asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at(&bar)) : "memory");  // expect: uninitialized
  y[threadIdx.x] = 1;
}
extern "C" __global__ void made_by_each_row(int* y) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  arrive(&bar);
  wait(&bar, 0);
  y[threadIdx.y * blockDim.x + threadIdx.x] = 1;
}
extern "C" __global__ void ended_too_early(int* y, int last) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) init(&bar, 64);
  __syncthreads();
  arrive(&bar);
  __syncthreads();
  unsigned done = 0;
  while (!done) asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(&bar)) : "memory");  // expect: race
  if (threadIdx.x == last) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
  y[threadIdx.x] = done;
}
extern "C" __global__ void ended_and_made_again(int* y) {
  __shared__ u64 bar;
  for (int round = 0; round < 2; ++round) {
    if (threadIdx.x == 0) init(&bar, 64);
    __syncthreads();
    arrive(&bar);
    wait(&bar, 0);
    __syncthreads();
    if (threadIdx.x == 40) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
    __syncthreads();
  }
  y[threadIdx.x] = 1;
}
extern "C" __global__ void waits_after_the_end(int* y) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    arrive(&bar);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
  }
  __syncthreads();
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(&bar)) : "memory");  // expect: uninitialized
  y[threadIdx.x] = done;
}
extern "C" __global__ void too_many(int* y) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) init(&bar, 31);
  __syncthreads();
  asm volatile("{ .reg .b64 s; mbarrier.arrive.noComplete.shared.b64 s, [%0], 2; }" ::"r"(at(&bar)) : "memory");  // expect: barrier-divergence
  y[threadIdx.x] = 1;
}
extern "C" __global__ void too_few(int* y) {
  __shared__ u64 bar;
  if (threadIdx.x == 0) init(&bar, 33);
  __syncthreads();
  arrive(&bar);
  unsigned done = 0;
  while (!done)
    asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(done) : "r"(at(&bar)) : "memory");  // expect: deadlock
  y[threadIdx.x] = 1;
}
extern "C" __global__ void odd_size(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[32];
  if (threadIdx.x == 0) {
    init(&bar, 1);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)), "l"(x), "r"(24), "r"(at(&bar)) : "memory");  // expect: misaligned
  }
  y[threadIdx.x] = 1;
}
extern "C" __global__ void past_the_end(const int* x, int* y) {
  __shared__ int s[32];
  int t = threadIdx.x;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(s + t)), "l"(x + t + 4096) : "memory");  // expect: out-of-bounds
  asm volatile("cp.async.wait_all;" ::: "memory");
  y[t] = s[t];
}
)";

AsyncCopies& copies() {
  static AsyncCopies made(source);
  return made;
}

Device& device() { return copies().device; }
std::uint64_t input() { return copies().input; }
std::uint64_t output() { return copies().output; }
std::vector<int> got(int count) { return copies().got(count); }

TEST_CASE("an mbarrier orders what comes before arrivals and after waits") {
  device().run_clean("one_reader", {1, 1, 1}, {64, 1, 1}, output(), 5);
  CHECK(got(1)[0] == 5 * 496 + 32 * 10);
  auto report = device().run("written_after_arrival", {1, 1, 1}, {64, 1, 1}, output());
  const std::string found = Device::found(report);
  // Reported at whichever comes second.
  CHECK_FALSE(found.empty());
  CHECK(device().expected("written_after_arrival").find(found) != std::string::npos);
}

TEST_CASE("a thread that waits at an mbarrier looks once per turn, whichever thread comes last") {
  auto instructions = [](int rounds) {
    auto report = device().run("all_meet", {1, 1, 1}, {64, 1, 1}, output(), rounds);
    CHECK(report.diagnoses.empty());
    return report.counts.counters["ptx__thread_instructions"];
  };
  const double of_a_round = (instructions(110) - instructions(10)) / 100;
  CHECK(of_a_round < 64 * 20);
}

TEST_CASE("a copy that no thread waited for is in flight, and is found") {
  for (const char* kernel : {"no_wait", "one_too_few", "no_barrier_behind", "written_meanwhile",
                             "reused_too_early", "past_the_end"}) {
    CAPTURE(kernel);
    auto report = device().run(kernel, {1, 1, 1}, {64, 1, 1}, input(), output());
    CHECK(Device::found(report) == device().expected(kernel));
  }
  for (const char* kernel : {"no_wait_for_mbarrier", "odd_size"}) {
    CAPTURE(kernel);
    auto report = device().run(kernel, {1, 1, 1}, {32, 1, 1}, input(), output());
    CHECK(Device::found(report) == device().expected(kernel));
  }
  for (const char* kernel :
       {"source_overwritten", "source_not_fenced", "never_initialised", "too_many", "too_few"}) {
    CAPTURE(kernel);
    auto report = device().run(kernel, {1, 1, 1}, {32, 1, 1}, output());
    CHECK(Device::found(report) == device().expected(kernel));
  }
}

TEST_CASE(
    "what a copy reads stays until its thread has waited and a barrier has informed the others") {
  auto report = device().run("overwritten_beside_the_wait", {1, 1, 1}, {64, 1, 1}, output());
  CHECK(Device::found(report) == device().expected("overwritten_beside_the_wait"));
}

TEST_CASE(
    "an mbarrier ends when all have waited: a thread that still waits is reported, and goes on") {
  for (int last : {0, 31}) {
    CAPTURE(last);
    auto report = device().run("ended_too_early", {1, 1, 1}, {64, 1, 1}, output(), last);
    CHECK_FALSE(report.faulted);
    CHECK(Device::found(report) == device().expected("ended_too_early"));
    CHECK(got(64) == std::vector<int>(64, 1));
  }
  // A thread that ends it after the waits of all of them does no harm.
  device().run_clean("ended_too_early", {1, 1, 1}, {64, 1, 1}, output(), 63);
  device().run_clean("ended_and_made_again", {1, 1, 1}, {64, 1, 1}, output());
  auto report = device().run("waits_after_the_end", {1, 1, 1}, {64, 1, 1}, output());
  CHECK(Device::found(report) == device().expected("waits_after_the_end"));
}

TEST_CASE("sectors of copies past L1 are not confirmed where one is written over another") {
  const std::string requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                    sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
  for (int stages : {2, 3}) {
    CAPTURE(stages);
    auto report =
        device().run("stages_in_two_buffers", {1, 1, 1}, {32, 1, 1}, input(), output(), stages);
    const bool do_meet = stages > 2;
    CHECK(Device::found(report) == (do_meet ? device().expected("stages_in_two_buffers") : ""));
    CHECK(report.counts.counters.at(requests) == stages);
    CHECK(report.counts.counters.at((do_meet ? "ptx__" : "") + sectors) == 16 * stages);
  }
}

TEST_CASE("findings about copies say what to wait for, and about mbarriers what is missing") {
  auto message = [](const watch::LaunchReport& report) {
    return report.diagnoses.empty() ? std::string() : report.diagnoses[0].message;
  };
  auto report = device().run("no_wait", {1, 1, 1}, {64, 1, 1}, input(), output());
  CHECK(message(report).find("asynchronous copy that thread (0, 0, 0) began") != std::string::npos);
  CHECK(message(report).find("cp.async.wait_group") != std::string::npos);
  report = device().run("no_wait_for_mbarrier", {1, 1, 1}, {32, 1, 1}, input(), output());
  CHECK(message(report).find("mbarrier") != std::string::npos);
  report = device().run("too_few", {1, 1, 1}, {32, 1, 1}, output());
  CHECK(message(report).find("1 of 33 arrivals are missing") != std::string::npos);
  report = device().run("never_initialised", {1, 1, 1}, {32, 1, 1}, output());
  CHECK(message(report).find("bar") != std::string::npos);
  report = device().run("made_by_each_row", {1, 1, 1}, {16, 4, 1}, output());
  CHECK(message(report).find("One thread must initialise") != std::string::npos);
}

}  // namespace async_copy_waits_test
