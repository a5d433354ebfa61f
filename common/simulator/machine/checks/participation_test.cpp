#include "simulator/machine/machine_fixture.h"

namespace warpwise::machine::participation_test {
namespace {

using test::Device;

Device& device() {
  static Device device(R"(
#include <cuda_pipeline.h>
__device__ float decoy[256];
extern "C" __global__ void half_works(const float* x, float* y, int n) {
  __shared__ float tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, x + blockIdx.x * 64 + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  decoy[blockIdx.x * 64 + threadIdx.x] = 1;
  if (threadIdx.x >= 32) return;
  for (int i = threadIdx.x; i < 64; i += 32) y[blockIdx.x * 64 + i] = tile[i];
}
)");
  return device;
}

warpwise::watch::ArrayCounts counts_of(const warpwise::watch::LaunchReport& report,
                                       const std::string& array, const std::string& access) {
  for (const auto& counts : report.counts.arrays) {
    if (counts.array == array && counts.access == access) return counts;
  }
  return {};
}

}  // namespace

TEST_CASE("a launch reports which threads took part, on request") {
  const auto x = device().upload(std::vector<float>(256, 2.0F), "x");
  const auto y = device().fresh(1024, "y");
  CHECK(device().run("half_works", {4, 1, 1}, {64, 1, 1}, x, y, 256).counts.arrays.empty());
  device().options().counts_participants = true;
  const auto report = device().run("half_works", {4, 1, 1}, {64, 1, 1}, x, y, 256);
  device().options().counts_participants = false;
  const auto stores = counts_of(report, "y", "global store");
  CHECK(stores.threads == 128);
  CHECK(stores.warps == 4);
  CHECK(stores.most_of_thread == 2);
  CHECK(stores.sectors == 32);
  const auto copies = counts_of(report, "x", "global load");
  CHECK(copies.threads == 256);
  CHECK(copies.requests == 8);
  CHECK(copies.sectors == 32);
  CHECK(counts_of(report, "", "global store").threads == 256);
  CHECK(counts_of(report, "decoy", "global store").threads == 0);
}

}  // namespace warpwise::machine::participation_test
