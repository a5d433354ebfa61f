#include "simulator/machine/machine_fixture.h"

// Products of warpgroups: which warps have to come, what has to be waited for, where descriptors
// point. Results of products are compared with a GPU's in
// common/verification/recorded/wgmma_products.txt.
namespace warpwise::machine::test {
namespace warpgroup_test {

const std::string source = R"(
#include <cstdint>
__device__ __forceinline__ uint64_t descriptor(const void* tile) {
  return static_cast<unsigned>(__cvta_generic_to_shared(tile)) >> 4 | 8ull << 16 | 16ull << 32;
}
#define FENCE() asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WAIT(N) asm volatile("wgmma.wait_group.sync.aligned " #N ";" ::: "memory")
#define MULTIPLY(D, A, B, ADDS) asm volatile( \
  "{.reg .pred p; setp.ne.b32 p, %6, 0;" \
  "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3}, %4, %5, p, 1, 1;}" \
  : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3]) : "l"(A), "l"(B), "r"(ADDS))
#define MULTIPLY_HELD(D, A, B) asm volatile( \
  "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 0, 1, 1;" \
  : "+f"(D[0]), "+f"(D[1]), "+f"(D[2]), "+f"(D[3]) : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "l"(B))
#define TILES() \
  __shared__ alignas(128) float a[64 * 8], b[8 * 8]; \
  for (int i = threadIdx.x; i < 64 * 8; i += blockDim.x) a[i] = 1; \
  for (int i = threadIdx.x; i < 8 * 8; i += blockDim.x) b[i] = 2; \
  asm volatile("fence.proxy.async;" ::: "memory"); \
  __syncthreads()

extern "C" __global__ void product(float* y, int unused) {
  TILES();
  float d[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  MULTIPLY(d, descriptor(a), descriptor(b), 1);
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
extern "C" __global__ void not_committed(float* y, int unused) {
  TILES();
  float d[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  WAIT(0);
  y[threadIdx.x] = d[0];  // expect: race
}
extern "C" __global__ void copied_then_waited(float* y, int n) {
  TILES();
  float d[4], e[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  COMMIT();
  for (int i = 0; i < 4; ++i) e[i] = d[i];
  MULTIPLY(d, descriptor(a), descriptor(b), 1);
  COMMIT();
  WAIT(1);
  y[threadIdx.x] = e[0] + e[1];
  WAIT(0);
  y[threadIdx.x] += d[0];
}
extern "C" __global__ void result_is_factor(float* y, int unused) {
  TILES();
  float d[4], e[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  COMMIT();
  const uint32_t held[4] = {__float_as_uint(d[0]), __float_as_uint(d[1]), __float_as_uint(d[2]), __float_as_uint(d[3])};
  MULTIPLY_HELD(e, held, descriptor(b));  // expect: race
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = e[0];
}
// One thread of the four warps may say that all have read.
extern "C" __global__ void next_tile_after_wait(float* y, int unused) {
  TILES();
  __shared__ volatile int done;
  float d[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  COMMIT();
  WAIT(0);
  if (threadIdx.x == 0)
    for (int i = 0; i < 64; ++i) b[i] = 3;
  y[threadIdx.x] = d[0];
}
// The second product still reads what the first one, which has ended, has read.
extern "C" __global__ void tile_of_two_groups(float* y, int n) {
  TILES();
  float d[4], e[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);
  COMMIT();
  MULTIPLY(e, descriptor(a), descriptor(b), 0);
  COMMIT();
  WAIT(1);
  if (n && threadIdx.x < 32) b[threadIdx.x] = 3;  // expect: race
  WAIT(0);
  y[threadIdx.x] = d[0] + e[0];
}
extern "C" __global__ void half_of_warp(float* y, int n) {
  TILES();
  float d[4] = {};
  FENCE();
  if (threadIdx.x % 32 < n) {
    MULTIPLY(d, descriptor(a), descriptor(b), 0);  // expect: barrier-divergence
  }
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void warps_apart(float* y, int n) {
  TILES();
  float d[4] = {};
  FENCE();
  if (threadIdx.x / 32 < n) {
    MULTIPLY(d, descriptor(a), descriptor(b), 0);
  } else {
    MULTIPLY(d, descriptor(b), descriptor(a), 0);  // expect: barrier-divergence
  }
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void warp_waits_elsewhere(float* y, int n) {
  TILES();
  float d[4] = {};
  FENCE();
  if (threadIdx.x / 32 < n) MULTIPLY(d, descriptor(a), descriptor(b), 0);  // expect: barrier-divergence
  __syncthreads();
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void outside(float* y, int n) {
  TILES();
  float d[4];
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b) + ((uint64_t)n << 16), 0);  // expect: out-of-bounds
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void without_fence(float* y, int unused) {
  TILES();
  float d[4];
  MULTIPLY(d, descriptor(a), descriptor(b), 0);  // expect: race
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void fenced_by_readers(float* y, int n) {
  TILES();
  float d[4];
  if (n) a[threadIdx.x] = 5;
  __syncthreads();
  if (n > 1) asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  FENCE();
  MULTIPLY(d, descriptor(a), descriptor(b), 0);  // expect: race
  COMMIT();
  WAIT(0);
  y[threadIdx.x] = d[0];
}
extern "C" __global__ void sparse(float* y, int unused) {
  TILES();
  float d[4];
  asm volatile(
      "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.tf32.tf32 {%0,%1,%2,%3}, %4, %5, %6, 0, 0, 1, 1;"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(descriptor(a)), "l"(descriptor(b)), "r"(0));
  y[threadIdx.x] = d[0];
}
)";

Device& device() {
  static Device made(source,
                     "-fatbin -std=c++20 -lineinfo -gencode "
                     "'arch=compute_90a,code=[compute_90a,sm_90a]'");
  return made;
}

constexpr watch::Index3 one{1, 1, 1}, warpgroup{128, 1, 1};

void check_mistake(const std::string& kernel, int argument) {
  Device& on = device();
  const auto report = on.run(kernel, one, warpgroup, on.upload(std::vector<float>(256)), argument);
  INFO(kernel);
  CHECK(report.unsupported == "");
  CHECK(Device::found(report) == on.expected(kernel));
}
std::vector<float> right(const std::string& kernel, int argument, unsigned threads = 128) {
  Device& on = device();
  const auto y = on.upload(std::vector<float>(threads));
  const auto report = on.run_clean(kernel, one, {threads, 1, 1}, y, argument);
  INFO(kernel);
  CHECK(Device::found(report) == "");
  return on.download<float>(y, threads);
}

TEST_CASE("right products have no report, in one warpgroup and in two") {
  CHECK(right("product", 0) == std::vector<float>(128, 4 * 2 * 16.0f));
  CHECK(right("product", 0, 256) == std::vector<float>(256, 4 * 2 * 16.0f));
  CHECK(right("copied_then_waited", 0) == std::vector<float>(128, 2 * 16.0f + 32.0f));
  CHECK(right("next_tile_after_wait", 0) == std::vector<float>(128, 16.0f));
  CHECK(right("fenced_by_readers", 2).size() == 128);
  CHECK(right("fenced_by_readers", 0).size() == 128);
  CHECK(right("outside", 0).size() == 128);
  CHECK(right("half_of_warp", 32).size() == 128);
  CHECK(right("warps_apart", 4).size() == 128);
  CHECK(right("warp_waits_elsewhere", 0).size() == 128);
}

TEST_CASE("tiles stay until all products that read them have been waited for") {
  CHECK(right("tile_of_two_groups", 0) == std::vector<float>(128, 32.0f));
  check_mistake("tile_of_two_groups", 1);
}

TEST_CASE("registers that a product may still write are not to be used") {
  check_mistake("not_committed", 0);
  check_mistake("result_is_factor", 0);
}

TEST_CASE("four whole warps execute one product together") {
  for (int n : {1, 31}) check_mistake("half_of_warp", n);
  for (int n : {1, 3}) check_mistake("warps_apart", n);
  for (int n : {1, 3}) check_mistake("warp_waits_elsewhere", n);
  Device& on = device();
  const auto report = on.run("product", one, {64, 1, 1}, on.upload(std::vector<float>(64)), 0);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].message.find("launch multiples of 128 threads") != std::string::npos);
}

TEST_CASE("a descriptor outside the block's memory is reported, and a missing fence") {
  for (int n : {64, 0x1000}) check_mistake("outside", n);
  check_mistake("fenced_by_readers", 1);
  check_mistake("without_fence", 0);
}

TEST_CASE("sparse products are named") {
  const auto report = device().run("sparse", one, warpgroup, std::uint64_t{0}, 0);
  INFO(report.unsupported);
  CHECK(report.unsupported.find("does not know wgmma.mma_async.sp") != std::string::npos);
}

}  // namespace warpgroup_test
}  // namespace warpwise::machine::test
