// Accesses whose counts the text alone does not give, by kernels in which an H200 counted
// otherwise.

#include "simulator/code/confirm/uncertain_counts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "simulator/code/code_fixture.h"

using namespace warpwise;
using namespace warpwise::code;

namespace uncertain_counts_test {

const test::Source& source() {
  static const test::Source made(R"(
extern "C" __global__ void found_and_gone(const int* x, int* y, int n) {
  int i = threadIdx.x, value = x[i];
  for (int d = 2; d * d <= value; ++d)
    if (value % d == 0) {
      y[i] = d;
      return;
    }
  y[i + n] = value;
}
extern "C" __global__ void found_and_back(const int* x, int* y, int n) {
  int i = threadIdx.x, value = x[i], d = 2;
  for (; d < n; ++d)
    if (x[value + d] == 0) break;
  y[i] = d;
}
struct Node { int key, left, right; };
extern "C" __global__ void descend(const Node* tree, const int* wanted, int* y) {
  int i = threadIdx.x, at = 0, steps = 0;
  while (at >= 0) {
    Node node = tree[at];
    ++steps;
    if (node.key == wanted[i]) break;
    at = wanted[i] < node.key ? node.left : node.right;
  }
  y[i] = steps;
}
extern "C" __global__ void one_wants(const int* x, int* y, volatile int* state) {
  __shared__ int sums[8];
  int t = threadIdx.x;
  if (t < 8) sums[t] = x[t];
  __syncthreads();
  int total = sums[7];
  if (t == 0) {
    if (blockIdx.x == 0) state[0] = total;
    else state[blockIdx.x] = state[0] + total;
  }
  y[t] = sums[t & 7];
}
extern "C" __global__ void queued(const int* x, int* y) {
  __shared__ int queue[256], count;
  int t = threadIdx.x;
  if (t == 0) count = 0;
  __syncthreads();
  if (x[t] > 0) queue[atomicAdd(&count, 1)] = t;
  __syncthreads();
  if (t < count) y[queue[t]] = 1;
}
extern "C" __global__ void owned(const int* x, int* y) {
  __shared__ int owner[64];
  int t = threadIdx.x;
  owner[t] = -1;
  __syncthreads();
  atomicCAS(&owner[x[t]], -1, t);
  __syncthreads();
  if (owner[t] >= 0) y[owner[t]] = 1;
}
extern "C" __global__ void locked(const int* x, int* y) {
  __shared__ int lock;
  int t = threadIdx.x;
  if (t == 0) lock = 0;
  __syncthreads();
  if (x[t]) atomicExch(&lock, 1);
  __syncthreads();
  if (lock) y[t] = 1;
}
extern "C" __global__ void ticket(const int* x, int* y, unsigned* next) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
  __syncthreads();
  y[tile * 256 + threadIdx.x] = 1;
}
extern "C" __global__ void lowered(const int* x, int* y) {
  int t = threadIdx.x;
  if (atomicAdd(&y[t], 0) > x[t]) y[t + 64] = x[t];
}
extern "C" __global__ void room(const int* x, int* y, int* used) {
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicAdd(used, x[blockIdx.x]);
  __syncthreads();
  y[first + threadIdx.x] = 1;
}
// The compiler moves no volatile assembly; what stands in it is a load like any other to ptxas.
__device__ float loaded(const float* at) {
  float value;
  asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"((unsigned)__cvta_generic_to_shared(at)));
  return value;
}
extern "C" __global__ void one_stores(const float* x, float* y, int n) {
  __shared__ float a[64];
  int t = threadIdx.x;
  a[t] = x[t];
  __syncthreads();
  float sum = loaded(a + t * 7 % 64) + loaded(a + t * 5 % 64);
  if (t < n) y[t] = sum;
}
extern "C" __global__ void all_wait(const float* x, float* y, int n) {
  __shared__ float a[64];
  int t = threadIdx.x;
  a[t] = x[t];
  __syncthreads();
  float sum = loaded(a + t * 7 % 64) + loaded(a + t * 5 % 64);
  __syncthreads();
  if (t < n) y[t] = sum;
}
extern "C" __global__ void insert(int* table, const int* keys, const int* values, int* sums) {
  int key = keys[threadIdx.x], at = key & 63;
  while (true) {
    int before = atomicCAS(&table[at], -1, key);
    if (before == -1 || before == key) break;
    at = (at + 1) & 63;
  }
  sums[at] = values[threadIdx.x];
}
extern "C" __global__ void insert_many(int* table, const int* keys, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    int key = keys[i], at = key & 63;
    bool done = false;
    while (!done) {
      int before = atomicCAS(&table[at], -1, key);
      if (before == -1) done = true;
      else if (before == key) { atomicAdd(&table[at + 64], 1); done = true; }
      else at = (at + 1) & 63;
    }
  }
}
extern "C" __global__ void follow(volatile int* next, int* y) {
  int t = threadIdx.x, to = next[t];
  if (to != t) y[t] = 1;
}
// Of registers that the compiler does not see, as in libcu++.
__device__ bool is_over(unsigned long long* barrier) {
  int over;
  asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
               : "=r"(over) : "r"((unsigned)__cvta_generic_to_shared(barrier)) : "memory");
  return over;
}
extern "C" __global__ void poll(const int* x, int* y) {
  __shared__ unsigned long long barrier;
  int t = threadIdx.x, sum = 0;
  while (!is_over(&barrier)) sum += x[t];
  y[t] = sum;
}
__device__ __noinline__ bool is_over_there(unsigned long long* barrier) { return is_over(barrier); }
extern "C" __global__ void poll_by_a_call(const int* x, int* y) {
  __shared__ unsigned long long barrier;
  int t = threadIdx.x, sum = 0;
  while (!is_over_there(&barrier)) sum += x[t];
  y[t] = sum;
}
extern "C" __global__ void until_late(const volatile int* x, int* y, long long late) {
  int t = threadIdx.x;
  while (clock64() < late) y[t] = t;
  y[t + 32] = t;
}
extern "C" __global__ void cases(const int* x, int* y, int n) {
  int t = threadIdx.x, v = x[t];
  switch (v >> 1 & 3) {
    case 0: v += x[(t + v) & 255]; v = v < n ? v / 3 : v + t;
    case 1: v += atomicAdd(y + n + t, v % 3);
    case 2: y[2 * n + t] = v;
    case 3: v -= t;
  }
  y[t] = v;
}
extern "C" __global__ void either(const int* x, int* y, int n) {
  int t = threadIdx.x, v = x[t];
  if (v % 3 == 0 || x[(t + v) & 255] % 5 == 0) v += atomicAdd(y + n + t, v);
  y[t] = v;
}
extern "C" __global__ void either_then_wait(const int* x, int* y, int n) {
  int t = threadIdx.x, v = x[t];
  if (v % 3 == 0 || x[(t + v) & 255] % 5 == 0) v += atomicAdd(y + n + t, v);
  __syncthreads();
  y[t] = v;
}
extern "C" __global__ void last_one(unsigned* count, int* y) {
  if (atomicAdd(count, 1u) == gridDim.x - 1) y[threadIdx.x] = 1;
}
)");
  return made;
}

using Test = std::function<bool(const Site&)>;

/// How many loads or stores of a kernel, in global or shared memory, pass the test.
std::ptrdiff_t count(const char* kernel, Space space, bool is_store, const Test& test) {
  const auto program = source().program(kernel);
  return std::count_if(program->sites.begin(), program->sites.end(), [&](const Site& site) {
    return site.space == space && site.is_store == is_store && !site.is_atomic && test(site);
  });
}

bool is_behind_side_exit(const Site& site) { return !site.side_exits.empty(); }
bool may_be_skipped(const Site& site) { return site.may_be_skipped; }
bool depends_on_others(const Site& site) { return site.depends_on_others; }

TEST_CASE("lanes that leave a loop for good need not meet again") {
  CHECK(count("found_and_gone", Space::global, true, is_behind_side_exit) >= 1);
  CHECK(count("found_and_gone", Space::global, false, is_behind_side_exit) == 0);
  CHECK(count("found_and_back", Space::global, true, is_behind_side_exit) == 0);
  CHECK(count("descend", Space::global, true, is_behind_side_exit) == 0);
}

TEST_CASE("lanes need not meet where a case falls through, they do after `||`") {
  const auto atomics = [](const char* kernel) {
    const auto program = source().program(kernel);
    return std::count_if(program->sites.begin(), program->sites.end(), [](const Site& site) {
      return site.is_atomic && is_behind_side_exit(site);
    });
  };
  CHECK(atomics("cases") == 1);
  CHECK(atomics("either") == 0);
  // ptxas leaves it to the barrier.
  CHECK(atomics("either_then_wait") == 1);
}

TEST_CASE("ptxas may load where the value is wanted") {
  CHECK(count("descend", Space::global, false, may_be_skipped) >= 1);
  CHECK(count("one_wants", Space::shared, false, may_be_skipped) == 0);
  CHECK(count("found_and_back", Space::global, false, may_be_skipped) == 0);
  CHECK(count("queued", Space::shared, false, may_be_skipped) == 0);
}

TEST_CASE("ptxas may put a load after the branch that wants its value, not past a barrier") {
  const auto sinks = [](const Site& site) { return !site.moves.empty(); };
  CHECK(count("one_stores", Space::shared, false, sinks) >= 1);
  CHECK(count("all_wait", Space::shared, false, sinks) == 0);
  CHECK(count("one_stores", Space::global, false, sinks) == 0);
}

TEST_CASE("lanes that others let out of a loop need not meet again") {
  CHECK(count("insert", Space::global, false, is_behind_side_exit) >= 1);
  CHECK(count("insert", Space::global, true, is_behind_side_exit) == 1);
  CHECK(count("insert_many", Space::global, false, is_behind_side_exit) >= 1);
}

TEST_CASE("what others have written decides which lanes branch, what was counted does not") {
  CHECK(count("follow", Space::global, true, depends_on_others) == 1);
  CHECK(count("last_one", Space::global, true, depends_on_others) == 0);
}

TEST_CASE("how often a loop looks at an mbarrier or a clock depends on when it gets there") {
  CHECK(count("poll", Space::global, false, depends_on_others) == 1);
  CHECK(count("poll_by_a_call", Space::global, false, depends_on_others) == 1);
  CHECK(count("until_late", Space::global, true, depends_on_others) == 1);
  for (const char* kernel : {"poll", "poll_by_a_call"})
    CHECK_MESSAGE(count(kernel, Space::global, true, depends_on_others) == 0, kernel);
}

TEST_CASE("a loop that waits may turn on a GPU though it does not here") {
  const test::Source made(R"(
extern "C" __global__ void take_turns(int* turn, int* y, int n) {
  if (threadIdx.x == 0) while (atomicAdd(turn, 0) != blockIdx.x) __nanosleep(20);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += 32) atomicAdd(&y[i], 1);
}
)");
  const auto program = made.program("take_turns");
  CHECK(std::count_if(program->sites.begin(), program->sites.end(), [](const Site& site) {
          return site.is_atomic && !site.choices.empty();
        }) == 1);
}

TEST_CASE("a debug build does not tell where lanes meet that part in a loop") {
  const auto branches = [](const test::Source& source, const char* kernel) {
    const auto program = source.program(kernel);
    return std::count(program->parts_for_longer.begin(), program->parts_for_longer.end(), true);
  };
  const char* text = R"(
extern "C" __global__ void loop(const int* x, int* y, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 32) if (x[i] > 0) sum += x[i];
  y[threadIdx.x] = sum;
}
extern "C" __global__ void guard(const int* x, int* y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];
}
)";
  const test::Source debug(text, "90", "-G"), other(text);
  CHECK(branches(debug, "loop") >= 2);
  CHECK(branches(debug, "guard") == 0);
  CHECK(branches(other, "loop") == 0);
}

TEST_CASE("a kernel that yields and calls does not tell where lanes meet that part in a loop") {
  const test::Source made(R"(
__device__ __noinline__ int product(int a, int b) { return a * b + (a >> 3); }
template <class Other>
__device__ void loop_beside(const int* x, int* y, int n, Other other) {
  int t = threadIdx.x, a = x[t], c = t ^ 5;
  if (t % 32 != 4)
    for (int i = 0; i < (t * 7 & 3); ++i) {
      a += x[(a + i) & 4095];
      atomicMax(y + n + t, a);
    }
  else
    c = other(c);
  y[t] = a + c;
}
struct Call { __device__ int operator()(int c) const { return product(c, threadIdx.x * 7); } };
struct Load { const int* x; __device__ int operator()(int c) const { return x[c]; } };
extern "C" __global__ void beside_call(const int* x, int* y, int n) { loop_beside(x, y, n, Call{}); }
extern "C" __global__ void beside_load(const int* x, int* y, int n) { loop_beside(x, y, n, Load{x}); }
)");
  CHECK_FALSE(made.program("beside_call")->parts_for_longer.empty());
  CHECK(made.program("beside_load")->parts_for_longer.empty());
}

TEST_CASE("the order within a queue depends on others, the set of its tickets does not") {
  CHECK(count("queued", Space::global, true, depends_on_others) == 1);
  CHECK(count("room", Space::global, true, depends_on_others) == 1);
  CHECK(count("owned", Space::global, true, depends_on_others) == 1);
  CHECK(count("locked", Space::global, true, depends_on_others) == 0);
  CHECK(count("ticket", Space::global, true, depends_on_others) == 0);
  CHECK(count("lowered", Space::global, true, depends_on_others) == 1);
  CHECK(count("one_wants", Space::global, true, depends_on_others) == 0);
}

}  // namespace uncertain_counts_test
