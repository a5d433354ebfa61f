// Mistakes are found, named, and located at the line that makes them; the lowest thread and block.

#include <atomic>

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace diagnoses_test {

const std::string source = R"(
extern "C" __global__ void past_end(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] =
      x[i] + 1;  // expect: out-of-bounds
}
extern "C" __global__ void before_start(float* x) {
  int i = threadIdx.x;
  float v = 1.0f;
  if (i > 5)
    v = x[i - 9];  // expect: out-of-bounds
  x[i] = v;
}
extern "C" __global__ void far_away(float* x) {
  x[(threadIdx.x + 1) * (1ll << 24)] = 0;  // expect: out-of-bounds
}
extern "C" __global__ void straddles(float4* x) {
  x[threadIdx.x] = {};  // expect: out-of-bounds
}
extern "C" __global__ void null(int* x) {
  x[threadIdx.x] = 1;  // expect: null-pointer
}
extern "C" __global__ void host(int* x) {
  atomicAdd(x, 1);  // expect: host-pointer
}
extern "C" __global__ void freed(int* x) {
  x[threadIdx.x + 3] = 1;  // expect: use-after-free
}
extern "C" __global__ void shared_past(float* y, int n) {
  __shared__ float s[32];
  s[threadIdx.x + n] = 1;  // expect: out-of-bounds
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void shared_before(float* y, int n) {
  __shared__ float s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = s[(int)threadIdx.x - n];  // expect: out-of-bounds
}
extern "C" __global__ void local_past(int* y, int n) {
  int a[8];
  for (int k = 0; k < 8; ++k) a[k] = y[k];
  y[threadIdx.x] = a[threadIdx.x + n];  // expect: out-of-bounds
}
extern "C" __global__ void misaligned(const float* x, float4* y) {
  int i = threadIdx.x;
  const float* p = i < 7 ? x : x + 1;
  y[i] = *(const float4*)(p + 4 * i);  // expect: misaligned
}
extern "C" __global__ void shared_misaligned(int* y, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = 1;
  __syncthreads();
  int2 pair = ((int2*)(s + n))[threadIdx.x / 2];  // expect: misaligned
  y[threadIdx.x] = pair.x + pair.y;
}
extern "C" __global__ void missing_barrier(const float* x, float* y) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = x[t];  // expect: race
  y[t] = s[127 - t];  // expect: race
}
extern "C" __global__ void follows_a_race(float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;  // expect: race
  if (s[t ^ 32] > 20)  // expect: race
    y[t] = 1;
}
extern "C" __global__ void missing_second_barrier(float* y) {
  __shared__ float s[64];
  int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    s[t] = round * t;  // expect: race
    __syncthreads();
    y[t] += s[t ^ 32];  // expect: race
  }
}
extern "C" __global__ void all_store(int* y) {
  __shared__ int s;
  s = threadIdx.x;  // expect: race
  __syncthreads();
  y[threadIdx.x] = s;
}
extern "C" __global__ void sum_without_atomics(int* y) {
  __shared__ int s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  s += threadIdx.x;  // expect: race
  __syncthreads();
  *y = s;
}
extern "C" __global__ void no_syncwarp(int* y) {
  __shared__ volatile int dummy;
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = t;
  __syncwarp();
  int v = s[t ^ 1];
  s[t] = v + 1;  // expect: race
  dummy = 1;
  y[t] = s[t];
}
extern "C" __global__ void mask_without_me(int* y) {
  int t = threadIdx.x;
  y[t] = __shfl_sync(t < 20 ? 0xfffffu : 0xfffu, t, 3);  // expect: invalid-shuffle
}
extern "C" __global__ void never_arrives(int* y) {
  int t = threadIdx.x;
  if (t < 16)
    y[t] = __shfl_down_sync(0xffffffffu, t, 1);  // expect: invalid-shuffle
  else {
    __syncthreads();
    y[t] = t;
  }
}
extern "C" __global__ void reads_absent(int* y) {
  int t = threadIdx.x, v = t;
  v += __shfl_down_sync(0xffffffffu, v, 16);  // expect: invalid-shuffle
  y[t] = v;
}
extern "C" __global__ void two_barriers(int* y) {
  int t = threadIdx.x;
  if (t % 64 < 32)
    asm volatile("bar.sync 1;" ::: "memory");  // expect: barrier-divergence
  else
    asm volatile("bar.sync 2;" ::: "memory");
  y[t] = t;
}
extern "C" __global__ void too_few(int* y) {
  int t = threadIdx.x;
  if (t < 32)
    asm volatile("bar.sync 1, 64;" ::: "memory");  // expect: deadlock
  y[t] = t;
}
extern "C" __global__ void no_such_barrier(int n) {
  asm volatile("bar.sync %0;" :: "r"(n) : "memory");  // expect: barrier-divergence
}
extern "C" __global__ void endless(volatile int* x) {
  if (threadIdx.x < 7) return;
  while (*x == 0) { }  // expect: deadlock
}
extern "C" __global__ void updates_often(int* out, int n) {
  for (int i = 0; i < n * 1200; ++i) atomicXor(out + i % 7, i);  // expect: timeout
}
extern "C" __global__ void endless_without_memory(int* x, int n) {
  unsigned v = threadIdx.x;
  while (v != n) v = v * 2 + 2;  // expect: timeout
  *x = v;
}
// The values of two threads come back after some rounds; the other's have not.
extern "C" __global__ void endless_cycle(int* x, int n) {
  unsigned v = threadIdx.x + 1;
  while (v != n + 1) v = v * 0x8001 % 5;  // expect: timeout
  *x = v;
}
extern "C" __global__ void shared_into_next(float* y, int n) {
  __shared__ float first[16];
  __shared__ float second[48];
  first[threadIdx.x % 16] = second[threadIdx.x + 16] = 1;
  __syncthreads();
  float* end = threadIdx.x < 4 ? first : second;
  const float* p = first + n;
  y[threadIdx.x] = end[threadIdx.x] + p[threadIdx.x];  // expect: out-of-bounds
}
extern "C" __global__ void shared_into_one_before(float* y, int n) {
  __shared__ float first[16];
  __shared__ float second[48];
  first[threadIdx.x % 16] = second[threadIdx.x + 16] = 1;
  __syncthreads();
  y[threadIdx.x] = first[n] + second[threadIdx.x - n];  // expect: out-of-bounds
}
extern "C" __global__ void masks_differ(float* y) {
  unsigned mask = threadIdx.x < 16 ? 0xffffffffu : 0xffff0000u;
  y[threadIdx.x] = __shfl_xor_sync(mask, threadIdx.x, 1);  // expect: invalid-shuffle
}
extern "C" __global__ void sum_on_the_heap(int* y) {
  __shared__ int* sum;
  if (threadIdx.x == 0) {
    sum = static_cast<int*>(malloc(8));
    *sum = 0;
  }
  __syncthreads();
  *sum += threadIdx.x;  // expect: race
  __syncthreads();
  y[threadIdx.x] = *sum;
}
// Who takes the last numbers is decided by who comes first.
extern "C" __global__ void tickets_on_the_heap(int* y) {
  __shared__ int* left;
  if (threadIdx.x == 0) {
    left = static_cast<int*>(malloc(8));
    *left = 20;
  }
  __syncthreads();
  if (*left > 0) y[threadIdx.x] = atomicSub(left, 1);
}
extern "C" __global__ void pieces_handed_on(int* y) {
  int* piece = static_cast<int*>(malloc(8));
  piece[0] = threadIdx.x;
  piece[1] = 1;
  y[threadIdx.x] = piece[0] + piece[1];
  free(piece);
}
extern "C" __global__ void heap_after_free(int* y) {
  int* piece = static_cast<int*>(malloc(64));
  piece[3] = 1;
  free(piece);
  *y = piece[3];  // expect: use-after-free
}
)";

/// The launch of one kernel. `arrays` are 64 floats each, "x", "y", ...
struct Mistake {
  const char* kernel;
  unsigned threads;
  unsigned lowest_thread;
  std::uint64_t count;
  const char* words;  ///< part of the message
};

class DiagnosesDevice : public Device {
 public:
  DiagnosesDevice() : Device(source) {
    options().budget = 2'000'000;
    x = upload(std::vector<float>(64), "x");
    wide = upload(std::vector<float>(128));
    y = upload(std::vector<float>(512), "y");
    zeros = upload(std::vector<float>(64));
    gone = upload(std::vector<float>(64), "old");
    memory().release(gone);
  }
  std::uint64_t x, wide, y, zeros, gone;
};

DiagnosesDevice& device() {
  static DiagnosesDevice made;
  return made;
}

watch::LaunchReport launch(const char* kernel, unsigned threads) {
  DiagnosesDevice& on = device();
  std::string name = kernel;
  auto go = [&](auto... arguments) {
    return on.run(kernel, {1, 1, 1}, {threads, 1, 1}, arguments...);
  };
  if (name == "past_end" || name == "misaligned") return go(on.x, on.y);
  if (name == "missing_barrier") return go(on.wide, on.y);
  if (name == "before_start" || name == "straddles" || name == "far_away") return go(on.x);
  if (name == "endless") return go(on.zeros);
  if (name == "null") return go(std::uint64_t{0});
  if (name == "host") return go(reinterpret_cast<std::uint64_t>(&on));
  on.options().free_place = [&on](std::uint64_t base) {
    return base == on.gone ? " (main.cu:7)" : "";
  };
  if (name == "freed") return go(on.gone);
  if (name == "shared_past" || name == "local_past") return go(on.y, 3);
  if (name == "shared_before") return go(on.y, 5);
  if (name == "shared_misaligned") return go(on.y, 1);
  if (name == "no_such_barrier") return go(16);
  if (name == "endless_without_memory" || name == "updates_often") return go(on.y, 1);
  if (name == "endless_cycle") {
    on.options().budget *= 10;
    auto report = go(on.y, 7);
    on.options().budget /= 10;
    return report;
  }
  if (name == "shared_into_next") return go(on.y, 2);
  if (name == "shared_into_one_before") return go(on.y, 3);
  return go(on.y);
}

TEST_CASE("each mistake is found at its line, with the lowest thread and how many made it") {
  const Mistake mistakes[] = {
      {"past_end", 96, 64, 32,
       "4 bytes at offset 256 of array x (256 bytes): 4 bytes past its end"},
      {"before_start", 32, 6, 3, "12 bytes before the start of array x (256 bytes)"},
      {"far_away", 32, 0, 32, "writes"},
      {"straddles", 32, 16, 16, "16 bytes at offset 256 of array x"},
      {"null", 32, 0, 32, "null pointer"},
      {"host", 32, 0, 32, "not device memory"},
      {"freed", 32, 0, 32, "freed before this launch was done (main.cu:7). Free it"},
      {"shared_past", 32, 29, 3,
       "at offset 128 of shared array s (128 bytes): 4 bytes past its end"},
      {"shared_before", 32, 0, 5, "offset -20 of shared array s (128 bytes): 20 bytes before"},
      {"local_past", 8, 5, 3, "at offset 32 of its local arrays (32 bytes)"},
      {"misaligned", 12, 7, 5, "not a multiple of 16 (remainder 4)"},
      {"shared_misaligned", 32, 0, 32, "not a multiple of 8 (remainder 4)"},
      {"mask_without_me", 32, 20, 12, "does not name its own lane 20"},
      {"never_arrives", 32, 0, 1, "names lane 16, which never arrives"},
      {"reads_absent", 20, 4, 1,
       "reads the value of lane 20, which does not take part: the block has no"},
      {"two_barriers", 128, 0, 1, "64 of 128 threads wait at barrier 1"},
      {"too_few", 64, 0, 1, "32 of 64 threads"},
      {"no_such_barrier", 32, 0, 1, "barrier 16 does not exist"},
      {"endless", 64, 7, 1, "Threads that still run: 57;"},
      {"endless_without_memory", 64, 0, 1, "2000000 thread instructions"},
      {"endless_cycle", 1, 0, 1, "same values again"},
      {"shared_into_next", 32, 14, 18,
       "4 bytes at offset 64 of shared array first (64 bytes): 4 bytes past its end, at offset 0 "
       "of "
       "shared array second (192 bytes)"},
      {"shared_into_one_before", 32, 0, 3,
       "offset -12 of shared array second (192 bytes): 12 bytes before its start"},
      {"masks_differ", 32, 0, 16,
       "with the mask 0xffffffff, which names lane 16, and lane 16 executes it with 0xffff0000"},
      {"heap_after_free", 1, 0, 1,
       "(64 bytes by malloc or new in a kernel), which was freed before"},
  };
  const std::set<std::string> goes_on = {"mask_without_me", "reads_absent", "masks_differ",
                                         "no_such_barrier"};
  for (const Mistake& mistake : mistakes) {
    CAPTURE(mistake.kernel);
    auto report = launch(mistake.kernel, mistake.threads);
    CHECK(report.unsupported == "");
    CHECK(report.faulted == !goes_on.contains(mistake.kernel));
    CHECK(Device::found(report) == device().expected(mistake.kernel));
    if (report.diagnoses.size() != 1) continue;
    const watch::Diagnosis& diagnosis = report.diagnoses[0];
    CHECK(diagnosis.thread == watch::Index3{mistake.lowest_thread, 0, 0});
    CHECK(diagnosis.count == mistake.count);
    CHECK(diagnosis.severity == watch::Severity::error);
    CHECK_MESSAGE(diagnosis.message.find(mistake.words) != std::string::npos, diagnosis.message);
  }
}

TEST_CASE("a launch whose time is over tells where it was") {
  const std::atomic<bool> is_over = true;
  device().options().time_is_over = &is_over;
  // Also where few instructions take long.
  for (const char* kernel : {"endless_without_memory", "updates_often"}) {
    CAPTURE(kernel);
    auto report = launch(kernel, 32);
    CHECK(report.faulted);
    CHECK(Device::found(report) == device().expected(kernel));
    REQUIRE(report.diagnoses.size() == 1);
    CHECK(report.diagnoses[0].message.find("was still running here") != std::string::npos);
  }
  device().options().time_is_over = nullptr;
}

TEST_CASE("what depends on the first thread in a race is not counted for the hardware") {
  const std::string loads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
  CHECK(launch("follows_a_race", 64).counts.counters.count("ptx__" + loads) == 1);
  CHECK(launch("missing_barrier", 128).counts.counters.count(loads) == 1);
  const std::string atomics = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
  CHECK(launch("tickets_on_the_heap", 64).counts.counters.count("ptx__" + atomics) == 1);
}

TEST_CASE("a piece of the heap may be where another thread has had one") {
  const unsigned laps = device().memory().laps();
  device().run_clean("pieces_handed_on", {700, 1, 1}, {64, 1, 1}, device().y);
  CHECK(device().memory().laps() > laps);
}

TEST_CASE("races do not stop the launch; the report names both lines") {
  const std::pair<const char*, unsigned> races[] = {
      {"missing_barrier", 128}, {"missing_second_barrier", 64}, {"all_store", 32},
      {"all_store", 33},        {"sum_without_atomics", 64},    {"no_syncwarp", 32},
      {"sum_on_the_heap", 64}};
  for (auto [kernel, threads] : races) {
    CAPTURE(kernel);
    auto report = launch(kernel, threads);
    CHECK_FALSE(report.faulted);
    CHECK(Device::found(report) == device().expected(kernel));
    CHECK(report.counts.counters["ptx__thread_instructions"] > 0);
  }
  auto report = launch("missing_barrier", 128);
  // Warps run one after another: others write later what the first one reads.
  REQUIRE(report.diagnoses.size() == 2);
  unsigned lines[] = {report.diagnoses[0].line, report.diagnoses[1].line};
  for (int i : {0, 1}) {
    const std::string& message = report.diagnoses[i].message;
    CHECK_MESSAGE(message.find(fmt::format("(line {})", lines[1 - i])) != std::string::npos,
                  message);
    CHECK_MESSAGE(message.find("__syncthreads()") != std::string::npos, message);
  }
}

TEST_CASE("blocks of all shapes: thread and block of a mistake have three coordinates") {
  DiagnosesDevice& on = device();
  auto report = on.run("past_end", {3, 1, 1}, {40, 1, 1}, on.x, on.y);
  REQUIRE(report.diagnoses.size() == 1);
  CHECK(report.diagnoses[0].block == watch::Index3{1, 0, 0});
  CHECK(report.diagnoses[0].thread == watch::Index3{24, 0, 0});
}

}  // namespace diagnoses_test
