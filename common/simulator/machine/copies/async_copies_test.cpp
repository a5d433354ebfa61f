// Asynchronous copies, and mbarriers that tell of their end: what they give.

#include "simulator/machine/copies/async_copies_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace async_copies_test {

const std::string source = R"(
// Two stages in flight.
extern "C" __global__ void double_buffer(const int* x, int* y, int tiles) {
  __shared__ alignas(16) int s[2][64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][2 * t], x + 2 * t, 8);
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles) __pipeline_memcpy_async(&s[(k + 1) % 2][2 * t], x + (k + 1) * 64 + 2 * t, 8);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    y[k * 32 + t] = s[k % 2][63 - t] + s[k % 2][t];
    __syncthreads();
  }
}
// Source sizes below the copy's: lane t copies t % 18 bytes of 16.
extern "C" __global__ void fill(const unsigned* x, unsigned* y) {
  __shared__ alignas(16) unsigned s[4 * 32];
  int t = threadIdx.x;
  unsigned bytes = min(t % 18, 16);
  asm volatile("cp.async.ca.shared.global.L2::64B [%0], [%1], 16, %2;"
               ::"r"(at(s + 4 * t)), "l"(x + 4 * t), "r"(bytes) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  for (int i = 0; i < 4; ++i) y[4 * t + i] = s[4 * t + i];
}
extern "C" __global__ void ignored(const unsigned* x, unsigned* y) {
  __shared__ unsigned s[32];
  int t = threadIdx.x;
  // The addresses of lanes that ignore their source are not used.
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %2, 5; cp.async.ca.shared.global [%0], [%1], 4, p; }"
               ::"r"(at(s + t)), "l"(t < 5 ? x + t : nullptr), "r"(t) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  y[t] = s[t];
}
extern "C" __global__ void told_by_mbarrier(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[128], r[128];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 128);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(s + t)), "l"(x + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(at(&bar)) : "memory");
  wait(&bar, 0);
  int sum = s[127 - t];
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at(r + t)), "l"(x + t) : "memory");
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(at(&bar)) : "memory");
  arrive(&bar);
  wait(&bar, 1);
  y[t] = sum * 2 + r[(t + 1) % 128];
}
// A producer's thread and a warp of consumers, over a ring of tiles.
extern "C" __global__ void ring(const int* x, int* y, int rounds) {
  __shared__ u64 full[2], empty[2];
  __shared__ alignas(16) int s[2][32];
  int t = threadIdx.x;
  if (t == 0) for (int i = 0; i < 2; ++i) init(full + i, 1), init(empty + i, 32);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  __syncthreads();
  if (t == 32) {
    for (int i = 0; i < rounds; ++i) {
      wait(empty + i % 2, i / 2 % 2 ^ 1);
      arrive_expecting(full + i % 2, 128);
      copy_bulk(s[i % 2], x + 32 * i, 96, full + i % 2);
      copy_bulk(s[i % 2] + 24, x + 32 * i + 24, 32, full + i % 2);
    }
  } else if (t < 32) {
    int sum = 0;
    for (int i = 0; i < rounds; ++i) {
      wait(full + i % 2, i / 2 % 2);
      sum = sum * 3 + s[i % 2][t ^ 1];
      arrive(empty + i % 2);
    }
    y[t] = sum;
  }
}
extern "C" __global__ void bulk_out(int* y) {
  __shared__ alignas(16) int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < 2; ++i) {
    s[t] = t * 10 + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(y + 64 * i), "r"(at(s)) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}
// Each block adds, takes the largest, and rounds sums of halves, where the others do.
extern "C" __global__ void reduced_in_bulk(const int* x, int* sums, int* largest, unsigned short* halves) {
  __shared__ alignas(16) int s[8];
  __shared__ alignas(16) unsigned short h[8];
  int t = threadIdx.x;
  s[t] = x[8 * blockIdx.x + t];
  h[t] = 0x3c00 + t;  // from 1.0 on
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], 32;" ::"l"(sums), "r"(at(s)) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%0], [%1], 32;" ::"l"(largest), "r"(at(s)) : "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [%0], [%1], 16;" ::"l"(halves), "r"(at(h)) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}
// Both blocks add four numbers in block 0, which hears of it.
extern "C" __global__ void __cluster_dims__(2, 1, 1) reduced_in_a_cluster(int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int from[4], to[4];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 1);
  if (t < 4) from[t] = 10 * blockIdx.x + t, to[t] = 100;
  asm volatile("fence.mbarrier_init.release.cluster; fence.proxy.async;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (t == 0) {
    if (blockIdx.x == 0) arrive_expecting(&bar, 32);
    unsigned there, its_bar;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(at(to)));
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(its_bar) : "r"(at(&bar)));
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%0], [%1], 16, [%2];"
                 ::"r"(there), "r"(at(from)), "r"(its_bar) : "memory");
  }
  if (blockIdx.x == 0) {
    wait(&bar, 0);
    if (t < 4) y[t] = to[t];
  }
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
// Block 0 copies to all blocks; each block then stores its rank into the next one's memory.
extern "C" __global__ void __cluster_dims__(4, 1, 1) to_all(const int* x, int* y) {
  __shared__ u64 bar;
  __shared__ alignas(16) int s[36];
  int t = threadIdx.x;
  if (t == 0) init(&bar, 1);
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  if (t == 0) {
    arrive_expecting(&bar, 128 + 16);
    if (blockIdx.x == 0)
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
                   " [%0], [%1], 128, [%2], %3;" ::"r"(at(s)), "l"(x), "r"(at(&bar)), "h"((short)15) : "memory");
    unsigned next = (blockIdx.x + 1) % 4, to, there;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at(s + 32)), "r"(next));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&bar)), "r"(next));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 [%0], {%1, %1, %1, %1}, [%2];"
                 ::"r"(to), "r"(blockIdx.x + 1), "r"(there) : "memory");
  }
  wait(&bar, 0);
  y[blockIdx.x * 32 + t] = s[t] + 1000 * s[32 + t % 4];
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) reduced(int* y) {
  __shared__ u64 bar;
  __shared__ unsigned sum;
  int t = threadIdx.x;
  if (t == 0) {
    sum = blockIdx.x;
    init(&bar, 1);
    arrive_expecting(&bar, 32 * 4);
  }
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned to, there;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at(&sum)), "r"(blockIdx.x ^ 1));
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(&bar)), "r"(blockIdx.x ^ 1));
  asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];"
               ::"r"(to), "r"(t), "r"(there) : "memory");
  wait(&bar, 0);
  y[blockIdx.x * 32 + t] = sum;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
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

TEST_CASE("copies by groups: two stages in flight, sizes below the copy's, ignored sources") {
  device().run_clean("double_buffer", {1, 1, 1}, {32, 1, 1}, input(), output(), 5);
  CHECK(difference(got(160), made(160, [](int i) { return i / 32 * 128 + 63; })) == "");

  device().run_clean("fill", {1, 1, 1}, {32, 1, 1}, input(), output());
  auto filled = made(128, [](int i) {
    int bytes = std::clamp(std::min(i / 4 % 18, 16) - i % 4 * 4, 0, 4);
    return bytes == 4 ? i : static_cast<int>(static_cast<unsigned>(i) & ((1u << 8 * bytes) - 1));
  });
  CHECK(difference(got(128), filled) == "");

  device().run_clean("ignored", {1, 1, 1}, {32, 1, 1}, input(), output());
  CHECK(difference(got(32), made(32, [](int i) { return i < 5 ? i : 0; })) == "");
}

TEST_CASE("copies of whose end an mbarrier tells") {
  device().run_clean("told_by_mbarrier", {2, 1, 1}, {128, 1, 1}, input(), output());
  auto want = made(128, [](int i) { return (127 - i) * 2 + (i + 1) % 128; });
  CHECK(difference(got(128), want) == "");

  device().run_clean("ring", {1, 1, 1}, {64, 1, 1}, input(), output(), 7);
  auto sums = made(32, [](int i) {
    int sum = 0;
    for (int round = 0; round < 7; ++round) sum = sum * 3 + 32 * round + (i ^ 1);
    return sum;
  });
  CHECK(difference(got(32), sums) == "");

  device().run_clean("bulk_out", {1, 1, 1}, {64, 1, 1}, output());
  CHECK(difference(got(128), made(128, [](int i) { return i % 64 * 10 + i / 64; })) == "");
}

TEST_CASE("copies into the shared memory of other blocks of the cluster") {
  auto launch = device().prepared("to_all", {4, 1, 1}, {32, 1, 1}, input(), output());
  launch.cluster = {4, 1, 1};
  Device::check_clean(device().module().run(launch, device().options()));
  auto want = made(128, [](int i) { return i % 32 + 1000 * ((i / 32 + 3) % 4 + 1); });
  CHECK(difference(got(128), want) == "");

  launch = device().prepared("reduced", {2, 1, 1}, {32, 1, 1}, output());
  launch.cluster = {2, 1, 1};
  Device::check_clean(device().module().run(launch, device().options()));
  CHECK(difference(got(64), made(64, [](int i) { return i / 32 + 496; })) == "");
}

TEST_CASE("bulk copies that reduce what is there, in global memory and in another block") {
  auto halves = device().upload(std::vector<std::uint16_t>(8));
  auto sums = device().upload(std::vector<int>(8, 1)),
       largest = device().upload(made(8, [](int i) { return i == 3 ? 50 : 0; }));
  device().run_clean("reduced_in_bulk", {2, 1, 1}, {8, 1, 1}, input(), sums, largest, halves);
  CHECK(difference(device().download<int>(sums, 8), made(8, [](int i) { return 2 * i + 9; })) ==
        "");
  CHECK(difference(device().download<int>(largest, 8),
                   made(8, [](int i) { return i == 3 ? 50 : 8 + i; })) == "");
  for (int i = 0; i < 8; ++i) CHECK(device().download<std::uint16_t>(halves, 8)[i] == 0x4000 + i);

  auto launch = device().prepared("reduced_in_a_cluster", {2, 1, 1}, {32, 1, 1}, output());
  launch.cluster = {2, 1, 1};
  Device::check_clean(device().module().run(launch, device().options()));
  CHECK(difference(got(4), made(4, [](int i) { return 110 + 2 * i; })) == "");
}

}  // namespace async_copies_test
