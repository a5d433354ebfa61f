// A value shuffled out of a lane that does not take part is undefined. It may be carried about and
// dropped; it is reported where it decides something.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace definedness_test {

const std::string source = R"(
// The classic sum of a short last warp: what absent lanes give is never added.
extern "C" __global__ void dropped(const float* x, float* y, int n) {
  int lane = threadIdx.x;
  float v = x[lane];
  for (int d = 16; d; d /= 2) {
    float other = __shfl_down_sync(0xffffffffu, v, d);
    if (lane + d < n) v += other;
  }
  if (lane == 0) y[0] = v;
}
// Chosen away, combined with what decides alone, overwritten: no lane's result depends on it.
extern "C" __global__ void chosen_away(const int* x, int* y, int n) {
  int lane = threadIdx.x;
  int other = __shfl_down_sync(0xffffffffu, x[lane], 1);
  int kept = lane + 1 < n ? other : 7;
  bool both = lane + 1 < n && other > 3;
  y[lane] = kept + both;
}
// Lanes from 8 on add what nobody gave, but only lane 0's sum is used.
extern "C" __global__ void only_lane_0(const int* x, int* y, int n) {
  unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x < 8);
  if (threadIdx.x < 8) {
    int v = x[threadIdx.x];
    for (int d = 4; d; d /= 2) v += __shfl_down_sync(mask, v, d);
    if (threadIdx.x == 0) y[0] = v;
  }
}
// The last round begins with fewer lanes, and the value that the others wait for is dropped.
extern "C" __global__ void lanes_leave_a_loop(const int* x, int* y, int n) {
  int before = 0;
  for (int i = threadIdx.x; i < n; i += 32) {
    y[i] = x[i % 8] + before;
    before = __shfl_sync(0xffffffffu, x[i % 8], 31);  // expect: invalid-shuffle
  }
}
extern "C" __global__ void stored(const int* x, int* y, int n) {
  y[threadIdx.x] = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1) * 2;  // expect: invalid-shuffle
}
extern "C" __global__ void branched_on(const int* x, int* y, int n) {
  int other = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1);  // expect: invalid-shuffle
  if (other * x[0] > 3) __nanosleep(y[0]);
}
extern "C" __global__ void used_as_index(const int* x, int* y, int n) {
  int other = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1);  // expect: invalid-shuffle
  y[0] = x[other & 3];
}
// The second shuffle is right; the value that it passes on is not.
extern "C" __global__ void passed_on(const int* x, int* y, int n) {
  int other = __shfl_down_sync(0xffffffffu, x[threadIdx.x], 1);  // expect: invalid-shuffle
  y[threadIdx.x] = __shfl_xor_sync((1u << n) - 1, other, 1);
}
)";

Device& device() {
  static Device device(source);
  return device;
}

watch::LaunchReport run_short_warp(const std::string& kernel) {
  constexpr int threads = 20;
  auto x = device().upload(std::vector<int>(threads, 0)),
       y = device().upload(std::vector<int>(threads));
  return device().run(kernel, {1, 1, 1}, {threads, 1, 1}, x, y, threads);
}

TEST_CASE("undefined values that decide nothing are not a mistake") {
  for (const char* kernel : {"dropped", "chosen_away", "only_lane_0"}) {
    auto report = run_short_warp(kernel);
    CHECK_MESSAGE((report.diagnoses.empty() && report.unsupported.empty()), kernel);
  }
}

TEST_CASE("a value of a lane that has returned is a note where nothing uses it") {
  std::uint64_t x = device().upload(std::vector<int>(8)), y = device().upload(std::vector<int>(72));
  auto report = device().run("lanes_leave_a_loop", {1, 1, 1}, {32, 1, 1}, x, y, 40);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(Device::found(report) == device().expected("lanes_leave_a_loop"));
  CHECK(report.diagnoses[0].message.find("lane 31, which has returned") != std::string::npos);
  device().run_clean("lanes_leave_a_loop", {1, 1, 1}, {32, 1, 1}, x, y, 64);
}

TEST_CASE("undefined values that decide are reported at the shuffle that made them") {
  for (const char* kernel : {"stored", "branched_on", "used_as_index", "passed_on"}) {
    auto report = run_short_warp(kernel);
    REQUIRE_MESSAGE(report.diagnoses.size() == 1, kernel);
    const watch::Diagnosis& found = report.diagnoses.front();
    CHECK(found.kind == "invalid-shuffle");
    CHECK(found.message.find("reads the value of lane 20") != std::string::npos);
    CHECK(found.thread == watch::Index3{19, 0, 0});
    CHECK(found.kind + " " + std::to_string(found.line) == device().expected(kernel));
  }
}

}  // namespace definedness_test
