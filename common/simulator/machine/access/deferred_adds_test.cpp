// Sums that a host thread keeps back are there for each reader.

#include "simulator/machine/access/deferred_adds.h"

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace deferred_adds_test {

const std::string source = R"(
#include <cstdio>
#include <cuda_pipeline.h>
/// Words of all blocks, then 64 of each block. Looks at its own in all kinds of ways.
extern "C" __global__ void look(unsigned* sums, unsigned long long* wide, unsigned* out, unsigned zeros) {
  __shared__ unsigned copied[128];
  int t = threadIdx.x;
  unsigned* own = sums + 256 + 64 * blockIdx.x;
  for (int k = 0; k < 8; ++k) {
    atomicAdd(&sums[(t * 37 + blockIdx.x + k * 5) % 256], 3u);
    atomicAdd((int*)&own[(t + k) % 64], -2);
    atomicAdd(&wide[t % 16], 1ull << 33);
  }
  __syncthreads();
  unsigned loaded = own[t % 64];
  __syncthreads();
  atomicAdd(&own[t % 64], 100u);
  __syncthreads();
  __pipeline_memcpy_async(&copied[t], &own[t % 64], 4, zeros);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  atomicMax(&own[t % 64], 150u);
  atomicAdd(&own[t % 64], 1u);
  __syncthreads();
  if (t < 64) own[t] += 1000;
  __syncthreads();
  if (t == 0 && blockIdx.x == 5) printf("%u", own[7]);
  out[blockIdx.x * 128 + t] = loaded + 7 * copied[t];
}
extern "C" __global__ void spread(unsigned* sums, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 16; ++k) atomicAdd(&sums[(i * 40503u + k * 977u) % n], i % 5);
}
extern "C" __global__ void stopped(unsigned* sums) {
  atomicAdd(&sums[threadIdx.x % 4], 1u);
  __syncthreads();
  if (blockIdx.x == 63) asm("trap;");
}
)";

Device& device() {
  static Device made(source);
  return made;
}

TEST_CASE("sums of several host threads: a block sees its own, and all are there at the end") {
  constexpr unsigned blocks = 96;
  Device& on = device();
  on.options().threads = 3;
  on.output.clear();
  const std::uint64_t sums = on.upload(std::vector<unsigned>(256 + 64 * blocks, 1000000)),
                      wide = on.upload(std::vector<std::uint64_t>(16, 1)),
                      out = on.upload(std::vector<unsigned>(128 * blocks));
  on.run_clean("look", {blocks, 1, 1}, {128, 1, 1}, sums, wide, out, 1u);
  std::vector<unsigned> expected(256 + 64 * blocks, 1000000), seen(128 * blocks);
  for (unsigned block = 0; block < blocks; ++block)
    for (unsigned t = 0; t < 128; ++t) {
      for (unsigned k = 0; k < 8; ++k) expected[(t * 37 + block + k * 5) % 256] += 3;
      // 16 adds to each word of a block: two threads, eight rounds.
      seen[block * 128 + t] = (1000000 - 32) + 7 * (1000000 - 32 + 200);
      expected[256 + 64 * block + t % 64] = 1000000 - 32 + 200 + 2 + 1000;
    }
  CHECK(on.download<unsigned>(out, seen.size()) == seen);
  CHECK(on.download<unsigned>(sums, expected.size()) == expected);
  CHECK(on.download<std::uint64_t>(wide, 16) ==
        std::vector<std::uint64_t>(16, 1 + (std::uint64_t{blocks} * 8 * 8 << 33)));
  CHECK(on.output == std::to_string(1000000 - 32 + 200 + 2 + 1000));
}

TEST_CASE("sums all over an array, for which it does not pay to keep them back") {
  Device& on = device();
  on.options().threads = 2;
  constexpr unsigned n = 100003, blocks = 64;
  const std::uint64_t sums = on.upload(std::vector<unsigned>(n, 7));
  on.run_clean("spread", {blocks, 1, 1}, {128, 1, 1}, sums, int{n});
  std::vector<unsigned> expected(n, 7);
  for (unsigned i = 0; i < blocks * 128; ++i)
    for (unsigned k = 0; k < 16; ++k) expected[(i * 40503u + k * 977u) % n] += i % 5;
  CHECK(on.download<unsigned>(sums, n) == expected);
}

TEST_CASE("what blocks added before the launch stopped is in memory") {
  Device& on = device();
  on.options().threads = 2;
  const std::uint64_t sums = on.upload(std::vector<unsigned>(4));
  CHECK(on.run("stopped", {64, 1, 1}, {64, 1, 1}, sums).faulted);
  CHECK(on.download<unsigned>(sums, 4) == std::vector<unsigned>(4, 64 * 16));
}

}  // namespace deferred_adds_test
