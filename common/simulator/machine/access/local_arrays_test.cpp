// Local arrays of one frame: an index that leads from one into the next is found, whatever else
// moves about within one is right.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace local_arrays_test {

const std::string source = R"(
extern "C" __global__ void into_next(const int* x, int* y, int n) {
  int a[16], b[16];
  for (int i = 0; i < 16; ++i) b[i] = x[i];
  for (int i = 0; i < n; ++i) a[i] = x[i];
  y[threadIdx.x] = a[x[0]] + b[x[1]];
}
extern "C" __global__ void into_one_before(const int* x, int* y, int n) {
  int a[16], b[16];
  for (int i = 0; i < 16; ++i) a[i] = b[i] = x[i];
  y[threadIdx.x] = a[x[0]] + b[x[1] - n];
}
extern "C" __global__ void one_lane_before(const int* x, int* y, int n) {
  int a[16];
  for (int i = 0; i < 16; ++i) a[i] = x[i];
  y[threadIdx.x] = a[x[0] - (threadIdx.x == 5 ? n : 0)];
}
__device__ __noinline__ int of_function(const int* x, int n) {
  int a[16], b[16];
  for (int i = 0; i < 16; ++i) b[i] = x[i];
  for (int i = 0; i < n; ++i) a[i] = x[i];
  return a[x[0]] + b[x[1]];
}
extern "C" __global__ void in_function(const int* x, int* y, int n) {
  int own[8];
  for (int i = 0; i < 8; ++i) own[i] = x[i];
  y[threadIdx.x] = of_function(x, n) + own[x[0]];
}
struct Both { int a[16], b[16]; };
extern "C" __global__ void through_a_structure(const int* x, int* y, int n) {
  Both both, copy;
  int other[16];
  for (int i = 0; i < 16; ++i) both.a[i] = both.b[i] = other[i] = x[i];
  copy = both;
  int* all = (int*)&copy;
  for (int i = 0; i < 2 * n; ++i) all[i] += x[i & 15];
  int* some = n > 15 ? copy.b : other;
  some[x[0]] = 7;
  const int (*rows)[16] = (const int (*)[16])&both;
  y[threadIdx.x] = copy.a[x[1]] + other[x[2]] + rows[x[1]][x[2]];
}
extern "C" __global__ void backwards(const int* x, int* y, int n) {
  int a[16], b[16], sum = 0;
  int* end = a + 16;
  for (int* at = end; at-- != a;) *at = x[at - a];
  for (int* at = b; at != b + n; ++at) *at = x[at - b];
  for (int i = -16; i < 0; ++i) sum += end[i] * b[x[i + 16]];
  y[threadIdx.x] = sum;
}
)";

void check(const std::string& options) {
  Device device(source, options);
  const auto x = device.upload(std::vector<int>(32, 1)), y = device.upload(std::vector<int>(32));
  auto run = [&](const char* kernel, int n) {
    return device.run(kernel, {1, 1, 1}, {32, 1, 1}, x, y, n);
  };
  for (const char* kernel : {"into_next", "in_function", "through_a_structure", "backwards"})
    Device::check_clean(run(kernel, 16));
  Device::check_clean(run("into_one_before", 0));
  Device::check_clean(run("one_lane_before", 0));
  const std::pair<const char*, int> wrong[] = {
      {"into_next", 17}, {"in_function", 17}, {"into_one_before", 2}, {"one_lane_before", 2}};
  for (const auto& [kernel, n] : wrong) {
    CAPTURE(kernel);
    const auto report = run(kernel, n);
    CHECK(report.faulted);
    REQUIRE(report.diagnoses.size() == 1);
    CHECK(report.diagnoses[0].kind == "out-of-bounds");
    CHECK_MESSAGE(report.diagnoses[0].message.find("local array") != std::string::npos,
                  report.diagnoses[0].message);
  }
}

TEST_CASE("an index that leads from one local array into another is out of bounds") {
  check(fatbin_options);
}

TEST_CASE("so it is in a build for debuggers, whose pointers are generic") {
  check("-fatbin -std=c++20 -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
}

}  // namespace local_arrays_test
