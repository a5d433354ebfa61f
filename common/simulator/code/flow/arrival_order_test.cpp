// Values that a launch leaves to the next by the arrival order of its threads, and the loads that
// would be affected.

#include "simulator/code/flow/arrival_order.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "simulator/code/code_fixture.h"

using namespace warpwise;
using namespace warpwise::code;

namespace arrival_order_test {

const test::Source& source() {
  static const test::Source made(R"(
#define KERNEL extern "C" __global__ void
KERNEL pushed(const int* x, int* queue, int* count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] > 0) queue[atomicAdd(count, 1)] = i;
}
KERNEL pushed_by_a_warp(const int* x, int* queue, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, base = 0;
  unsigned mask = __ballot_sync(~0u, x[i] > 0);
  if (lane == 0) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(~0u, base, 0);
  if (x[i] > 0) queue[base + __popc(mask & ((1u << lane) - 1))] = i;
}
KERNEL pushed_by_a_block(const int* x, int* queue, int* count) {
  __shared__ int base;
  if (threadIdx.x == 0) base = atomicAdd(count, blockDim.x);
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  queue[base + threadIdx.x] = x[i];
}
KERNEL numbered(int* number, int* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  number[i] = atomicAdd(count, 1);
}
KERNEL inserted(const int* keys, int* table) {
  int key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  for (int at = key & 255;; at = (at + 1) & 255) {
    int old = atomicCAS(&table[at], -1, key);
    if (old == -1 || old == key) break;
  }
}
KERNEL chained(int* head, int* next) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  next[i] = atomicExch(head, i);
}
KERNEL claimed(const int* x, int* seen, int* parent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicExch(&seen[x[i]], 1) == 0) parent[x[i]] = i;
}
KERNEL passed_on(const int* queue, int* head, int* next, int* tail) {
  int at = atomicAdd(head, 1);
  next[atomicAdd(tail, 1)] = queue[at] + 1;
}
KERNEL collected(const int* x, int* list, int* n) {
  __shared__ int local[256], count, base;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (x[i] % 3 == 0) local[atomicAdd(&count, 1)] = i;
  __syncthreads();
  if (threadIdx.x == 0) base = atomicAdd(n, count);
  __syncthreads();
  for (int k = threadIdx.x; k < count; k += blockDim.x) list[base + k] = local[k];
}
KERNEL pushed_behind_a_lock(const int* x, int* stack, int* top, int* lock) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) != 0) continue;
    __threadfence();
    stack[*top] = x[i];
    *top = *top + 1;
    __threadfence();
    atomicExch(lock, 0);
    done = true;
  }
}
KERNEL coloured(const int* x, volatile int* colour) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = colour[x[i]], mine = 0;
  while (mine == other) ++mine;
  colour[i] = mine;
}
KERNEL hooked(volatile int* parent, const int2* edges) {
  int2 edge = edges[blockIdx.x * blockDim.x + threadIdx.x];
  int a = edge.x, b = edge.y;
  while (true) {
    while (parent[a] != a) a = parent[a];
    while (parent[b] != b) b = parent[b];
    if (a == b) break;
    int high = max(a, b), low = min(a, b);
    if (atomicCAS((int*)&parent[high], high, low) == high) break;
  }
}
// Nothing of these depends on the order.
KERNEL levels(const int* x, int* level, int depth) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (atomicCAS(&level[x[i]], -1, depth) == -1) level[x[i] + 4096] = depth;
}
KERNEL counted(const int* x, int* bins) {
  atomicAdd(&bins[x[blockIdx.x * blockDim.x + threadIdx.x] & 63], 1);
}
KERNEL dynamic_tiles(const float* x, float* y, int* next) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1);
  __syncthreads();
  int i = tile * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i];
}
KERNEL last_block(const float* x, float* parts, float* sum, int* done) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    is_last = atomicAdd(done, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; ++i) total += __ldcg(&parts[i]);
    *sum = total;
  }
}
KERNEL summed_by_warps(const float* x, float* y) {
  __shared__ volatile float sums[64];
  int t = threadIdx.x;
  sums[t] = x[t];
  __syncthreads();
  if (t < 32) sums[t] = sums[t] + sums[t + 32];
  __syncwarp();
  if (t < 16) y[t] = sums[t] + sums[t + 16];
}
KERNEL maximum(const float* x, int* best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, old = *best, assumed;
  do {
    assumed = old;
    if (__int_as_float(assumed) >= x[i]) break;
    old = atomicCAS(best, assumed, __float_as_int(x[i]));
  } while (old != assumed);
}
)");
  return made;
}

bool leaves_order(const char* kernel) {
  const auto program = source().program(kernel);
  return std::any_of(program->sites.begin(), program->sites.end(),
                     [](const Site& site) { return site.leaves_order; });
}

TEST_CASE("the order of arrival leaves a trace in queues, tables, lists and claims") {
  for (const char* kernel :
       {"pushed", "pushed_by_a_warp", "pushed_by_a_block", "numbered", "inserted", "chained",
        "claimed", "hooked", "passed_on", "collected", "coloured", "pushed_behind_a_lock"})
    CHECK_MESSAGE(leaves_order(kernel), std::string(kernel));
}

TEST_CASE("counts, constants, tiles that are handed out and the last block leave the same") {
  for (const char* kernel :
       {"levels", "counted", "dynamic_tiles", "last_block", "maximum", "summed_by_warps"})
    CHECK_FALSE_MESSAGE(leaves_order(kernel), std::string(kernel));
}

const test::Source& readers() {
  static const test::Source made(R"(
#define KERNEL extern "C" __global__ void
KERNEL gather(const float* x, const int* index, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[index[i]];
}
KERNEL rows(const int* starts, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = starts[i]; k < starts[i + 1]; ++k) sum += x[k];
  y[i] = sum;
}
KERNEL by_way_of_shared(const int* index, const float* x, float* y) {
  __shared__ int kept[256];
  int t = threadIdx.x;
  kept[t] = index[t];
  __syncthreads();
  y[t] = x[kept[255 - t]];
}
KERNEL chosen(const int* side, const float* x, float* y) {
  int t = threadIdx.x, at = t;
  for (int i = 0; i < side[0]; ++i) at = (at * 5 + 1) & 1023;
  y[t] = x[at];
}
__device__ __noinline__ float looked_up(const float* x, int at) { return x[at]; }
KERNEL by_a_call(const int* index, const float* x, float* y) {
  y[threadIdx.x] = looked_up(x, index[threadIdx.x]);
}
KERNEL skipped(const float* x, const float* z, float* y) {
  int t = threadIdx.x;
  if (x[t] > 0) y[t] = sqrtf(z[t]);
}
KERNEL clamped(const float* x, float* y) {
  int t = threadIdx.x;
  float value = x[t];
  for (int i = 0; i < 3; ++i)
    if (value > 1) value = value * value * 0.5f;
  y[t] = value;
}
)");
  return made;
}

/// How many loads of global memory decide about other accesses.
std::ptrdiff_t deciding_loads(const char* kernel) {
  const auto program = readers().program(kernel);
  return std::count_if(program->sites.begin(), program->sites.end(), [](const Site& site) {
    return site.space == Space::global && !site.is_store && site.decides;
  });
}

TEST_CASE("loads decide by addresses, bounds of loops, choices, shared memory and calls") {
  CHECK(deciding_loads("gather") == 1);
  CHECK(deciding_loads("rows") >= 2);
  CHECK(deciding_loads("by_way_of_shared") == 1);
  CHECK(deciding_loads("chosen") == 1);
  CHECK(deciding_loads("by_a_call") >= 1);
  CHECK(deciding_loads("skipped") == 1);  // x[t]: whether z is read
  CHECK(deciding_loads("clamped") == 0);
}

TEST_CASE("a kernel follows memory where one of its loads decides") {
  CHECK(follows_memory(*readers().program("gather")));
  CHECK_FALSE(follows_memory(*readers().program("clamped")));
  CHECK(follows_memory(*source().program("claimed")));
}

}  // namespace arrival_order_test
