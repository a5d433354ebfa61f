// The barriers of a block: which threads wait, what those that met learn, and which never come.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace barriers_test {

const std::string source = R"(
extern "C" __global__ void asked(const int* in, int* out) {
  int t = threadIdx.x, n = blockDim.x, v = in[t];
  out[t] = __syncthreads_count(v > 20);
  out[n + t] = __syncthreads_and(v >= 0) * 2 + __syncthreads_and(v > 0);
  out[2 * n + t] = __syncthreads_or(v == 31) * 2 + __syncthreads_or(v < 0);
}
// As a kernel that trains GPT-2 does.
extern "C" __global__ void add_and_leave(int* y) {
  __shared__ int s[32];
  if (threadIdx.x < 32) s[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&s[threadIdx.x % 32], 1);
  if (threadIdx.x >= 32) return;
  __syncthreads();  // expect: barrier-divergence
  y[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void leave_unmet(int* y) {
  __shared__ int s[128];
  s[threadIdx.x] = 1;  // expect: race
  if (threadIdx.x >= 32) return;
  y[threadIdx.x] = s[threadIdx.x + 32];
}
// Two warps fill, two drain: barrier 1 says full, barrier 2 says empty.
extern "C" __global__ void producers(int* out, int rounds) {
  __shared__ int buffer[64];
  int t = threadIdx.x;
  if (t < 64) {
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 2, 128;" ::: "memory");
      buffer[t] = t * 100 + r;
      asm volatile("bar.arrive 1, 128;" ::: "memory");
    }
  } else {
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    for (int r = 0; r < rounds; ++r) {
      asm volatile("bar.sync 1, 128;" ::: "memory");
      out[r * 64 + t - 64] = buffer[127 - t];
      if (r + 1 < rounds) asm volatile("bar.arrive 2, 128;" ::: "memory");
    }
  }
}
extern "C" __global__ void by_register(int* out, int first) {
  __shared__ int s[128];
  int t = threadIdx.x, half = t / 64;
  s[t] = t;
  int id = first + half, count = 64;
  asm volatile("barrier.sync %0, %1;" :: "r"(id), "r"(count) : "memory");
  out[t] = s[t ^ 63];
}
// The numbers differ from lane to lane, which only barriers without .aligned may do.
extern "C" __global__ void by_lane(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x, id = 1 + t % 2;
  s[t] = t;
  asm volatile("barrier.sync %0, 32;" :: "r"(id) : "memory");
  int yes = 0;
  asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 10; barrier.red.popc.u32 %0, %1, p; }"
               : "=r"(yes) : "r"(0), "r"(t) : "memory");
  out[t] = yes + s[t ^ 62] * 100;
}
extern "C" __global__ void leave_early(int* out, int n) {
  int t = threadIdx.x;
  if (t >= n) return;
  __syncthreads();  // expect: barrier-divergence
  out[t] = t;
}
extern "C" __global__ void lanes_in_branch(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 2) {
    s[t] += 1;
    __syncthreads();
  }
  __syncthreads();
  out[t] = s[63 - t];
}
extern "C" __global__ void lanes_apart(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t % 2) {
    s[t] += 1;
    __syncthreads();  // expect: barrier-divergence
  } else {
    s[t] += 2;
    __syncthreads();
  }
  out[t] = s[63 - t];
}
extern "C" __global__ void warps_apart(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    s[t] += 1;
    __syncthreads();  // expect: barrier-divergence
  } else {
    s[t] += 2;
    __syncthreads();
  }
  out[t] = s[63 - t];
}
extern "C" __global__ void named_apart(int* out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (t < 32) {
    s[t] += 1;
    asm volatile("bar.sync 3;" ::: "memory");
  } else {
    s[t] += 2;
    asm volatile("bar.sync 3;" ::: "memory");
  }
  out[t] = s[63 - t];
}
extern "C" __global__ void wait_elsewhere(int* out) {
  int t = threadIdx.x;
  if (t < 64)
    asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: barrier-divergence
  else
    asm volatile("bar.sync 2, 128;" ::: "memory");
  out[t] = t;
}
extern "C" __global__ void half_a_warp(int* out) {
  int t = threadIdx.x;
  if (t % 32 < 16) {
    __syncthreads();  // expect: barrier-divergence
  }
  __syncwarp();
  out[t] = t;
}
extern "C" __global__ void half_a_warp_first(int* out) {
  int t = threadIdx.x;
  if (t % 32 < 16) {
    __syncwarp();  // expect: invalid-shuffle
  }
  __syncthreads();
  out[t] = t;
}
extern "C" __global__ void too_few(int* out) {
  int t = threadIdx.x;
  if (t < 32) asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: deadlock
  out[t] = t;
}
extern "C" __global__ void counts_differ(int* out) {
  if (threadIdx.x < 64)
    asm volatile("bar.arrive 1, 96;" ::: "memory");
  else
    asm volatile("bar.sync 1, 128;" ::: "memory");  // expect: barrier-divergence
  out[threadIdx.x] = 1;
}
extern "C" __global__ void odd_count(int* out) {
  int count = 48 + (out == nullptr);
  asm volatile("bar.sync 1, %0;" :: "r"(count) : "memory");  // expect: barrier-divergence
  out[threadIdx.x] = 1;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

std::vector<int> run(const char* kernel, unsigned threads, std::size_t results, int argument) {
  CAPTURE(kernel);
  auto y = device().upload(std::vector<int>(results, -1));
  device().run_clean(kernel, {1, 1, 1}, {threads, 1, 1}, y, argument);
  return device().download<int>(y, results);
}

watch::LaunchReport run_wrong(const char* kernel, unsigned threads) {
  CAPTURE(kernel);
  auto y = device().upload(std::vector<int>(256, -1));
  auto report = device().run(kernel, {1, 1, 1}, {threads, 1, 1}, y);
  CHECK(Device::found(report) == device().expected(kernel));
  REQUIRE(report.diagnoses.size() == 1);
  return report;
}

bool says(const watch::LaunchReport& report, const char* words) {
  return report.diagnoses[0].message.find(words) != std::string::npos;
}

TEST_CASE("barriers count, and tell whether all or any said yes") {
  for (unsigned threads : {32u, 45u, 128u}) {
    CAPTURE(threads);
    auto in = made(threads, [](int i) { return (i * 13) % 40; });
    auto x = device().upload(in), y = device().upload(std::vector<int>(3 * threads));
    device().run_clean("asked", {1, 1, 1}, {threads, 1, 1}, x, y);
    int above = static_cast<int>(std::count_if(in.begin(), in.end(), [](int v) { return v > 20; }));
    int some = std::find(in.begin(), in.end(), 31) != in.end() ? 2 : 0;
    auto want = made(3 * threads, [&](int i) {
      return i < static_cast<int>(threads) ? above : i < 2 * static_cast<int>(threads) ? 2 : some;
    });
    CHECK(difference(device().download<int>(y, 3 * threads), want) == "");
  }
}

TEST_CASE(
    "producers arrive and go on, consumers wait; a thread that left after arriving counts once") {
  auto want = made(5 * 64, [](int i) { return (63 - i % 64) * 100 + i / 64; });
  CHECK(difference(run("producers", 128, 5 * 64, 5), want) == "");
}

TEST_CASE("numbers and counts of barriers come from registers") {
  auto want = made(128, [](int t) { return t ^ 63; });
  CHECK(difference(run("by_register", 128, 128, 3), want) == "");
  // An H100 takes barrier numbers out of range by their lowest bits.
  for (const int first : {3 + 16, 2 + 1024, 3 - 16}) {
    const auto x = device().upload(std::vector<int>(128));
    const auto report = device().run("by_register", {1, 1, 1}, {128, 1, 1}, x, first);
    CHECK(difference(device().download<int>(x, 128), want) == "");
    CHECK_FALSE(report.faulted);
    REQUIRE(report.diagnoses.size() == 1);
    CHECK(report.diagnoses[0].kind == "barrier-divergence");
    CHECK(says(report, ": numbers go from 0 to 15. A GPU takes it for barrier "));
  }
  auto y = device().upload(std::vector<int>(64));
  device().run_clean("by_lane", {1, 1, 1}, {64, 1, 1}, y);
  CHECK(difference(device().download<int>(y, 64),
                   made(64, [](int t) { return 10 + (t ^ 62) * 100; })) == "");
}

TEST_CASE("threads that returned before a barrier are a note, once") {
  auto y = device().upload(std::vector<int>(64, -1));
  auto report = device().run("leave_early", {3, 1, 1}, {64, 1, 1}, y, 40);
  CHECK(Device::found(report) == device().expected("leave_early"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(says(report, "24 of 64 threads"));
  CHECK_FALSE(report.faulted);
  CHECK(report.diagnoses[0].count == 3);
}

TEST_CASE("what warps did before they ended comes before the barrier that they never reach") {
  auto y = device().upload(std::vector<int>(32));
  const auto report = device().run("add_and_leave", {2, 1, 1}, {128, 1, 1}, y);
  CHECK(device().download<int>(y, 32) == std::vector<int>(32, 4));
  CHECK(Device::found(report) == device().expected("add_and_leave"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(says(report, "It opens when they have ended"));
  // With no barrier nothing waits for them.
  const auto race = device().run("leave_unmet", {1, 1, 1}, {128, 1, 1}, y);
  CHECK(Device::found(race) == device().expected("leave_unmet"));
  CHECK(race.diagnoses[0].severity == watch::Severity::error);
}

TEST_CASE("lanes of one warp at different barriers are an error") {
  auto report = run_wrong("lanes_apart", 64);
  CHECK(report.diagnoses[0].severity == watch::Severity::error);
  CHECK(says(report, "16 threads of this warp wait at this barrier and 16 at the one in line"));
  CHECK_FALSE(report.faulted);
  auto y = device().upload(std::vector<int>(64, -1));
  // The barrier in the branch is reported. Some threads meet the other one when the rest has
  // returned.
  report = device().run("lanes_in_branch", {1, 1, 1}, {64, 1, 1}, y);
  REQUIRE(report.diagnoses.size() == 2);
  CHECK(says(report, "16 threads of this warp wait at this barrier and 16 at the one in line"));
  CHECK(report.diagnoses[0].line + 2 == report.diagnoses[1].line);
  CHECK(report.diagnoses[1].severity == watch::Severity::note);
}

TEST_CASE("warps of a block at __syncthreads() of different lines are a note") {
  const auto want = made(64, [](int t) { return 63 - t + (63 - t < 32 ? 1 : 2); });
  auto y = device().upload(std::vector<int>(64, -1));
  auto report = device().run("warps_apart", {3, 1, 1}, {64, 1, 1}, y);
  CHECK(Device::found(report) == device().expected("warps_apart"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(report.diagnoses[0].count == 3);
  CHECK(says(report, "32 threads of the block wait at this __syncthreads() and 32 at the one in"));
  CHECK(difference(device().download<int>(y, 64), want) == "");
  device().run_clean("named_apart", {1, 1, 1}, {64, 1, 1}, y);
  CHECK(difference(device().download<int>(y, 64), want) == "");
}

TEST_CASE("all that meet at a barrier name the same number of threads") {
  const std::uint64_t y = device().upload(std::vector<int>(128));
  const auto report = device().run("counts_differ", {1, 1, 1}, {128, 1, 1}, y);
  CHECK(Device::found(report) == device().expected("counts_differ"));
  CHECK(report.faulted);
  CHECK(says(report, "barrier 1 should wait for 128 threads here, and for 96 where others have"));
}

TEST_CASE("threads that wait elsewhere are named with their line") {
  auto report = run_wrong("wait_elsewhere", 128);
  CHECK(report.faulted);
  CHECK(says(report, "64 of 128 threads wait at barrier 1 forever; 64 wait at barrier 2 in"));
  CHECK(says(run_wrong("too_few", 128), "96 have returned"));
  CHECK(says(run_wrong("half_a_warp", 64), "32 wait for lanes of their warp in line"));
  run_wrong("half_a_warp_first", 64);
  CHECK(says(run_wrong("odd_count", 64), "multiple of 32"));
}

}  // namespace barriers_test
