// Which line a mistake is shown at where code of a library or of the program was inlined.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace inlined_lines_test {

TEST_CASE("code inlined from a header is shown where the user called it") {
  Device on(R"(
#include <cub/warp/warp_reduce.cuh>
extern "C" __global__ void reuses_storage(const float* x, float* y) {
  using Reduce = cub::WarpReduce<float, 32>;
  __shared__ typename Reduce::TempStorage storage;
  float a = x[threadIdx.x];
  y[threadIdx.x] = cub::ThreadLoad<cub::LOAD_CA>(x + threadIdx.x) +
      cub::ThreadLoad<cub::LOAD_CA>(x + threadIdx.x + 4);  // expect: out-of-bounds
}
)");
  auto x = on.upload(std::vector<float>(32)), y = on.upload(std::vector<float>(32));
  auto report = on.run("reuses_storage", {1, 1, 1}, {32, 1, 1}, x, y);
  CHECK(Device::found(report) == on.expected("reuses_storage"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].file.ends_with("kernel.cu"));
  CHECK(report.diagnoses[0].library_file.find("cub/thread/thread_load.cuh") != std::string::npos);
}

TEST_CASE("lanes that drop their values into one place race, but not inside CUB") {
  const std::string body = R"((int* y) {
  __shared__ int kept[33];
  kept[threadIdx.x % 2 ? 32 : threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x % 2 == 0) y[threadIdx.x] = kept[threadIdx.x];
}
)";
  Device on("namespace cub { __global__ void drops" + body + "}\n__global__ void drops" + body,
            "-fatbin -std=c++20 -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  auto y = on.upload(std::vector<int>(32));
  CHECK(Device::found(on.run("_ZN3cub5dropsEPi", {1, 1, 1}, {32, 1, 1}, y)) == "");
  CHECK(on.run("_Z5dropsPi", {1, 1, 1}, {32, 1, 1}, y).diagnoses.size() == 1);
}

TEST_CASE("code of a library that was not inlined is shown where the user called it") {
  const std::string text = R"(
extern "C" __global__ void swap(int* y) {
  int v = threadIdx.x;
  y[v] = __shfl_xor_sync(0xffffu, v, 1);  // expect: invalid-shuffle
}
)";
  Device debugged(text, "-fatbin -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  const auto report =
      debugged.run("swap", {1, 1, 1}, {32, 1, 1}, debugged.upload(std::vector<int>(32)));
  CHECK(Device::found(report) == debugged.expected("swap"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].library_line > 0);
}

TEST_CASE("functions of the program that were inlined say from where they were called") {
  Device on(R"(
__device__ __forceinline__ void put(int* where, int value) { *where = value; }
template <class F> __device__ __forceinline__ void for_one_more(int* y, int n, F f) {
  for (int i = threadIdx.x; i <= n; i += 32) f(y + i, i);
}
extern "C" __global__ void fill(int* y) {
  for_one_more(y, 32, [](int* at, int i) {
    put(at, i);
  });
}
)",
            "-fatbin -lineinfo -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  const auto report = on.run("fill", {1, 1, 1}, {32, 1, 1}, on.upload(std::vector<int>(32)));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].line == 2);
  std::vector<std::string> lines;
  for (const std::string& caller : report.diagnoses[0].called_from)
    lines.push_back(caller.substr(caller.rfind(':') + 1));
  CHECK(lines == std::vector<std::string>{"8", "4", "7"});
}

}  // namespace inlined_lines_test
