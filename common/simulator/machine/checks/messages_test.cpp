// Messages for people when something is wrong: whole sentences, one for each kind of mistake in
// memory.

#include "simulator/machine/machine_fixture.h"

using namespace warpwise;
using namespace warpwise::machine::test;

namespace messages_test {

const std::string source = R"(
extern "C" __global__ void past_end(float* x) { x[threadIdx.x] = 1; }
extern "C" __global__ void before_start(float* x) { x[-3] = x[0]; }
extern "C" __global__ void between(float* x) {
  __shared__ char head[20];
  __shared__ double tile[8];
  head[threadIdx.x] = 1;
  tile[threadIdx.x & 7] = 2;
  __syncthreads();
  x[threadIdx.x] = head[threadIdx.x + 1] + tile[0];
}
extern "C" __global__ void past_shared(float* x) {
  __shared__ float tile[32];
  tile[threadIdx.x + 3] = 1;
  __syncthreads();
  x[1] = tile[0];
}
extern "C" __global__ void past_dynamic(float* x) {
  extern __shared__ float buffer[];
  buffer[threadIdx.x * 2] = x[0];
}
extern "C" __global__ void local_past(float* x) {
  float v[4];
  for (int i = 0; i < 4; ++i) v[i] = x[i];
  x[4] = v[threadIdx.x];
}
struct Node { int value; Node* next; };
extern "C" __global__ void null_member(Node* x) { x[0].value = x->next->next->value; }
extern "C" __global__ void wild(float* x) { x[1ull << 44] = 1; }
extern "C" __global__ void unaligned(char* x) { *(float4*)(x + 4) = float4(); }
extern "C" __global__ void shared_race(float* x) {
  __shared__ float tile[64];
  tile[threadIdx.x] = x[threadIdx.x & 7];
  x[8] = tile[threadIdx.x ^ 32];
}
extern "C" __global__ void global_race(float* x) { x[threadIdx.x & 15] = threadIdx.x; }
extern "C" __global__ void block_race(float* x) { x[16] = blockIdx.x; }
extern "C" __global__ void atomic_race(int* x) {
  if (blockIdx.x == 1) x[1] = x[0];
  else atomicAdd(x, 1);
}
extern "C" __global__ void claim_race(int* x) {
  if (!x[threadIdx.x & 3]) x[threadIdx.x & 3] = threadIdx.x;
}
extern "C" __global__ void greatest_race(int* x) {
  if (x[0] < int(threadIdx.x + 7 * blockIdx.x)) atomicExch(x, int(threadIdx.x + 7 * blockIdx.x));
}
extern "C" __global__ void count_race(int* x) { x[0] += threadIdx.x + 1; }
extern "C" __global__ void look_behind_race(int* x) {
  atomicAdd(x, 1);
  x[1 + threadIdx.x] = x[0];
}
extern "C" __global__ void set_and_add_race(int* x) {
  if (blockIdx.x + threadIdx.x == 0) x[0] = 5;
  atomicAdd(x, 1);
}
extern "C" __global__ void flag_race(int* x) {
  volatile int* flag = x + 1;
  if (blockIdx.x == 0) {
    x[0] = 42;
    *flag = 1;
  } else {
    while (!*flag) {}
    x[2] = x[0];
  }
}
extern "C" __global__ void fresh_global(float* x, float* y) { x[threadIdx.x] = y[threadIdx.x] + 1; }
extern "C" __global__ void fresh_shared(float* x) {
  __shared__ float sum[8];
  if (threadIdx.x < 7) sum[threadIdx.x] = x[0];
  __syncthreads();
  if (sum[threadIdx.x & 7] > 2) x[1] = 1;
}
__device__ __noinline__ void put(float* list, unsigned at) { list[at] = 1; }
extern "C" __global__ void callers_past(float* x) {
  float v[4] = {};
  put(v, threadIdx.x);
  put(v + 1, 2);
  x[0] = v[x[1] > 0];
}
extern "C" __global__ void work_race(int* x) {
  __shared__ int next;
  if (threadIdx.x == 0) next = 0;
  __syncthreads();
  while (next < 4) {
    if (threadIdx.x == 0) ++next;
    __syncthreads();
  }
}
__device__ __noinline__ float* row_of_its_own(float v) {
  float row[4] = {v, v, v, v};
  float* start = row;
  asm volatile("" : "+l"(start));
  return start;
}
extern "C" __global__ void ended_function(float* x) { x[0] = row_of_its_own(x[1])[1]; }
extern "C" __global__ void others_shared(float* x) {
  x[0] = __ldg(reinterpret_cast<float*>((1ull << 56) + 1024));  // as an earlier kernel's array has it
}
extern "C" __global__ void unsigned_below_0(float* x, unsigned i) { x[i - 3] = 1; }
extern "C" __global__ void into_flag(float* x) {
  __shared__ float sums[4];
  __shared__ bool is_last;
  sums[threadIdx.x] = x[0];
  is_last = x[1] > 0;
  __syncthreads();
  x[2] = is_last ? sums[3] : sums[2];
}
extern "C" __global__ void sort_race(float* x) {
  __shared__ float keys[64];
  keys[threadIdx.x] = x[threadIdx.x % 20];
  float &a = keys[threadIdx.x * 2 & 63], &b = keys[(threadIdx.x * 2 + 1) & 63];
  if (threadIdx.x < 32 && !(a < b)) {
    const float t = a;
    a = b + 1;
    b = t + 1;
  }
  __syncthreads();
  x[threadIdx.x % 20] = keys[threadIdx.x];
}
extern "C" __global__ void one_place(int* x) { x[1] = 7 + atomicAdd(x, 1); }
extern "C" __global__ void added_to_nothing(float* y) { y[threadIdx.x] += 2; }
extern "C" __global__ void past_an_end(float* z, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = i;
}
)";

Device& device() {
  static Device made(source);
  return made;
}

/// Each diagnosis as people see it, without its place.
std::string reported(const watch::LaunchReport& report) {
  std::string text;
  for (const watch::Diagnosis& d : report.diagnoses) {
    if (!text.empty()) text += "\n";
    text += fmt::format("{} at {}:{}, block {}, thread {}: {}", d.kind, d.line, d.column,
                        d.block[0], d.thread[0], d.message);
  }
  return text + report.unsupported;
}

TEST_CASE("mistakes in memory are reported in whole sentences") {
  Device& on = device();
  struct Message {
    const char* kernel;
    unsigned blocks, threads;
    const char* text;
  };
  const Message messages[] = {
      {"past_end", 1, 32,
       "out-of-bounds at 2:41, block 0, thread 20: thread (20, 0, 0) writes 4 bytes at offset 80 "
       "of array x (80 bytes): 4 bytes past its end. Guard the index, or launch fewer threads."},
      {"before_start", 1, 1,
       "out-of-bounds at 3:41, block 0, thread 0: thread (0, 0, 0) writes 4 bytes 12 bytes before "
       "the start of array x (80 bytes). Check the index for values below 0."},
      {"between", 1, 32,
       "out-of-bounds at 7:3, block 0, thread 20: thread (20, 0, 0) writes 1 bytes at offset 20 of "
       "the block's shared memory, in the padding gap after head (20 bytes). Guard the index."},
      {"past_shared", 1, 32,
       "out-of-bounds at 14:3, block 0, thread 29: thread (29, 0, 0) writes 4 bytes at offset 128 "
       "of shared array tile (128 bytes): 4 bytes past its end. Guard the index."},
      {"into_flag", 1, 5,
       "out-of-bounds at 104:3, block 0, thread 4: thread (4, 0, 0) writes 4 bytes at offset 16 of "
       "shared array sums (16 bytes): 4 bytes past its end, at offset 0 of shared array is_last (1 "
       "bytes). Guard the index."},
      {"past_dynamic", 1, 32,
       "out-of-bounds at 20:3, block 0, thread 13: thread (13, 0, 0) writes 4 bytes at offset 104 "
       "of the block's shared memory, which has 100 bytes; buffer (100 bytes) ends 4 bytes before. "
       "Guard the index, or give the launch more dynamic shared memory."},
      {"local_past", 1, 8,
       "out-of-bounds at 25:3, block 0, thread 4: thread (4, 0, 0) reads 4 bytes at offset 16 of "
       "its local arrays (16 bytes). Guard the index."},
      {"callers_past", 1, 6,
       "out-of-bounds at 74:43, block 0, thread 4: thread (4, 0, 0) writes 4 bytes at offset 16 of "
       "the calling function's local arrays (16 bytes). Guard the index."},
      {"ended_function", 1, 1,
       "out-of-bounds at 96:41, block 0, thread 0: thread (0, 0, 0) reads a local variable of a "
       "kernel or function that has ended. Pass on the value, through shared or global memory."},
      {"others_shared", 1, 1,
       "out-of-bounds at 98:3, block 0, thread 0: thread (0, 0, 0) reads an address of shared "
       "memory "
       "at which this block has none. Only the block that has made it can use it, while that block "
       "runs: a kernel that is launched later, or by it, has its own shared memory. Pass the "
       "values on through global memory."},
      {"null_member", 1, 1,
       "null-pointer at 28:41, block 0, thread 0: thread (0, 0, 0) reads through a null pointer "
       "(address 8). Was the pointer set, and did cudaMalloc succeed?"},
      {"unaligned", 1, 1,
       "misaligned at 30:41, block 0, thread 0: thread (0, 0, 0) writes 16 bytes at an address "
       "that is not a multiple of 16 (remainder 4). Vector types need pointers and indices that "
       "keep them aligned."},
      {"shared_race", 1, 64,
       "race at 33:3, block 0, thread 32: thread (32, 0, 0) writes offset 128 of shared array tile "
       "(256 bytes) that thread (0, 0, 0) reads (line 34) with nothing in between to order them. "
       "Is a __syncthreads() missing?\n"
       "race at 34:3, block 0, thread 32: thread (32, 0, 0) reads offset 0 of shared array tile "
       "(256 bytes) that thread (0, 0, 0) writes (line 33) with nothing in between to order them. "
       "Is a __syncthreads() missing?\n"
       "race at 34:3, block 0, thread 32: thread (32, 0, 0) writes offset 32 of array x (80 bytes) "
       "that thread (0, 0, 0) writes (line 34) with nothing in between to order them. Should both "
       "write "
       "there, or is an index or a guard wrong?"},
      {"global_race", 1, 32,
       "race at 36:41, block 0, thread 16: thread (16, 0, 0) writes offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) writes (line 36) with nothing in between to order them. Should both "
       "write there, or is an index or a guard wrong?"},
      {"block_race", 3, 1,
       "race at 37:41, block 1, thread 0: thread (0, 0, 0) writes offset 64 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) writes (line 37), and nothing orders blocks "
       "within a launch. Should both write there, or is an index or a guard wrong? Give each block "
       "its own place; only where all add to one sum, use an atomic."},
      {"atomic_race", 2, 1,
       "race at 39:3, block 1, thread 0: thread (0, 0, 0) reads offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) updates (line 40), and nothing orders blocks "
       "within a launch. A result that blocks put together is complete when the kernel has ended: "
       "read it in a second kernel."},
      {"claim_race", 1, 8,
       "race at 43:3, block 0, thread 4: thread (4, 0, 0) writes offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) writes (line 43) with nothing in between to order them. Each thread "
       "looks there and then writes, and another may write in between. Let one atomic do both: "
       "atomicCAS, which returns what was there, so that one thread knows it is first."},
      {"greatest_race", 1, 8,
       "race at 46:3, block 0, thread 1: thread (1, 0, 0) updates offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) reads (line 46) with nothing in between to order them. Each thread "
       "looks there and then writes, and another may write in between. Let one atomic do both: "
       "atomicMax or atomicMin."},
      {"greatest_race", 2, 1,
       "race at 46:3, block 1, thread 0: thread (0, 0, 0) updates offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) reads (line 46) with nothing in between to order "
       "them. Each thread looks there and then writes, and another may write in between. Let one "
       "atomic do both: atomicMax or atomicMin."},
      {"count_race", 1, 8,
       "race at 48:41, block 0, thread 1: thread (1, 0, 0) writes offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) writes (line 48) with nothing in between to order them. Each thread "
       "reads there, computes and writes, and another may write in between. If each thread "
       "uses what others left there, a __syncthreads() is missing; if all add to one sum, use "
       "an atomic, such as atomicAdd."},
      {"count_race", 2, 1,
       "race at 48:41, block 1, thread 0: thread (0, 0, 0) reads offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) writes (line 48), and nothing orders blocks "
       "within a launch. Each thread reads there, computes and writes, and another may write in "
       "between. If all add to one sum, use an atomic, such as atomicAdd; otherwise write into "
       "a second array, because blocks have no order."},
      {"look_behind_race", 1, 8,
       "race at 51:3, block 0, thread 1: thread (1, 0, 0) reads offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) writes (line 50) with nothing in between to order them. Another "
       "thread's atomic may come in between, or later. To see what all have made there, let them "
       "meet first, by __syncthreads(), grid.sync() or the end of the kernel; to see what its own "
       "atomic has made, use what that returns, which is what was there before."},
      {"set_and_add_race", 2, 1,
       "race at 55:3, block 1, thread 0: thread (0, 0, 0) updates offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) writes (line 54), and nothing orders blocks "
       "within a launch. Set it before the launch, such as by cudaMemset, or let both accesses be "
       "atomic."},
      {"flag_race", 2, 1,
       "race at 64:5, block 1, thread 0: thread (0, 0, 0) reads offset 0 of array x (80 bytes) "
       "that thread (0, 0, 0) of block (0, 0, 0) writes (line 60) with nothing in between to order "
       "them. Is a __threadfence() missing, before the flag is set or after it is seen?"},
      {"work_race", 1, 64,
       "barrier-divergence at 87:5, block 0, thread 0: 32 of 64 threads of the block ended "
       "without coming to this barrier. It opens when they have ended: what they did is there, "
       "what "
       "they left out is not. The manual wants all threads at it: move it before the return, or "
       "out "
       "of the branch.\n"
       "race at 85:3, block 0, thread 32: thread (32, 0, 0) reads offset 0 of shared array next (4 "
       "bytes) that thread (0, 0, 0) writes (line 86) with nothing in between to order them. Is a "
       "__syncthreads() missing?\n"
       "race at 86:5, block 0, thread 0: thread (0, 0, 0) writes offset 0 of shared array next (4 "
       "bytes) that thread (1, 0, 0) reads (line 85) with nothing in between to order them. Is a "
       "__syncthreads() missing?"},
      {"fresh_shared", 1, 32,
       "uninitialized at 72:3, block 0, thread 7: thread (7, 0, 0) reads offset 28 of shared array "
       "sum (32 bytes), which nothing has written, and the value decides what runs. Write it "
       "first, and put a __syncthreads() in between where another thread writes it."},
  };
  for (const Message& message : messages) {
    CAPTURE(std::string(message.kernel));
    auto x = on.upload(std::vector<float>(20), "x");
    const unsigned dynamic = std::string(message.kernel) == "past_dynamic" ? 100 : 0;
    auto report = on.run_with_shared(dynamic, message.kernel, {message.blocks, 1, 1},
                                     {message.threads, 1, 1}, x);
    CHECK_MESSAGE(reported(report) == message.text, reported(report));
    on.memory().release(x);
  }
  auto x = on.upload(std::vector<float>(20), "x");
  auto wild = reported(on.run("wild", {1, 1, 1}, {1, 1, 1}, x));
  CHECK_MESSAGE(wild.find("which is nowhere near an allocation. Is the pointer or its index "
                          "uninitialised, or has the index overflowed?") != std::string::npos,
                wild);
  auto below = reported(on.run("unsigned_below_0", {1, 1, 1}, {1, 1, 1}, x, 1u));
  CHECK_MESSAGE(
      below.find("writes 4 bytes at element 4294967294 of array x (80 bytes): an unsigned "
                 "index went below 0, where 0 - 1 is 4294967295. Guard it before you "
                 "subtract.") != std::string::npos,
      below);
  auto unsorted = reported(on.run("sort_race", {1, 1, 1}, {64, 1, 1}, x));
  CHECK_MESSAGE(unsorted.find("that thread (16, 0, 0) writes (line 115) with nothing in between to "
                              "order them. Is a __syncthreads() missing?") != std::string::npos,
                unsorted);
  CHECK_MESSAGE(unsorted.find("Let one atomic do both") == std::string::npos, unsorted);
  auto both = reported(on.run("one_place", {2, 1, 1}, {1, 1, 1}, x));
  CHECK_MESSAGE(
      both.find("of block (0, 0, 0) writes (line 121) with nothing in between to order "
                "them. Should both write there, or is an index or a guard wrong? Give each "
                "block its own place, or use an atomic.") != std::string::npos,
      both);
  auto added = reported(on.run("added_to_nothing", {1, 1, 1}, {4, 1, 1}, on.fresh(16, "y")));
  CHECK_MESSAGE(added.find("Add up in a variable of the thread and store once") != added.npos,
                added);
  auto counted = reported(on.run("past_an_end", {4, 1, 1}, {8, 1, 1}, on.fresh(20, "z"), 20));
  CHECK_MESSAGE(counted.find("cudaMalloc and cudaMemcpy count bytes") != counted.npos, counted);
  auto early = reported(on.run("past_an_end", {4, 1, 1}, {8, 1, 1}, on.fresh(40, "z"), 32));
  CHECK_MESSAGE(early.find("It is not the last block that does this") != early.npos, early);
  auto fresh = reported(on.run("fresh_global", {1, 1, 1}, {4, 1, 1}, x, on.fresh(16, "y")));
  CHECK_MESSAGE(
      fresh.find("thread (0, 0, 0) reads offset 0 of array y (16 bytes), which nothing has "
                 "written, and the value makes a result that is stored. Initialise it "
                 "first: cudaMemset, cudaMemcpy or a kernel that writes it.") != std::string::npos,
      fresh);
}

}  // namespace messages_test
