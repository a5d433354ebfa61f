// Memory that was never written: copies carry its values along; each is reported where it decides.

#include "simulator/machine/machine_fixture.h"
#include "simulator/memory/pages.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace uninitialized_test {

// Each kernel gets x, fresh but for its first 16 values, and y, a fresh result.
const std::string source = R"(
extern "C" __global__ void copies(const float* x, float* y) {
  __shared__ float s[32];
  int i = threadIdx.x;
  s[i] = x[i];
  __syncwarp();
  float v = __shfl_xor_sync(~0u, s[i ^ 1], 1);
  y[i] = i < 16 ? v * 2 : v;
}
extern "C" __global__ void copies_vectors(const float4* x, float4* y) {
  y[threadIdx.x] = x[threadIdx.x];
}
struct Padded { double a; char b; };
extern "C" __global__ void copies_structs(const Padded* x, Padded* y) {
  y[threadIdx.x].a = 1;
  y[threadIdx.x].b = 2;
  y[threadIdx.x + 8] = y[threadIdx.x];
}
extern "C" __global__ void copies_tile(const float* x, float* y) {
  __shared__ float tile[32];
  if (threadIdx.x < 20) tile[threadIdx.x] = x[0];
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];  // expect: uninitialized
}
extern "C" __global__ void copies_pair(const float2* x, float2* y) {
  __shared__ float2 tile[32];
  tile[threadIdx.x].x = 1;
  __syncthreads();
  y[threadIdx.x] = tile[threadIdx.x];
}
extern "C" __global__ void computes(const float* x, float* y) {
  float v =
      x[threadIdx.x];  // expect: uninitialized
  y[threadIdx.x] = v * 2 + 1;
}
extern "C" __global__ void branches(const int* x, int* y) {
  if (x[threadIdx.x] > 3)  // expect: uninitialized
    __nanosleep(20);
}
extern "C" __global__ void indexes(const int* x, int* y) {
  int k = x[threadIdx.x];  // expect: uninitialized
  y[k & 3] = 5;
}
extern "C" __global__ void counts(const int* x, int* y) {
  atomicAdd(&y[threadIdx.x % 4], 1);  // expect: uninitialized
}
extern "C" __global__ void exchanges(const int* x, int* y) {
  int was = atomicExch(&y[threadIdx.x / 2], 1);  // expect: uninitialized
  if (threadIdx.x > 6 && was == 0) y[64] = 1;
}
extern "C" __global__ void claims(const int* x, int* y) {
  __shared__ int was;
  if (threadIdx.x == 0) was = atomicExch(&y[0], 1);  // expect: uninitialized
  __syncthreads();
  if (was == 0) y[threadIdx.x] = 1;
}
extern "C" __global__ void races_elsewhere(const int* x, int* y) {
  __shared__ int was;
  if (threadIdx.x == 0)
    was = y[0];  // expect: uninitialized
  if (was == 0)  // expect: race
    y[threadIdx.x] = 1;
}
extern "C" __global__ void prepends(const int* x, int* y) {
  y[threadIdx.x + 1] = atomicExch(&y[0], threadIdx.x);
  if (threadIdx.x == 0 && y[0] == 99) y[64] = 1;
}
extern "C" __global__ void shared_memory(const int* x, int* y) {
  __shared__ int total[32];
  int i = threadIdx.x;
  if (i < 30) total[i] = i;
  __syncwarp();
  y[i] = total[i] + 1;  // expect: uninitialized
}
// The sums are made in shared memory; only the last step copies one out.
extern "C" __global__ void through_shared(const float* x, float* y) {
  __shared__ float s[32];
  int i = threadIdx.x;
  s[i] = x[i] * 2;  // expect: uninitialized
  for (int half = 16; half; half /= 2) {
    __syncwarp();
    if (i < half) s[i] += s[i + half];
  }
  __syncwarp();
  if (i == 0)
    y[0] = s[0];
}
extern "C" __global__ void tile_copy(const float* x, float* y) {
  __shared__ float tile[32];
  tile[threadIdx.x] = x[threadIdx.x];  // expect: uninitialized
  __syncwarp();
  y[threadIdx.x] = tile[threadIdx.x ^ 1] + 1;
}
// What is computed from it is never used.
extern "C" __global__ void unused(const float* x, float* y) {
  __shared__ float s[32];
  int i = threadIdx.x;
  s[i] = x[i] * 2;
  __syncwarp();
  y[i] = i < 15 ? s[i + 1] : 0.0f;
}
extern "C" __global__ void local_array(const int* x, int* y) {
  int table[16];
  for (int i = 0; i < 16; i += 2) table[i] = i + x[i];
  int v = table[threadIdx.x & 15];  // expect: uninitialized
  if (v > 100) y[0] = 1;
}
extern "C" __global__ void local_copy(const int* x, int* y) {
  int table[16];
  for (int i = 0; i < 16; i += 2) table[i] = i + x[i];
  for (int i = 0; i < 16; ++i) y[32 + i] = table[15 - i];
  y[3] = table[x[threadIdx.x & 15] & 14];
}
struct Pair { int a[2]; };
extern "C" __global__ void through_a_structure(const Pair* x, int* y) {
  Pair pair =
      x[threadIdx.x];  // expect: uninitialized
  y[threadIdx.x] = pair.a[y[99] & 1] * 2;
}
extern "C" __global__ void leads_astray(const int* x, int* y) {
  __shared__ int next[32];
  if (threadIdx.x) next[threadIdx.x] = 0;
  __syncwarp();
  y[(long long)next[threadIdx.x] << 20] = 1;  // expect: uninitialized
}
extern "C" __global__ void doubles(int* x, int* y) {
  x[threadIdx.x] *= 2;  // expect: uninitialized
}
__device__ __noinline__ int sum_of(int a, int b, int* log) {
  if (log) *log = 1;
  return a + b;
}
__device__ __noinline__ int first_of(int a, int b, int* log) {
  if (log) *log = 1;
  return a;
}
extern "C" __global__ void passes(const int* x, int* y) {
  int v = x[threadIdx.x];  // expect: uninitialized
  y[threadIdx.x] = sum_of(5, v, nullptr);
}
extern "C" __global__ void returns(const int* x, int* y) {
  int v = first_of(x[threadIdx.x], 5, nullptr);  // expect: uninitialized
  y[threadIdx.x] = v * 3;
}
extern "C" __global__ void passes_unused(const int* x, int* y) {
  int v = x[threadIdx.x];
  y[threadIdx.x] = sum_of(5, first_of(6, v, nullptr), nullptr);
  y[threadIdx.x] = sum_of(7, 8, nullptr);
}
extern "C" __global__ void from_heap(const int* x, int* y) {
  int* piece = static_cast<int*>(malloc(64));
  piece[0] = 1;
  y[threadIdx.x] = piece[0] + piece[threadIdx.x % 16];  // expect: uninitialized
  free(piece);
}
extern "C" __global__ void sums(const float* x, float* y) {
  float sum;
  for (int i = 0; i < blockDim.x / 2; ++i)
    sum += x[i];  // expect: uninitialized
  y[threadIdx.x] = sum;
}
extern "C" __global__ void largest(const int* x, int* y) {
  __shared__ int found[32];
  int most;
  for (int i = 0; i < blockDim.x / 2; ++i)
    most = max(most, x[i]);  // expect: uninitialized
  found[threadIdx.x] = most;
  __syncwarp();
  if (threadIdx.x == 0) y[0] = found[1];
}
extern "C" __global__ void decides(const int* x, int* y) {
  int turns;
  for (int i = 0; i < blockDim.x / 2; ++i)
    if (turns++ == x[i])  // expect: uninitialized
      __nanosleep(20);
}
// Some path reads it first; no thread takes that path.
extern "C" __global__ void set_where_used(const float* x, float* y) {
  float v;
  if (threadIdx.x < 16) v = x[threadIdx.x] * 2;
  __syncwarp();
  if (threadIdx.x < 16) y[threadIdx.x] = v + 1;
}
extern "C" __global__ void writes_first(float* x, float* y) {
  int i = threadIdx.x;
  x[i] = i;
  __syncthreads();
  y[i] = x[i ^ 1] + 1;
}
)";

struct Arrays {
  std::uint64_t x, y;
};

Device& device() {
  static Device made(source);
  return made;
}

// A value that is read in one file and used in another, in a line of the same number.
const std::string two_files = R"(
extern "C" __global__ void across(const float* x, float* y) {
  float v = x[threadIdx.x];
#line 3 "tiles/store.h"
  y[threadIdx.x] = v * 2 + 1;
}
)";

Arrays arrays() {
  Device& on = device();
  Arrays made{on.fresh(128, "x"), on.fresh(512, "y")};
  std::byte* start = on.memory().host(made.x);
  std::memset(start, 0, 64);
  on.memory().written(start, nullptr, 64);
  return made;
}

TEST_CASE("uninitialised values that are only carried along are not a mistake") {
  for (const char* kernel : {"copies", "copies_structs", "unused", "set_where_used", "writes_first",
                             "local_copy", "passes_unused", "prepends"}) {
    CAPTURE(kernel);
    Arrays made = arrays();
    unsigned threads = std::string(kernel) == "copies_structs" ? 8 : 32;
    device().run_clean(kernel, {1, 1, 1}, {threads, 1, 1}, made.x, made.y);
  }
}

TEST_CASE("uninitialised values that decide are reported at the line that read them") {
  struct Case {
    const char* kernel;
    unsigned lowest_thread;
    const char* words;
  };
  const Case cases[] = {
      {"computes", 16,
       "reads offset 64 of array x (128 bytes), which nothing has written, and the "
       "value makes a result that is stored in line"},
      {"branches", 16, "the value decides what runs."},
      {"indexes", 16, "the value is part of an address in line"},
      {"counts", 0,
       "reads offset 0 of array y (512 bytes), which nothing has written, and the "
       "value is updated"},
      {"exchanges", 8, "reads offset 16 of array y (512 bytes), which nothing has written"},
      {"claims", 0, "reads offset 0 of array y (512 bytes), which nothing has written"},
      {"local_array", 1, "reads offset 4 of its local arrays (64 bytes), which nothing"},
      {"shared_memory", 30, "reads offset 120 of shared array total (128 bytes), which nothing"},
      {"doubles", 16, "reads offset 64 of array x (128 bytes), which nothing has written"},
      {"passes", 16, "reads offset 64 of array x (128 bytes), which nothing has written"},
      {"returns", 16, "reads offset 64 of array x (128 bytes), which nothing has written"},
      {"from_heap", 1, "reads offset 4 of allocation"},
      {"through_shared", 31,
       "reads offset 124 of array x (128 bytes), which nothing has written, and "
       "the value makes a result that is stored in line"},
      {"tile_copy", 17,
       "reads offset 68 of array x (128 bytes), which nothing has written, and "
       "the value makes a result that is stored in line"},
      {"sums", 0, "thread (0, 0, 0) reads a variable that has no value yet, and what it finds"},
      {"largest", 0, "what it finds there makes a result that is stored. Give it a value"},
      {"decides", 0, "has no value yet, and what it finds there decides what runs."},
  };
  for (const Case& c : cases) {
    CAPTURE(std::string(c.kernel));
    Arrays made = arrays();
    auto report = device().run(c.kernel, {1, 1, 1}, {32, 1, 1}, made.x, made.y);
    CHECK(report.unsupported == "");
    CHECK_FALSE(report.faulted);
    CHECK(Device::found(report) == device().expected(c.kernel));
    if (report.diagnoses.size() != 1) continue;
    const watch::Diagnosis& found = report.diagnoses.front();
    CHECK(found.thread == watch::Index3{c.lowest_thread, 0, 0});
    CHECK_MESSAGE(found.message.find(c.words) != std::string::npos, found.message);
  }
}

TEST_CASE("a word of shared memory that was never written and goes on as it is, is a note") {
  Arrays made = arrays();
  const auto report = device().run("copies_tile", {1, 1, 1}, {32, 1, 1}, made.x, made.y);
  REQUIRE(Device::found(report) == device().expected("copies_tile"));
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(report.diagnoses[0].thread == watch::Index3{20, 0, 0});
  made = arrays();
  device().run_clean("copies_pair", {1, 1, 1}, {32, 1, 1}, made.x, made.y);
}

TEST_CASE("a value that went through local memory is reported where it was read") {
  Arrays made = arrays();
  std::memset(device().memory().host(made.y), 0, 512);
  device().memory().written(device().memory().host(made.y), nullptr, 512);
  const auto report = device().run("through_a_structure", {1, 1, 1}, {16, 1, 1}, made.x, made.y);
  CHECK(Device::found(report) == device().expected("through_a_structure"));
  REQUIRE(report.diagnoses.size() == 1);
  CHECK_MESSAGE(report.diagnoses[0].message.find("of array x") != std::string::npos,
                report.diagnoses[0].message);
}

TEST_CASE("a value without content is reported before the wrong address that is made of it") {
  Arrays made = arrays();
  const auto report = device().run("leads_astray", {1, 1, 1}, {32, 1, 1}, made.x, made.y);
  REQUIRE(report.diagnoses.size() == 2);
  CHECK(report.diagnoses[0].kind == "uninitialized");
  CHECK(report.diagnoses[1].kind == "out-of-bounds");
}

TEST_CASE("a race in shared memory hides nothing of what global memory does not hold") {
  Arrays made = arrays();
  const auto report = device().run("races_elsewhere", {1, 1, 1}, {64, 1, 1}, made.x, made.y);
  CHECK(Device::found(report) == device().expected("races_elsewhere"));
}

TEST_CASE("the line that uses such a value is named with its file where that is another one") {
  Device on(two_files);
  const std::uint64_t x = on.fresh(128, "x"), y = on.fresh(128, "y");
  const auto report = on.run("across", {1, 1, 1}, {32, 1, 1}, x, y);
  REQUIRE(report.diagnoses.size() == 1);
  const watch::Diagnosis& found = report.diagnoses.front();
  const std::string words = "the value makes a result that is stored in line " +
                            std::to_string(found.line) + " of store.h.";
  CHECK_MESSAGE(found.message.find(words) != std::string::npos, found.message);
}

TEST_CASE("a copy of what was never written is not written either; the host's fill makes it so") {
  Device& on = device();
  Arrays made = arrays();
  auto z = on.fresh(128, "z");
  on.run_clean("copies_vectors", {1, 1, 1}, {8, 1, 1}, made.x, z);
  auto report = on.run("computes", {1, 1, 1}, {32, 1, 1}, z, made.y);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].thread == watch::Index3{16, 0, 0});
  CHECK(report.diagnoses[0].count == 16);
  CHECK(report.diagnoses[0].message.find("array z") != std::string::npos);

  auto copy = on.fresh(128, "copy");
  on.memory().written(on.memory().host(copy), on.memory().host(z), 128);
  CHECK(on.run("computes", {1, 1, 1}, {32, 1, 1}, copy, made.y).diagnoses.size() == 1);
  on.memory().written(on.memory().host(z), nullptr, 128);
  on.run_clean("computes", {1, 1, 1}, {32, 1, 1}, z, made.y);
  on.memory().forget(z);
  CHECK(on.run("computes", {1, 1, 1}, {32, 1, 1}, z, made.y).diagnoses.size() == 1);
  on.memory().release(z);
  on.memory().release(copy);
}

TEST_CASE("a kernel of CUB may look at what is after its data, not at unset data of the program") {
  const std::string body = R"((const int* x, int* y) {
  __shared__ int tile[33];
  int i = threadIdx.x;
  tile[i] = x[i];
  __syncthreads();
  y[i] = tile[i] < tile[i + 1];
}
)";
  Device on("namespace cub { __global__ void looks" + body + "}\n__global__ void looks" + body,
            "-fatbin -std=c++20 -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  const auto x = on.upload(std::vector<int>(32)), y = on.upload(std::vector<int>(32));
  CHECK(Device::found(on.run("_ZN3cub5looksEPKiPi", {1, 1, 1}, {32, 1, 1}, x, y)) == "");
  CHECK(on.run("_Z5looksPKiPi", {1, 1, 1}, {32, 1, 1}, x, y).diagnoses.size() == 1);
  const auto unset = on.fresh(128, "unset");
  const auto report = on.run("_ZN3cub5looksEPKiPi", {1, 1, 1}, {32, 1, 1}, unset, y);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].message.find("of array unset") != std::string::npos);
}

TEST_CASE("managed memory counts as written where the host has touched it, the rest gets notes") {
  Arrays made = arrays();
  const std::size_t pages = 40, page = memory::page_bytes();
  const memory::Allocation* managed =
      device().memory().allocate(pages * page, memory::Kind::managed);
  REQUIRE(managed != nullptr);
  device().memory().track(managed->base);
  const std::uint64_t last = managed->base + (pages - 1) * page;
  *reinterpret_cast<int*>(managed->base + page - 4) = 5;  // by the host
  device().run_clean("doubles", {1, 1, 1}, {32, 1, 1}, managed->base, made.y);
  const auto report = device().run("doubles", {1, 1, 1}, {32, 1, 1}, last, made.y);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].severity == watch::Severity::note);
  CHECK(report.diagnoses[0].message.find("hands out managed memory as zeros") != std::string::npos);
  // The kernel has written there now, and elsewhere, what it took from nowhere.
  device().run_clean("doubles", {1, 1, 1}, {32, 1, 1}, last, made.y);
  const std::uint64_t fresh = last - page;
  device().run_clean("copies_vectors", {1, 1, 1}, {8, 1, 1}, fresh, made.x);
  device().run_clean("doubles", {1, 1, 1}, {32, 1, 1}, made.x, made.y);
}

TEST_CASE("a kernel of CUB may hand variables without a value to what the program gave it") {
  const std::string body = R"((const int* x, int* y) {
  int most;
  for (int i = 0; i < blockDim.x / 2; ++i) most = max(most, x[i]);
  y[threadIdx.x] = most;
}
)";
  Device on(
      "namespace cub { __global__ void combines" + body + "}\n__global__ void combines" + body,
      "-fatbin -std=c++20 -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  const auto x = on.upload(std::vector<int>(32)), y = on.upload(std::vector<int>(32));
  CHECK(Device::found(on.run("_ZN3cub8combinesEPKiPi", {1, 1, 1}, {32, 1, 1}, x, y)) == "");
  CHECK(on.run("_Z8combinesPKiPi", {1, 1, 1}, {32, 1, 1}, x, y).diagnoses.size() == 1);
}

TEST_CASE("debug builds of CUB branch on a prefix that the first warp does not have") {
  Device device(R"(
#include <cub/block/block_scan.cuh>
#include <cuda/functional>
extern "C" __global__ void largest_before(const int* x, int* y) {
  using Scan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage storage;
  int values[2] = {x[threadIdx.x], x[threadIdx.x + 64]};
  Scan(storage).ExclusiveScan(values, values, 0, cuda::maximum<>{});
  y[threadIdx.x] = values[1];
}
extern "C" __global__ void largest_of_three(const int* x, int* y, int n) {
  using Scan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS>;
  __shared__ typename Scan::TempStorage storage;
  int values[4];
  for (int i = 0; i < n; ++i) values[i] = x[threadIdx.x];
  Scan(storage).ExclusiveScan(values, values, 0, cuda::maximum<>{});
  y[threadIdx.x] = values[3];
}
)",
                "-fatbin -std=c++20 -G -gencode 'arch=compute_90,code=[compute_90,sm_90]'");
  const auto x = device.upload(scrambled(128)), y = device.upload(std::vector<int>(64));
  device.run_clean("largest_before", {1, 1, 1}, {64, 1, 1}, x, y);
  const auto report = device.run("largest_of_three", {1, 1, 1}, {64, 1, 1}, x, y, 3);
  REQUIRE(report.diagnoses.size() >= 1);
  CHECK(report.diagnoses[0].kind == "uninitialized");
}

}  // namespace uninitialized_test
