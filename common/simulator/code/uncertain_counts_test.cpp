// Accesses whose counts the text alone does not tell, by kernels in which an H200 counted
// otherwise.

#include "simulator/code/uncertain_counts.h"

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
extern "C" __global__ void ticket(const int* x, int* y, unsigned* next) {
  __shared__ int tile;
  if (threadIdx.x == 0) tile = atomicAdd(next, 1u);
  __syncthreads();
  y[tile * 256 + threadIdx.x] = 1;
}
extern "C" __global__ void room(const int* x, int* y, int* used) {
  __shared__ int first;
  if (threadIdx.x == 0) first = atomicAdd(used, x[blockIdx.x]);
  __syncthreads();
  y[first + threadIdx.x] = 1;
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

TEST_CASE("ptxas may load where the value is wanted") {
  CHECK(count("descend", Space::global, false, may_be_skipped) >= 1);
  CHECK(count("one_wants", Space::shared, false, may_be_skipped) == 0);
  CHECK(count("found_and_back", Space::global, false, may_be_skipped) == 0);
  CHECK(count("queued", Space::shared, false, may_be_skipped) == 0);
}

TEST_CASE("a branch or an address may follow what memory holds") {
  for (const char* kernel : {"found_and_gone", "found_and_back", "descend", "queued", "room"})
    CHECK_MESSAGE(follows_memory(*source().program(kernel)), kernel);
  CHECK_FALSE(follows_memory(*source().program("one_wants")));
}

TEST_CASE("what stands where in a queue depends on others, which tickets there are does not") {
  CHECK(count("queued", Space::global, true, depends_on_others) == 1);
  CHECK(count("room", Space::global, true, depends_on_others) == 1);
  CHECK(count("ticket", Space::global, true, depends_on_others) == 0);
  CHECK(count("one_wants", Space::global, true, depends_on_others) == 0);
}

}  // namespace uncertain_counts_test
