// Which counts the compiled code confirms, and how accesses that ptxas merges are found again.

#include "simulator/code/confirm/confirm.h"

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <vector>

#include "simulator/code/code_fixture.h"

using namespace warpwise;
using namespace warpwise::code;

namespace {

const test::Source& source() {
  static const test::Source made(R"(
#include <cub/block/block_reduce.cuh>
#include <cuda_fp16.h>
extern "C" __global__ void copy(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = x[i];
}
extern "C" __global__ void two_then_one(const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = x[i];
  float b = x[i + 4096];
  y[i] = a * b;
  y[i + 4096] = a + x[i + 8192];
}
extern "C" __global__ void cub_row(const float* x, float* y) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  __shared__ float total;
  float v = x[blockIdx.x * 128 + threadIdx.x];
  float sum = Reduce(storage).Sum(v);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();
  y[blockIdx.x * 128 + threadIdx.x] = v * total;
}
extern "C" __global__ void partials(const float* x, float* y) {
  __shared__ float part[8], total;
  int t = threadIdx.x;
  float v = x[t], sum = v;
  for (int d = 16; d; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (t % 32 == 0) part[t / 32] = sum;
  __syncthreads();
  if (t == 0) {
    float all = 0;
    for (int w = 0; w < 8; ++w) all += part[w];
    total = all;
  }
  __syncthreads();
  y[t] = v / total;
}
extern "C" __global__ void textbook(const float* x, float* y) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) s[t * 4 + k] = x[t + 256 * k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += s[((t + 1) & 255) * 4 + k];
  y[t] = sum;
}
extern "C" __global__ void fives(const float* x, float* y) {
  __shared__ float s[256 * 5];
  int t = threadIdx.x;
  for (int k = 0; k < 4; ++k) s[t * 5 + k] = x[t + 256 * k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += s[((t + 1) & 255) * 5 + k];
  y[t] = sum;
}
#define PRODUCT(name, unrolled)                                                         \
  extern "C" __global__ void name(const float* a, const float* b, float* c, int n) {    \
    __shared__ float as[16][16], bs[16][16];                                            \
    int x = threadIdx.x, y = threadIdx.y;                                               \
    int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;                        \
    float sum = 0;                                                                      \
    unrolled for (int k = 0; k < n; k += 16) {                                          \
      as[y][x] = a[row * n + k + x];                                                    \
      bs[y][x] = b[(k + y) * n + column];                                               \
      __syncthreads();                                                                  \
      for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[i][x];                          \
      __syncthreads();                                                                  \
    }                                                                                   \
    c[row * n + column] = sum;                                                          \
  }
PRODUCT(product, _Pragma("unroll 1"))
PRODUCT(product_unrolled, )
extern "C" __global__ void by_rows_of_both(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  float sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 16) {
    as[y][x] = a[y * n + k + x];
    bs[y][x] = b[y * n + k + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[y][i] * bs[x][i];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
extern "C" __global__ void half_again(const float4* x, float* y) {
  __shared__ float4 s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  unsigned at = __cvta_generic_to_shared(&s[t ^ 1]);
  float a, b, c, d, e, f;
  asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%6]; ld.shared.v2.f32 {%4, %5}, [%6+8];"
               : "=f"(a), "=f"(b), "=f"(c), "=f"(d), "=f"(e), "=f"(f) : "r"(at));
  y[t] = a + b * c + d * e - f;
}
extern "C" __global__ void dropped(const float* x, float* y) {
  int i = threadIdx.x;
  float v = x[i];
  asm volatile("{ .reg .f32 a; ld.global.f32 a, [%0]; }" :: "l"(x + i));
  y[i] = v + x[i];
}
extern "C" __global__ void shared_sum(const float* x, float* y) {
  __shared__ float sum, seen[32];
  seen[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, seen[threadIdx.x ^ 1]);
  __syncthreads();
  y[threadIdx.x] = sum;
}
extern "C" __global__ void shared_sum_of_doubles(const double* x, double* y) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = sum;
}
extern "C" __global__ void shared_count(const int* x, int* y) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = sum;
}
extern "C" __global__ void rows_of_a_sparse_matrix(const int* rows, const int* at, const float* x, float* y) {
  int r = threadIdx.x;
  float sum = 0;
  for (int i = rows[r]; i < rows[r + 1]; ++i) sum += x[at[i]];
  y[r] = sum;
}
extern "C" __global__ void sum_by_block(const int* x, int* y, int n) {
  int sum = 0;
  for (int i = threadIdx.x; i < n; i += 128) sum += x[i];
  y[threadIdx.x] = sum;
}
extern "C" __global__ void spin(volatile int* flag, int* y) {
  y[0] = 1;
  while (*flag == 0) {}
  y[1] = 2;
}
extern "C" __global__ void scatter(int* count, const int* x, int* y) {
  int v = x[threadIdx.x];
  y[atomicAdd(count, 1)] = v;
}
extern "C" __global__ void half_sums(const __half* x, __half* y) {
  atomicAdd(y + threadIdx.x % 3, x[threadIdx.x]);
}
__constant__ float table[32];
extern "C" __global__ void constants(const float* x, float* y) {
  int i = threadIdx.x;
  y[i] = x[i] * table[i & 7];
}
extern "C" __global__ void joined(const int* x, int* sum, int n) {
  if (threadIdx.x < n) atomicAdd(sum, x[threadIdx.x]);
}
extern "C" __global__ void room(const int* x, int* sum, int* y, int n) {
  if (threadIdx.x < n) y[threadIdx.x] = atomicAdd(sum, x[threadIdx.x]);
}
extern "C" __global__ void not_joined(const float* x, float* sum, int n) {
  if (threadIdx.x < n) atomicAdd(sum, x[threadIdx.x]);
}
extern "C" __global__ void joined_and_not(const int* x, int* sums, int n) {
  if (threadIdx.x >= n) return;
  atomicAdd(sums, 1);
  atomicAdd(sums + x[threadIdx.x], 1);
}
extern "C" __global__ void from_the_second(const float* x, float* y, int n) {
  __shared__ float row[256];
  int t = threadIdx.x;
  row[t] = x[t];
  __syncthreads();
  float sum = row[0];
  for (int j = 1; j < n; ++j) sum += row[j];
  y[t] = sum;
}
extern "C" __global__ void from_the_first(const float* x, float* y, int n) {
  __shared__ float row[256];
  int t = threadIdx.x;
  row[t] = x[t];
  __syncthreads();
  float sum = row[0];
  for (int j = 0; j < n; ++j) sum += row[j];
  y[t] = sum;
}
#define TICKET(p, to) asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(to) : "l"(p) : "memory")
#define SUM(space, p) asm volatile("{ .reg .u32 t; atom" space ".add.u32 t, [%0], 1; }" ::"l"(p) : "memory")
extern "C" __global__ void generic_and_global_sums(int* x, int* y, int* z) {
  int mine; SUM("", z); TICKET(x, mine); SUM(".global", y); y[1] = mine;
}
extern "C" __global__ void ticket_and_sum(int* x, int* y) {
  int mine; TICKET(x, mine); SUM(".global", y); y[1] = mine;
}
)");
  return made;
}

/// Widths of the counted shared accesses, widest first, as "16 4 4"; "?" where one is unconfirmed.
std::string shared_widths(const Program& program, bool is_store) {
  std::vector<unsigned> widths;
  bool confirmed = true;
  for (const Site& site : program.sites) {
    if (site.space != Space::shared || site.is_store != is_store || !site.is_counted) continue;
    widths.push_back(site.bytes);
    confirmed &= site.is_confirmed;
  }
  std::sort(widths.rbegin(), widths.rend());
  std::string text;
  for (unsigned width : widths) text += (text.empty() ? "" : " ") + std::to_string(width);
  return confirmed ? text : "?";
}

bool global_confirmed(const Program& program) {
  return std::all_of(program.sites.begin(), program.sites.end(), [](const Site& site) {
    return site.space != Space::global || !site.is_counted || site.is_confirmed;
  });
}

}  // namespace

TEST_CASE("a plain copy is confirmed, and nothing is without facts of the compiled code") {
  CHECK(global_confirmed(*source().program("copy")));
  auto without = source().program("copy", false);
  CHECK(without->sites.size() == 2);
  for (const Site& site : without->sites) CHECK_FALSE(site.is_confirmed);
}

TEST_CASE("a load knows how many the compiled code has in flight with it") {
  std::vector<unsigned> loads, stores;
  const auto program = source().program("two_then_one");
  for (const Site& site : program->sites)
    (site.is_store ? stores : loads).push_back(site.loads_in_flight);
  CHECK(fmt::format("{}; {}", fmt::join(loads, " "), fmt::join(stores, " ")) == "2 2 1; 0 0");
  const auto without = source().program("two_then_one", false);
  for (const Site& site : without->sites) CHECK(site.loads_in_flight == 0);
}

TEST_CASE("the merges that ptxas makes are found again") {
  CHECK(shared_widths(*source().program("cub_row"), false) == "8 4 4");
  CHECK(shared_widths(*source().program("partials"), false) == "16 16 4");
  CHECK(shared_widths(*source().program("textbook"), false) == "16");
  CHECK(shared_widths(*source().program("textbook"), true) == "16");
  CHECK(shared_widths(*source().program("product"), false) ==
        "16 16 16 16 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
  CHECK(shared_widths(*source().program("product"), true) == "4 4");
  CHECK(shared_widths(*source().program("product_unrolled"), false) ==
        "16 16 16 16 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
}

TEST_CASE(
    "of two arrays whose rows are read, the one is merged whose rows begin at a multiple of 16") {
  const auto program = source().program("by_rows_of_both");
  CHECK(shared_widths(*program, false) == "16 16 16 16 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4");
  for (const Access& access : program->accesses) {
    const Site& site = program->sites[access.site];
    if (access.space != Space::shared || site.is_store || !site.is_counted) continue;
    CHECK(access.base_low_bits.modulus == (site.bytes == 16 ? 64 : 4));
    CHECK(access.base_low_bits.rest % 4 == 0);
  }
}

TEST_CASE("copies of a merged load that stay narrow leave it unconfirmed") {
  CHECK(shared_widths(*source().program("from_the_first"), false) == "16 4 4");
  CHECK(shared_widths(*source().program("from_the_second"), false) == "?");
}

TEST_CASE("a load of bytes that an adjacent load also loads is not there") {
  CHECK(shared_widths(*source().program("half_again"), false) == "16");
}

TEST_CASE("loads that ptxas leaves separate stay separate") {
  CHECK(shared_widths(*source().program("fives"), false) == "4 4 4 4");
  CHECK(shared_widths(*source().program("fives"), true) == "4 4 4 4");
}

TEST_CASE("a sum of floats in shared memory becomes a loop that loads") {
  const auto program = source().program("shared_sum");
  CHECK(program->has_update_loops);
  CHECK(shared_widths(*program, false) == "4 4");
  for (const Site& site : program->sites) {
    CHECK(site.is_update_loop == site.is_atomic);
    CHECK(site.is_confirmed);
  }
  CHECK_FALSE(source().program("shared_sum", false)->has_update_loops);
  for (const char* plain : {"copy", "shared_count"})
    CHECK_FALSE(source().program(plain)->has_update_loops);
}

TEST_CASE("a sum of doubles becomes one of another kind: its loads are not all seen") {
  const auto program = source().program("shared_sum_of_doubles");
  CHECK_FALSE(program->has_update_loops);
  CHECK(program->has_unseen[true][false]);
  CHECK_FALSE(program->has_unseen[true][true]);
  CHECK_FALSE(program->has_unseen[false][false]);
  for (const char* plain :
       {"copy", "cub_row", "partials", "textbook", "product", "shared_sum", "shared_count"})
    for (bool is_shared : {false, true})
      for (bool is_store : {false, true})
        CHECK_MESSAGE(!source().program(plain)->has_unseen[is_shared][is_store], plain);
}

TEST_CASE("a merged access starts where its lowest part does") {
  auto program = source().program("textbook");
  for (const Site& site : program->sites) {
    if (site.bytes != 16) continue;
    std::int64_t leader = 0, lowest = INT64_MAX;
    for (const Access& access : program->accesses) {
      if (access.space != Space::shared || access.is_store != site.is_store) continue;
      lowest = std::min(lowest, access.offset);
      if (&program->sites[access.site] == &site) leader = access.offset;
    }
    CHECK(leader + site.merged_offset == lowest);
  }
}

TEST_CASE("an access that ptxas drops leaves its line unconfirmed") {
  CHECK_FALSE(global_confirmed(*source().program("dropped")));
}

TEST_CASE("loads from constant memory are not counted and put nothing else in doubt") {
  auto program = source().program("constants");
  CHECK(global_confirmed(*program));
  CHECK(std::count_if(program->sites.begin(), program->sites.end(),
                      [](const Site& site) { return site.is_counted; }) == 2);
}

TEST_CASE("accesses of a loop that ptxas unrolls know the branches that decide about it") {
  const auto program = source().program("rows_of_a_sparse_matrix");
  CHECK(global_confirmed(*program));
  std::size_t repeated = 0;
  for (const Site& site : program->sites) {
    if (!site.deciders.empty()) CHECK(site.is_repeated);
    repeated += !site.deciders.empty();
    for (const std::uint32_t at : site.deciders) CHECK(program->code[at].op == Op::branch);
  }
  CHECK(repeated >= 2);
  const auto copy = source().program("copy");
  for (const Site& site : copy->sites) CHECK_FALSE(site.is_repeated);
}

TEST_CASE("ptxas unrolls the loop that the front end has unrolled, not the one for what is left") {
  const auto program = source().program("sum_by_block");
  CHECK(global_confirmed(*program));
  std::size_t loads = 0, repeated = 0;
  for (const Site& site : program->sites) {
    if (site.is_store) continue;
    ++loads;
    repeated += site.is_repeated;
    CHECK(site.is_repeated != site.deciders.empty());
  }
  CHECK(loads == 5);
  CHECK(repeated == 4);
}

TEST_CASE(
    "how often a loop looks at what others change is not confirmed; the rest of its line is") {
  const auto program = source().program("spin");
  for (const Site& site : program->sites) CHECK(site.depends_on_others != site.is_store);
}

TEST_CASE("how often a sum of halves loads and swaps is not confirmed") {
  const auto program = source().program("half_sums");
  for (const Site& site : program->sites)
    if (site.is_atomic) CHECK_FALSE(site.is_confirmed);
  for (const Site& site : program->sites)
    if (site.is_atomic) CHECK(site.has_result);
  CHECK(program->has_unseen[0][0]);
  CHECK_FALSE(source().program("scatter")->has_unseen[0][0]);
}

TEST_CASE("whether one lane updates memory for all is known where a line's atomics do alike") {
  const auto joining = [](const char* kernel) {
    std::set<Joining> found;
    const auto program = source().program(kernel);
    for (const Site& site : program->sites)
      if (site.is_atomic) {
        found.insert(site.joining);
        CHECK(site.is_confirmed);
        CHECK_FALSE(site.is_repeated);
      }
    return found;
  };
  CHECK(joining("joined") == std::set{Joining::always});
  CHECK(joining("room") == std::set{Joining::of_whole_warps});
  CHECK(joining("not_joined") == std::set{Joining::never});
  CHECK(joining("joined_and_not") == std::set{Joining::unknown});
}

TEST_CASE("a line's reductions are those without a reader, or are not confirmed") {
  const auto has_confirmed_atomics = [](const char* kernel) {
    const auto program = source().program(kernel);
    return std::all_of(program->sites.begin(), program->sites.end(),
                       [](const Site& site) { return !site.is_atomic || site.is_confirmed; });
  };
  CHECK(has_confirmed_atomics("ticket_and_sum"));
  CHECK_FALSE(has_confirmed_atomics("generic_and_global_sums"));
}

TEST_CASE("a store to where an atomic says is not confirmed") {
  const auto program = source().program("scatter");
  for (const Site& site : program->sites)
    if (!site.is_atomic) CHECK(site.depends_on_others == site.is_store);
}
