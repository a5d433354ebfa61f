// Lanes that go different ways, and where they meet again.

#include <numeric>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace divergence_test {

const std::string source = R"(
extern "C" __global__ void nested(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i], r = 0;
  if (v % 2) {
    if (v % 3) r = v * 5; else r = v - 7;
    r += in[i ^ 1];
  } else if (v % 5 == 0) {
    r = in[(i + 3) % 64];
  } else {
    r = -v;
  }
  out[i] = r + 1;
}
extern "C" __global__ void trips(const int* in, int* out) {
  int i = threadIdx.x, sum = 0;
  for (int k = 0; k < in[i]; ++k) {
    if (k % 3 == 2) continue;
    for (int j = k; j < in[i]; j += 2) {
      if (j % 7 == 6) break;
      sum += j * k + 1;
    }
    if (sum > 500) break;
  }
  out[i] = sum;
}
extern "C" __global__ void two_ways_back(const int* in, int* out, int* met) {
  int i = threadIdx.x, v = in[i], turns = 0;
  while (true) {
    ++turns;
    if (v & 1) {
      v = 3 * v + 1;
      if (turns > 100) v = 2;
      continue;
    }
    v >>= 1;
    if (v <= 1) break;
  }
  out[i] = turns;
  met[i] = __activemask();
}
extern "C" __global__ void early(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] < 10) { out[i] = 100; return; }
  for (int k = 0; k < 20; ++k)
    if (in[i] == k) { out[i] = k; return; }
  out[i] = -1;
}
extern "C" __global__ void choose(const int* in, int* out, int* met) {
  int i = threadIdx.x, r = 0;
  switch (in[i] % 12) {
    case 0: r = in[i] * 3; break;
    case 1: r = in[i] ^ 77;
    case 2: r += 5; break;
    case 3: for (int k = 0; k < i; ++k) r += in[k]; break;
    case 4: case 5: case 6: r = -in[i]; break;
    case 7: r = in[63 - i]; break;
    case 8: if (i & 1) { r = 1; break; } r = 2; break;
    default: r = 9;
  }
  out[i] = r;
  met[i] = __activemask();
}
extern "C" __global__ void joined(const float* in, float* out) {
  int i = threadIdx.x;
  float v = in[i];
  #pragma unroll 1
  for (int k = 0; k < i % 4 + 1; ++k) v = v * 1.5f + in[(i + k) & 31];
  if (i & 1) v = in[31 - i] + v; else v = v - in[i];
  out[i] = v;
}
extern "C" __global__ void long_loops(int* out, int turns) {
  int i = threadIdx.x;
  unsigned v = i;
  #pragma unroll 1
  for (int k = 0; k < turns * (i + 1); ++k) v = v * 1664525u + 1013904223u;
  out[i] = v;
}
extern "C" __global__ void lock_inside_warp(int* lock, int* counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)counter = *(volatile int*)counter + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}
extern "C" __global__ void naive_lock(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) { }
  *(volatile int*)counter = *(volatile int*)counter + 1;
  __threadfence();
  atomicExch(lock, 0);
}
extern "C" __global__ void warp_waits_for_warp(int* out) {
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x / 32 == 0) {
    if (threadIdx.x == 0) while (flag == 0) { }
    __syncwarp();
    out[threadIdx.x] = 1;
  } else {
    out[threadIdx.x] = 2;
    __syncwarp();
    if (threadIdx.x == 32) flag = 1;
  }
}
)";

Device& device() {
  static Device made(source);
  return made;
}

std::vector<int> inputs(std::size_t count) {
  std::vector<int> values;
  for (std::uint32_t value : scrambled(count)) values.push_back(static_cast<int>(value % 40));
  return values;
}

int reference_trips(int n) {
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    if (k % 3 == 2) continue;
    for (int j = k; j < n; j += 2) {
      if (j % 7 == 6) break;
      sum += j * k + 1;
    }
    if (sum > 500) break;
  }
  return sum;
}

int reference_turns(int v) {
  for (int turns = 1;; ++turns) {
    if (v & 1) {
      v = turns > 100 ? 2 : 3 * v + 1;
      continue;
    }
    v >>= 1;
    if (v <= 1) return turns;
  }
}

int reference_choose(const std::vector<int>& in, int i) {
  switch (in[i] % 12) {
    case 0:
      return in[i] * 3;
    case 1:
      return (in[i] ^ 77) + 5;
    case 2:
      return 5;
    case 3:
      return std::accumulate(in.begin(), in.begin() + i, 0);
    case 4:
    case 5:
    case 6:
      return -in[i];
    case 7:
      return in[63 - i];
    case 8:
      return i & 1 ? 1 : 2;
    default:
      return 9;
  }
}

TEST_CASE("nested branches give every lane its own path") {
  auto in = inputs(64);
  auto x = device().upload(in), y = device().upload(std::vector<int>(64));
  auto report = device().run_clean("nested", {2, 1, 1}, {32, 1, 1}, x, y);
  auto want = made(64, [&](int i) {
    int v = in[i];
    if (v % 2) return (v % 3 ? v * 5 : v - 7) + in[i ^ 1] + 1;
    return (v % 5 == 0 ? in[(i + 3) % 64] : -v) + 1;
  });
  CHECK(difference(device().download<int>(y, 64), want) == "");
  CHECK(requests(report, "global store") == 2);
  CHECK(report.counts.counters.at("ptx__divergent_branches") > 0);
}

TEST_CASE("loops with a trip count per lane, continue and break in both loops") {
  auto in = inputs(64);
  auto x = device().upload(in), y = device().upload(std::vector<int>(64));
  auto report = device().run_clean("trips", {1, 1, 1}, {64, 1, 1}, x, y);
  auto want = made(64, [&](int i) { return reference_trips(in[i]); });
  CHECK(difference(device().download<int>(y, 64), want) == "");
  CHECK(requests(report, "global store") == 2);
}

TEST_CASE("a loop with two ways back is left by all lanes together") {
  auto in = inputs(32);
  for (int& value : in) value += 2;
  auto x = device().upload(in), y = device().upload(std::vector<int>(32)),
       m = device().upload(std::vector<int>(32));
  auto report = device().run_clean("two_ways_back", {1, 1, 1}, {32, 1, 1}, x, y, m);
  auto want = made(32, [&](int i) { return reference_turns(in[i]); });
  CHECK(difference(device().download<int>(y, 32), want) == "");
  CHECK(difference(device().download<int>(m, 32), std::vector<int>(32, -1)) == "");
  CHECK(requests(report, "global store") == 2);
}

TEST_CASE("threads that return early leave the others alone") {
  auto in = inputs(200);
  auto x = device().upload(in), y = device().upload(std::vector<int>(200, 55));
  device().run_clean("early", {3, 1, 1}, {64, 1, 1}, x, y, 150);
  auto want = made(200, [&](int i) {
    return i >= 150 ? 55 : in[i] < 10 ? 100 : in[i] < 20 ? in[i] : -1;
  });
  CHECK(difference(device().download<int>(y, 200), want) == "");
}

TEST_CASE("lanes of a switch with fall-through meet again after it") {
  auto in = inputs(64);
  auto x = device().upload(in), y = device().upload(std::vector<int>(64)),
       m = device().upload(std::vector<int>(64));
  auto report = device().run_clean("choose", {1, 1, 1}, {64, 1, 1}, x, y, m);
  auto want = made(64, [&](int i) { return reference_choose(in, i); });
  CHECK(difference(device().download<int>(y, 64), want) == "");
  CHECK(difference(device().download<int>(m, 64), std::vector<int>(64, -1)) == "");
  CHECK(requests(report, "global store") == 4);
}

TEST_CASE("counts are those of a warp whose lanes meet again at once") {
  std::vector<float> in(32, 2.0f);
  auto x = device().upload(in), y = device().upload(in);
  auto report = device().run_clean("joined", {1, 1, 1}, {32, 1, 1}, x, y);
  // in[i], four iterations of the loop, one load for each side of the branch or one for both.
  CHECK(requests(report, "global load") >= 6);
  CHECK(requests(report, "global load") <= 7);
  CHECK(requests(report, "global store") == 1);
}

TEST_CASE("loops of any length end together") {
  auto y = device().upload(std::vector<int>(32));
  auto report = device().run_clean("long_loops", {1, 1, 1}, {32, 1, 1}, y, 1000);
  CHECK(requests(report, "global store") == 1);
  auto want = made(32, [](int i) {
    auto v = static_cast<unsigned>(i);
    for (int k = 0; k < 1000 * (i + 1); ++k) v = v * 1664525u + 1013904223u;
    return v;
  });
  CHECK(difference(device().download<unsigned>(y, 32), want) == "");
}

TEST_CASE("a spin lock inside a warp ends, however it is written") {
  for (const char* kernel : {"lock_inside_warp", "naive_lock"}) {
    CAPTURE(kernel);
    auto lock = device().upload(std::vector<int>(1)),
         counter = device().upload(std::vector<int>(1));
    device().run_clean(kernel, {3, 1, 1}, {96, 1, 1}, lock, counter);
    CHECK(device().download<int>(counter, 1)[0] == 3 * 96);
    CHECK(device().download<int>(lock, 1)[0] == 0);
  }
}

TEST_CASE("a warp that waits for another lets it run") {
  auto y = device().upload(std::vector<int>(64));
  device().run_clean("warp_waits_for_warp", {1, 1, 1}, {64, 1, 1}, y);
  auto want = made(64, [](int i) { return i < 32 ? 1 : 2; });
  CHECK(difference(device().download<int>(y, 64), want) == "");
}

}  // namespace divergence_test
