#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using machine::test::Device;

namespace turns_test {

const std::string source = R"(
#include <cuda/atomic>

// Every block but the last waits for the block behind it.
extern "C" __global__ void wait_for_next(volatile int* flags, int* order) {
  __shared__ int place;
  if (threadIdx.x == 0) {
    if (blockIdx.x + 1 < gridDim.x)
      while (flags[blockIdx.x + 1] == 0) {
      }
    place = atomicAdd(order + gridDim.x, 1);
    order[place] = blockIdx.x;
    __threadfence();
    flags[blockIdx.x] = 1;
  }
}

extern "C" __global__ void wait_for_ever(volatile int* flag, int* out) {
  if (threadIdx.x == 3)
    while (*flag == 0) {
    }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void wait_and_count(volatile int* flag, int* out) {
  int n = 0;
  while (*flag == 0 && n < 5000) ++n;
  out[0] = n;
}

// The counter lies in local memory.
extern "C" __global__ void wait_and_count_in_memory(volatile int* flag, int* out) {
  volatile int n[2] = {0, 0};
  while (*flag == 0 && n[0] < 5000) n[0] = n[0] + 1;
  out[0] = n[0];
}

extern "C" __global__ void wait_some_time(volatile int* flag, int* out) {
  long long start = clock64();
  while (*flag == 0 && clock64() - start < 1000000) {
  }
  out[0] = 1;
}

extern "C" __global__ void wait_with_clock(volatile int* flag, int* out) {
  long long last = 0;
  while (*flag == 0) last = clock64();  // expect: deadlock
  out[0] = last > 0;
}

// As a compiler leaves it that does not optimise: a plain load in a loop.
extern "C" __global__ void wait_for_warp(int* out) {
  __shared__ int ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  const auto at = static_cast<unsigned>(__cvta_generic_to_shared(&ready));
  int seen = 0;
  if (threadIdx.x < 32)
    while (seen == 0) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(seen) : "r"(at));
  else
    asm volatile("st.shared.u32 [%0], 7;" ::"r"(at));
  out[threadIdx.x] = seen;
}

// Longer and longer, as loops of libcu++ do; one thread makes little use of a budget.
extern "C" __global__ void wait_asleep(volatile int* flag, int* out) {
  long long start = clock64();
  while (*flag == 0)  // expect: deadlock
    __nanosleep(min((clock64() - start) / 4 + 1, 1000000ll));
}

// A time that is over before it counts as a deadlock.
extern "C" __global__ void sleep_some_time(volatile int* flag, int* out) {
  long long start = clock64();
  while (*flag == 0 && clock64() - start < 1000000000) __nanosleep(1000000);
  out[0] = 1;
}

extern "C" __global__ void ticket_lock(unsigned* lock, int* sum) {
  for (int lane = 0; lane < 32; ++lane)
    if (threadIdx.x % 32 == lane) {
      unsigned mine = atomicAdd(lock, 1u);
      while (atomicAdd(lock + 1, 0u) != mine) __nanosleep(20);
      int old = *(volatile int*)sum;
      *(volatile int*)sum = old + 1;
      __threadfence();
      atomicAdd(lock + 1, 1u);
    }
}

extern "C" __global__ void spin_lock(int* lock, int* sum) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *(volatile int*)sum = *(volatile int*)sum + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// A queue with 8 places between two blocks: lanes leave their loops one by one, after unequal waits.
extern "C" __global__ void bounded_queue(unsigned* queue, int* sum) {
  bool consumer = blockIdx.x == 0;
  for (int i = 0; i < 3; ++i) {
    unsigned ticket = atomicAdd(queue + consumer, 1u);
    unsigned* place = queue + 2 + ticket % 8;
    unsigned wait = 8;
    while (atomicAdd(place, 0u) != 2 * (ticket / 8) + consumer) {
      __nanosleep(wait);
      if (wait < 256) wait *= 2;
    }
    if (consumer) atomicAdd(sum, 1);
    __threadfence();
    atomicAdd(place, 1u);
  }
}

extern "C" __global__ void histogram(unsigned* bins, unsigned long long* most) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(bins + i % 37, 1u);
  atomicMax(most, static_cast<unsigned long long>(i));
}

extern "C" __global__ void clocks(long long* out) {
  long long start = clock64();
  unsigned long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  long long end = clock64();
  out[threadIdx.x] = end - start;
  out[32 + threadIdx.x] = time;
}

extern "C" __global__ void where(unsigned* out) {
  unsigned rank, count, x, clusters;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(x));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  out[blockIdx.y * gridDim.x + blockIdx.x] = rank + 10 * count + 100 * x + 1000 * clusters;
}

extern "C" __global__ void meet_for_ever(const int* in, int* out, int n, int step) {
  __shared__ int tile[64];
  int seen = 0;
  for (int i = 0; i < n; i += step) {
    tile[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    seen |= tile[63 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = seen;
}
)";

Device& device() {
  static Device one(source);
  return one;
}

TEST_CASE("blocks that wait for later ones take turns") {
  const unsigned blocks = 70;
  std::uint64_t flags = device().upload(std::vector<int>(blocks));
  std::uint64_t order = device().upload(std::vector<int>(blocks + 1));
  auto report = device().run("wait_for_next", {blocks, 1, 1}, {33, 1, 1}, flags, order);
  CHECK(report.diagnoses.empty());
  std::vector<int> got = device().download<int>(order, blocks);
  for (unsigned i = 0; i < blocks; ++i) CHECK(got[i] == static_cast<int>(blocks - 1 - i));
}

TEST_CASE("blocks beyond what the GPU holds do not start while the others wait for them") {
  device().options().resident_blocks = 16;
  std::uint64_t flags = device().upload(std::vector<int>(17));
  std::uint64_t order = device().upload(std::vector<int>(18));
  auto report = device().run("wait_for_next", {17, 1, 1}, {32, 1, 1}, flags, order);
  device().options().resident_blocks = 132;
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].kind == "deadlock");
  CHECK(report.diagnoses[0].line == 9);
  CHECK(report.faulted);
}

TEST_CASE("a wait that nothing can end is a deadlock; one that counts is not") {
  std::uint64_t flag = device().upload(std::vector<int>(1));
  std::uint64_t out = device().upload(std::vector<int>(64));
  auto report = device().run("wait_for_ever", {2, 1, 1}, {64, 1, 1}, flag, out);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].kind == "deadlock");
  CHECK(report.diagnoses[0].line == 20);
  CHECK(report.diagnoses[0].thread == watch::Index3{3, 0, 0});
  CHECK(report.diagnoses[0].message.find("Threads that still run: 2;") != std::string::npos);

  report = device().run("wait_and_count", {1, 1, 1}, {1, 1, 1}, flag, out);
  CHECK(report.diagnoses.empty());
  CHECK(device().download<int>(out, 1)[0] == 5000);

  report = device().run("wait_and_count_in_memory", {1, 1, 1}, {1, 1, 1}, flag, out);
  CHECK(report.diagnoses.empty());
  CHECK(device().download<int>(out, 1)[0] == 5000);
}

TEST_CASE("a loop without an end whose threads only meet at barriers waits for nothing") {
  const std::uint64_t in = device().upload(std::vector<int>(64, 1));
  const std::uint64_t out = device().upload(std::vector<int>(64));
  CHECK(device().run("meet_for_ever", {1, 1, 1}, {64, 1, 1}, in, out, 3, 1).diagnoses.empty());
  const auto report = device().run("meet_for_ever", {1, 1, 1}, {64, 1, 1}, in, out, 3, 0);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].kind == "timeout");
  CHECK(report.diagnoses[0].message.find("this loop never ends") == 0);
  CHECK(report.diagnoses[0].line != 0);
}

// Another launch that writes a flag when it has been asked a few times, or never.
struct Writer : machine::Neighbours {
  int* flag = nullptr;
  unsigned after = 3, asked = 0, stood = 0;
  Outlook end = Outlook::deadlock;  ///< where it never writes
  std::uint64_t has_room = 132, resident = 0;

  std::uint64_t room() const override { return has_room; }
  std::string others() const override { return " So do others."; }
  bool wants_footprint() const override { return false; }
  std::vector<Conflict> compare(std::shared_ptr<const watch::Footprint>) override { return {}; }
  Outlook let_others_run(const Waiting& waiting) override {
    resident = waiting.resident;
    stood += waiting.stands;
    if (!waiting.stands) return Outlook::unchanged;
    if (flag == nullptr) return end;
    if (++asked == after) *flag = 1;
    return Outlook::changed;
  }
};

TEST_CASE("a plain load that waits for another warp lets it run, and is a race") {
  Device& on = device();
  const std::uint64_t out = on.upload(std::vector<int>(64));
  const auto report = on.run("wait_for_warp", {1, 1, 1}, {64, 1, 1}, out);
  CHECK_FALSE(report.faulted);
  REQUIRE_FALSE(report.diagnoses.empty());
  for (const watch::Diagnosis& diagnosis : report.diagnoses) CHECK(diagnosis.kind == "race");
  CHECK(on.download<int>(out, 1) == std::vector<int>{7});
}

TEST_CASE("what another launch writes ends a wait") {
  Writer writer;
  device().options().neighbours = &writer;
  std::uint64_t flag = device().upload(std::vector<int>(1));
  std::uint64_t out = device().upload(std::vector<int>(64));
  writer.flag = reinterpret_cast<int*>(device().memory().host(flag));
  auto report = device().run("wait_for_ever", {2, 1, 1}, {64, 1, 1}, flag, out);
  CHECK(report.diagnoses.empty());
  CHECK(writer.stood == 3);
  CHECK(writer.resident == 2);
  CHECK(device().download<int>(out, 64)[3] == 1);

  writer = {};
  report = device().run("wait_for_ever", {2, 1, 1}, {64, 1, 1},
                        device().upload(std::vector<int>(1)), out);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].message.find("does not change any more. So do others.") !=
        std::string::npos);

  writer.end = machine::Neighbours::Outlook::given_up;
  report = device().run("wait_for_ever", {2, 1, 1}, {64, 1, 1},
                        device().upload(std::vector<int>(1)), out);
  CHECK(report.diagnoses.empty());
  device().options().neighbours = nullptr;
}

TEST_CASE("blocks for which other launches leave no room do not start") {
  Writer none;
  device().options().neighbours = &none;
  std::uint64_t order = device().upload(std::vector<int>(18));
  for (const bool fits : {true, false}) {
    none.has_room = fits ? 17 : 16;
    std::uint64_t flags = device().upload(std::vector<int>(17));
    auto report = device().run("wait_for_next", {17, 1, 1}, {32, 1, 1}, flags, order);
    CHECK(report.diagnoses.empty() == fits);
  }
  CHECK(none.resident == 16);
  device().options().neighbours = nullptr;
}

TEST_CASE("a thread that waits and looks at a clock may wait for a time, but not forever") {
  std::uint64_t flag = device().upload(std::vector<int>(1));
  std::uint64_t out = device().upload(std::vector<int>(1));
  auto report = device().run("wait_some_time", {1, 1, 1}, {32, 1, 1}, flag, out);
  CHECK(report.diagnoses.empty());
  CHECK(device().download<int>(out, 1)[0] == 1);

  device().options().budget = 0;
  report = device().run("wait_with_clock", {1, 1, 1}, {1024, 1, 1}, flag, out);
  device().options().budget = 200'000'000;
  CHECK(Device::found(report) == device().expected("wait_with_clock"));
}

TEST_CASE("for a thread that sleeps while it waits, time passes") {
  std::uint64_t flag = device().upload(std::vector<int>(1));
  std::uint64_t out = device().upload(std::vector<int>(1));
  auto report = device().run("sleep_some_time", {1, 1, 1}, {1, 1, 1}, flag, out);
  CHECK(report.diagnoses.empty());
  CHECK(device().download<int>(out, 1)[0] == 1);
  CHECK(report.counts.counters["ptx__thread_instructions"] < 100'000);

  report = device().run("wait_asleep", {1, 1, 1}, {1, 1, 1}, flag, out);
  CHECK(Device::found(report) == device().expected("wait_asleep"));
  CHECK(report.counts.counters["ptx__thread_instructions"] < 1'000'000);
}

TEST_CASE("a launch whose budget was spent in waiting, with a look at the clock, is stuck") {
  std::uint64_t flag = device().upload(std::vector<int>(1));
  std::uint64_t out = device().upload(std::vector<int>(1));
  device().options().budget = 1'000'000;
  const auto report = device().run("wait_with_clock", {1, 1, 1}, {64, 1, 1}, flag, out);
  device().options().budget = 200'000'000;
  CHECK(Device::found(report) == device().expected("wait_with_clock"));
}

TEST_CASE("what waits longest in a queue has its turn before all is called a deadlock") {
  std::uint64_t queue = device().upload(std::vector<unsigned>(10));
  std::uint64_t sum = device().upload(std::vector<int>(1));
  auto report = device().run("bounded_queue", {2, 1, 1}, {32, 1, 1}, queue, sum);
  CHECK(report.diagnoses.empty());
  CHECK(device().download<int>(sum, 1)[0] == 96);
}

TEST_CASE("locks between lanes, warps and blocks are handed on") {
  for (const char* kernel : {"ticket_lock", "spin_lock"}) {
    CAPTURE(kernel);
    std::uint64_t lock = device().upload(std::vector<unsigned>(2));
    std::uint64_t sum = device().upload(std::vector<int>(1));
    auto report = device().run(kernel, {5, 1, 1}, {70, 1, 1}, lock, sum);
    CHECK(report.diagnoses.empty());
    CHECK(device().download<int>(sum, 1)[0] == 5 * 70);
  }
}

TEST_CASE("atomics whose result is never read run on all host threads and lose nothing") {
  for (unsigned threads : {1u, 4u}) {
    device().options().threads = threads;
    std::uint64_t bins = device().upload(std::vector<unsigned>(37));
    std::uint64_t most = device().upload(std::vector<std::uint64_t>(1));
    auto report = device().run("histogram", {1000, 1, 1}, {64, 1, 1}, bins, most);
    device().options().threads = 1;
    CHECK(report.diagnoses.empty());
    std::vector<unsigned> got = device().download<unsigned>(bins, 37);
    for (unsigned i = 0; i < 37; ++i) CHECK(got[i] == 64000 / 37 + (i < 64000 % 37));
    CHECK(device().download<std::uint64_t>(most, 1)[0] == 63999);
  }
}

TEST_CASE("clocks go forward") {
  std::uint64_t out = device().upload(std::vector<std::int64_t>(64));
  device().run("clocks", {1, 1, 1}, {32, 1, 1}, out);
  std::vector<std::int64_t> first = device().download<std::int64_t>(out, 64);
  device().run("clocks", {1, 1, 1}, {32, 1, 1}, out);
  std::vector<std::int64_t> second = device().download<std::int64_t>(out, 64);
  CHECK(first[0] > 0);
  CHECK(first[0] < 100);
  CHECK(second[32] > first[32]);
}

TEST_CASE("blocks know their place in their cluster") {
  std::uint64_t out = device().upload(std::vector<unsigned>(8));
  auto launch = device().prepared("where", {4, 2, 1}, {32, 1, 1}, out);
  launch.cluster = {2, 2, 1};
  device().module().run(launch, device().options());
  CHECK(device().download<unsigned>(out, 8) ==
        std::vector<unsigned>{2040, 2041, 2140, 2141, 2042, 2043, 2142, 2143});
}

}  // namespace turns_test
