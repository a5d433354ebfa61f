// The number of host threads never changes a report.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace determinism_test {

const std::string source = R"(
#include <cstdio>
extern "C" __global__ void right(const float* x, float* y) {
  __shared__ float s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = x[i];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < blockIdx.x % 7 + t % 3; ++k) sum += s[(t + k) & 63];
  if (t == blockIdx.x % 64) printf("block %d: %f\n", blockIdx.x, sum);
  y[i] = sum;
}
extern "C" __global__ void racing(float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  if (blockIdx.x % 3 != 1) __syncthreads();
  y[blockIdx.x * 64 + t] = s[t ^ (33 + blockIdx.x % 2)];
}
extern "C" __global__ void racing_blocks(float* y) {
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  y[i] = i;
  if (blockIdx.x % 5 == 2) y[i + 64] = blockIdx.x;
  if (blockIdx.x % 7 == 3 && t < 9) y[6000 + t] = y[t * 512] * 0 + blockIdx.x;
}
extern "C" __global__ void marking(const int* to, int* level, int now, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n || level[i] != now) return;
  for (int e = 0; e < 4; ++e)
    if (level[to[i * 4 + e]] == -1) level[to[i * 4 + e]] = now + 1;
}
extern "C" __global__ void faulty(float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  float v = s[t ^ 32];
  for (int k = 0; k < (79 - blockIdx.x) * 10; ++k) v = v * 1.5f + 1;
  if (t == 9) printf("%d ", blockIdx.x);
  y[blockIdx.x < 40 ? t : blockIdx.x * 64 * 3 + t] = v;
}
extern "C" __global__ void some_endless(float* y, int first) {
  float v = threadIdx.x;
  while (blockIdx.x >= first && v != -1) v = v * 0.5f + 1;
  y[threadIdx.x] = v;
}
extern "C" __global__ void much_in_all(float* y, int n) {
  float v = threadIdx.x;
  for (int k = 0; k < n; ++k) v = v * 0.5f + 1;
  y[threadIdx.x] = v;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

/// Report and output of the launch, the same for 1, 2 and 4 host threads, several times over.
template <class... Arguments>
watch::LaunchReport same_always(const std::string& kernel, unsigned blocks,
                                Arguments... arguments) {
  CAPTURE(kernel);
  Device& on = device();
  std::string first;
  watch::LaunchReport report;
  for (int round = 0; round < 20; ++round) {
    for (unsigned threads : {1u, 2u, 4u}) {
      on.options().threads = threads;
      on.options().worth_a_thread = 0;
      on.output.clear();
      report = on.run(kernel, {blocks, 1, 1}, {64, 1, 1}, arguments...);
      std::string all = to_json(report) + on.output;
      if (first.empty()) first = all;
      CAPTURE(round);
      CAPTURE(threads);
      CHECK_MESSAGE(all == first, all, "\n", first);
    }
  }
  return report;
}

TEST_CASE("a right launch: counts and output") {
  auto x = device().upload(made(80 * 64, [](int i) { return static_cast<float>(i % 11); }));
  auto y = device().upload(std::vector<float>(80 * 64));
  auto report = same_always("right", 80, x, y);
  CHECK(report.diagnoses.empty());
  CHECK(report.counts.counters.at("ptx__barriers") == 80);
}

TEST_CASE("races: lowest block and thread, and their count") {
  auto report = same_always("racing", 80, device().upload(std::vector<float>(80 * 64)));
  REQUIRE(report.diagnoses.size() == 2);
  for (const watch::Diagnosis& diagnosis : report.diagnoses) {
    CHECK(diagnosis.block == watch::Index3{1, 0, 0});
    CHECK(diagnosis.count == 27);  // blocks 1, 4, ... 79: one warp's access in each
  }
}

TEST_CASE("races between blocks: the lowest two, whichever came first") {
  auto report =
      same_always("racing_blocks", 80, device().upload(std::vector<float>(81 * 64 + 1000)));
  REQUIRE(report.diagnoses.size() == 4);
  for (const watch::Diagnosis& diagnosis : report.diagnoses) CHECK(diagnosis.kind == "race");
}

TEST_CASE("looks at levels that others mark with one value are notes") {
  constexpr int n = 20 * 64;
  std::vector<int> to(n * 4), level(n, -1);
  for (int i = 0; i < n * 4; ++i) to[i] = (i * 7 + i % 5) % n;
  for (int i = 0; i < n; i += 9) level[i] = 3;
  for (unsigned threads : {1u, 4u}) {
    Device& on = device();
    on.options().threads = threads;
    on.options().worth_a_thread = 0;
    const auto report =
        on.run("marking", {20, 1, 1}, {64, 1, 1}, on.upload(to), on.upload(level), 3, n);
    CHECK_FALSE(report.diagnoses.empty());
    // How often which lane looks depends on which comes first.
    CHECK(report.counts.counters.count("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum") == 0);
    for (const auto& diagnosis : report.diagnoses) {
      CHECK(diagnosis.kind == "race");
      CHECK(diagnosis.severity == watch::Severity::note);
      CHECK(diagnosis.message.find("are marks") != std::string::npos);
    }
  }
  device().options().threads = 1;
}

TEST_CASE("a fault: what the blocks before it found, and no counts") {
  auto report = same_always("faulty", 80, device().upload(std::vector<float>(64)));
  CHECK(report.faulted);
  CHECK(report.diagnoses.size() == 3);
  for (const watch::Diagnosis& diagnosis : report.diagnoses)
    CHECK(diagnosis.block == watch::Index3{diagnosis.kind == "race" ? 0u : 40u, 0, 0});
  CHECK(report.counts.lines.empty());
  std::string want;
  for (int b = 0; b <= 40; ++b) want += std::to_string(b) + " ";
  CHECK(device().output == want);
}

TEST_CASE("a budget that one block uses up, or all together") {
  auto y = device().upload(std::vector<float>(64));
  std::uint64_t kept = device().options().budget;
  device().options().budget = 300'000;
  for (int first : {0, 5}) {
    auto endless = same_always("some_endless", 12, y, first);
    REQUIRE(endless.diagnoses.size() == 1);
    CHECK(endless.diagnoses[0].kind == "timeout");
    CHECK(endless.diagnoses[0].block == watch::Index3{static_cast<unsigned>(first), 0, 0});
  }
  auto much = same_always("much_in_all", 200, y, 100);
  REQUIRE(much.diagnoses.size() == 1);
  CHECK(much.diagnoses[0].kind == "timeout");
  CHECK(much.diagnoses[0].message.find("launch used more than 300000") != std::string::npos);
  CHECK(much.faulted);
  CHECK(same_always("much_in_all", 2, y, 100).diagnoses.empty());
  device().options().budget = kept;
}

}  // namespace determinism_test
