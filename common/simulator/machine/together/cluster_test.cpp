// Clusters: their barrier, each other's shared memory, and what can go wrong with both.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace cluster_test {

const std::string source = R"(
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void neighbours(int* out) {
  extern __shared__ int s[];
  auto cluster = cg::this_cluster();
  int t = threadIdx.x;
  s[t] = blockIdx.x * 1000 + t;
  cluster.sync();
  unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int* other = cluster.map_shared_rank(s, next);
  out[blockIdx.x * blockDim.x + t] = other[t] + 1000000 * cluster.query_shared_rank(other);
  cluster.sync();
}
extern "C" __global__ void histogram(const int* in, int* bins, int n) {
  __shared__ int s[16];
  auto cluster = cg::this_cluster();
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  cluster.sync();
  for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
    int bin = in[i];
    atomicAdd(cluster.map_shared_rank(s, bin / 16) + bin % 16, 1);
  }
  cluster.sync();
  if (threadIdx.x < 16) bins[cluster.block_rank() * 16 + threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void by_address(int* out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  unsigned own = __cvta_generic_to_shared(s + t), remote, rank;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(own), "r"(blockIdx.x ^ 1));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(remote));
  asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory");
  asm volatile("st.shared::cluster.u32 [%0], %1;" :: "r"(remote), "r"(t * 3) : "memory");
  asm volatile("red.shared::cluster.add.u32 [%0], %1;" :: "r"(remote), "r"(7) : "memory");
  asm volatile("barrier.cluster.arrive.release.aligned; barrier.cluster.wait.acquire.aligned;" ::: "memory");
  int inside, outside;
  asm volatile("{ .reg .pred p; .reg .b64 g; cvta.shared::cluster.u64 g, %2; isspacep.shared::cluster p, g;"
               " selp.u32 %0, 1, 0, p; isspacep.shared::cta p, g; selp.u32 %1, 1, 0, p; }"
               : "=r"(inside), "=r"(outside) : "l"((unsigned long long)remote));
  out[blockIdx.x * 32 + t] = s[t] * 100 + rank * 10 + inside * 2 + outside;
}
extern "C" __global__ void ended(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  if (cluster.block_rank() == 0) return;
  out[threadIdx.x] = *cluster.map_shared_rank(s + threadIdx.x, 0);  // expect: use-after-free
}
extern "C" __global__ void outside(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int* other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  out[threadIdx.x] = other[threadIdx.x * 3];  // expect: out-of-bounds
  cluster.sync();
}
extern "C" __global__ void outside_array(int* out) {
  __shared__ int s[32];
  __shared__ int behind[96];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = behind[threadIdx.x] = threadIdx.x;
  cluster.sync();
  out[threadIdx.x] = cluster.map_shared_rank(s, 1)[threadIdx.x + 1];  // expect: out-of-bounds
  out[threadIdx.x] += cluster.map_shared_rank(behind, 1)[threadIdx.x + 1];
  cluster.sync();
}
extern "C" __global__ void reads_too_early(int* out) {
  __shared__ int s[32];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  s[threadIdx.x] = threadIdx.x + 100 * rank;  // expect: race
  __syncthreads();
  out[rank * 32 + threadIdx.x] = cluster.map_shared_rank(s, rank ^ 1)[31 - threadIdx.x];  // expect: race
  cluster.sync();
}
extern "C" __global__ void writes_together(int* out) {
  __shared__ int total;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) total = 0;
  cluster.sync();
  if (threadIdx.x == 0) *cluster.map_shared_rank(&total, 0) += 1 + cluster.block_rank();  // expect: race
  cluster.sync();
  if (threadIdx.x == 0) out[cluster.block_rank()] = *cluster.map_shared_rank(&total, 0);
  cluster.sync();
}
extern "C" __global__ void takes_turns(int* out) {
  __shared__ int s[32];
  __shared__ int bins[2];
  auto cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank(), t = threadIdx.x;
  if (t < 2) bins[t] = 0;
  for (int round = 0; round < 3; ++round) {
    s[t] = t + 100 * rank + round;
    cluster.sync();
    out[blockIdx.x * 32 + t] = cluster.map_shared_rank(s, rank ^ 1)[31 - t];
    atomicAdd(cluster.map_shared_rank(bins, t & 1) + (t >> 1 & 1), 1);
    cluster.sync();
    cluster.map_shared_rank(s, rank ^ 1)[t] = round;
    cluster.sync();
  }
  out[blockIdx.x * 32 + t] += bins[t & 1];
}
extern "C" __global__ void never_comes(int* flag, int* out) {
  auto cluster = cg::this_cluster();
  if (cluster.block_rank() == 1 && threadIdx.x < 32) {
    asm volatile("bar.sync 3, 64;" ::: "memory");
  }
  cluster.sync();  // expect: barrier-divergence
  out[threadIdx.x] = 1;
}
extern "C" __global__ void waits_alone(int* out) {
  asm volatile("barrier.cluster.wait;" ::: "memory");  // expect: barrier-divergence
  out[threadIdx.x] = 1;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

template <class... Arguments>
watch::LaunchReport run(const char* kernel, unsigned blocks, unsigned threads, unsigned cluster,
                        Arguments... arguments) {
  auto launch = device().prepared(kernel, {blocks, 1, 1}, {threads, 1, 1}, arguments...);
  launch.cluster = {cluster, 1, 1};
  launch.dynamic_shared_bytes = 4 * threads;
  return device().module().run(launch, device().options());
}

TEST_CASE("blocks of a cluster read each other's dynamic shared memory") {
  for (unsigned cluster : {1u, 2u, 8u}) {
    CAPTURE(cluster);
    auto y = device().upload(std::vector<int>(8 * 48));
    Device::check_clean(run("neighbours", 8, 48, cluster, y));
    auto want = made(8 * 48, [&](int i) {
      int block = i / 48, size = static_cast<int>(cluster), rank = (block + 1) % size;
      return (block / size * size + rank) * 1000 + i % 48 + 1000000 * rank;
    });
    CHECK(difference(device().download<int>(y, 8 * 48), want) == "");
  }
}

TEST_CASE("a histogram spread over the blocks of a cluster, with any number of host threads") {
  auto in = made(5000, [](int i) { return (i * 7919 + i / 13) % 64; });
  auto x = device().upload(in), bins = device().upload(std::vector<int>(64));
  for (unsigned threads : {1u, 2u}) {
    device().options().threads = threads;
    Device::check_clean(run("histogram", 4, 96, 4, x, bins, 5000));
    std::vector<int> want(64);
    for (int v : in) ++want[static_cast<std::size_t>(v)];
    CHECK(difference(device().download<int>(bins, 64), want) == "");
  }
  device().options().threads = 1;
}

TEST_CASE("addresses of shared::cluster: mapa, getctarank, isspacep, stores and reductions") {
  auto y = device().upload(std::vector<int>(64));
  Device::check_clean(run("by_address", 2, 32, 2, y));
  CHECK(difference(device().download<int>(y, 64), made(64, [](int i) {
                     return (i % 32 * 3 + 7) * 100 + (i / 32 ^ 1) * 10 + 2;
                   })) == "");
}

TEST_CASE("mistakes with clusters") {
  auto y = device().upload(std::vector<int>(64));
  auto check = [&](const char* kernel, unsigned threads, auto... arguments) {
    CAPTURE(kernel);
    auto report = run(kernel, 2, threads, 2, arguments...);
    CHECK(report.unsupported == "");
    CHECK(Device::found(report) == device().expected(kernel));
  };
  check("ended", 32, y);
  check("outside", 32, y);
  check("never_comes", 64, y, y);
  check("waits_alone", 32, y);
  check("outside_array", 32, y);
}

TEST_CASE("blocks of a cluster race in shared memory unless the cluster's barrier orders them") {
  auto y = device().upload(std::vector<int>(64));
  for (const char* kernel : {"reads_too_early", "writes_together"}) {
    CAPTURE(kernel);
    auto report = run(kernel, 2, 32, 2, y);
    CHECK(Device::found(report) == device().expected(kernel));
    REQUIRE_FALSE(report.diagnoses.empty());
    CHECK(report.diagnoses[0].message.find(" of block (") != std::string::npos);
    CHECK(report.diagnoses[0].message.find("Is a cluster.sync() missing?") != std::string::npos);
  }
  Device::check_clean(run("takes_turns", 8, 32, 2, device().upload(std::vector<int>(256))));
}

}  // namespace cluster_test
