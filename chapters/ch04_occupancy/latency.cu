/// \file
/// Latency, and what hides it: warps, and independent work within a thread.
///
/// The question: how many warps does an SM need before memory, or arithmetic, is busy all the time?
/// A *brake* sets the number of warps: dynamic shared memory that no thread uses, so that only so
/// many blocks fit. Grid, block and code stay as they are.
///
///     build/ch04_occupancy --only latency
///     build/ch04_occupancy --only bandwidth
///
/// The simulator has no clock, so nothing here moves on it: it says how many warps fit. The times
/// are recorded on a GPU.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "exact_input.h"
#include "lesson/run.h"
#include "residency.h"

namespace lesson = warpwise::lesson;

namespace {

// ---- how long one step takes: each waits for the one before ----

/// One thread follows a chain of indices: each load waits for the one before.
/// @tparam past_l1 whether the loads go by the L1 cache.
/// @param[in] next n indices, one cycle through all of them, device. @param[out] y one float: where
/// the chain ended. @pre one thread. @cost `steps` loads, one after the other.
/// @source the method of many microbenchmarks: pointer chasing.
template <bool past_l1>
__global__ void latency_of_loads(const int* next, float* y, int steps) {
  int at = 0;
  for (int i = 0; i < steps; ++i) at = past_l1 ? __ldcg(next + at) : next[at];
  *y = static_cast<float>(at);
}

/// The same with the chain in shared memory.
/// @pre one thread; n <= 1024.
__global__ void latency_of_shared(const int* next, float* y, int steps, int n) {
  __shared__ int chain[1024];
  for (int i = 0; i < n; ++i) chain[i] = next[i];
  int at = 0;
  for (int i = 0; i < steps; ++i) at = chain[at];
  *y = static_cast<float>(at);
}

/// Each fused multiply-add waits for the one before. @pre one thread. @param a -1, known only at
/// run time: v and 1 - v take turns, without rounding.
__global__ void latency_of_fma(float* y, int steps, float a) {
  float v = 0.25F;
#pragma unroll 16
  for (int i = 0; i < steps; ++i) v = fmaf(v, a, 1.0F);
  *y = v;
}

// ---- bandwidth over resident warps and loads in flight ----

/// A copy whose threads ask for `loads` floats before they wait for the first.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre any grid and block in one dimension.
/// @cost 8 bytes an element; `loads` * 4 bytes in flight per thread.
template <int loads>
__global__ void copy_in_flight(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x + threadIdx.x; first < n; first += threads * loads) {
    float value[loads];
    // Unrolled: all loads are issued, then the first store waits for its value.
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      if (first + i * threads < n) value[i] = x[first + i * threads];
    }
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      if (first + i * threads < n) y[first + i * threads] = value[i];
    }
  }
}

// ---- arithmetic over resident warps and chains ----

/// Each thread does `steps` multiply-adds, in chains that do not depend on each other.
/// @param[in] x n floats, device. @param[out] y n floats: the sum of the chains, device.
/// @param a -1, as above: with a constant for the third operand an instruction reads two registers,
/// so that the ports of the register file are not a limit.
/// @pre any grid and block in one dimension; steps a multiple of 2 * chains.
/// @cost 2 * steps flops a thread, 8 bytes.
template <int chains>
__global__ void fma_chains(const float* x, float* y, int n, int steps, float a) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float start = x[i];
  float value[chains];
#pragma unroll
  for (int c = 0; c < chains; ++c) value[c] = start + static_cast<float>(c);
#pragma unroll 16
  for (int step = 0; step < steps; step += chains) {
#pragma unroll
    for (int c = 0; c < chains; ++c) value[c] = fmaf(value[c], a, 1.0F);
  }
  float sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c) sum += value[c];
  y[i] = sum;
}

// ---- problems and launchers ----

/// A cycle through n places in an order that no cache or prefetcher expects.
std::vector<int> random_cycle(int n) {
  std::vector<int> next(n);
  for (int i = 0; i < n; ++i) next[i] = i;
  lesson::RandomBits bits(9);
  for (int i = n - 1; i > 0; --i) {
    std::swap(next[i], next[(bits() >> 8) % static_cast<std::uint32_t>(i)]);
  }
  return next;
}

double end_of_chain(const std::vector<int>& next, int steps) {
  int at = 0;
  for (int i = 0; i < steps; ++i) at = next[at];
  return at;
}

/// Size: places of the chain, steps.
void latency_rungs(lesson::Trial& run) {
  const int n = run.size()[0], steps = run.size()[1];
  const lesson::Shape one_thread{.grid = 1, .block = 1};
  const auto chase = [&](const char* name, int places, auto* kernel) {
    const std::vector<int> next = random_cycle(std::min(places, n));
    const int* device_next = run.input("next", next);
    // A place beyond 2^24 may be rounded to a float.
    float* y = run.output("y", {end_of_chain(next, steps)}, {.relative = 0x1p-24});
    run.variant(name, kernel, one_thread, device_next, y, steps);
    return std::pair(next, device_next);
  };
  chase("device memory", n, latency_of_loads<false>);
  // 128 KiB: soon all in the L2, and the L1 is not asked.
  chase("L2", 1 << 15, latency_of_loads<true>);
  const auto [next, device_next] = chase("L1", 1024, latency_of_loads<false>);
  float* y = run.output("y", {end_of_chain(next, steps)}, {});
  run.variant("shared memory", latency_of_shared, one_thread, device_next, y, steps,
              static_cast<int>(next.size()));
  y = run.output("y", {steps % 2 == 0 ? 0.25 : 0.75}, {});
  run.variant("multiply-add", latency_of_fma, one_thread, y, steps, -1.0F);
}

constexpr int block_threads = 128;
constexpr int block_warps = block_threads / 32;

/// A grid that every number of resident blocks here divides: no last wave is left half empty.
int even_grid() { return multiprocessors() * 48; }

void bandwidth_rungs(lesson::Trial& run) {
  if (run.value() > most_warps()) return;
  const int n = run.size()[0];
  const std::vector<float> host = exact_input(n);
  const float* x = run.input("x", host);
  float* y = run.output("y", std::vector<double>(host.begin(), host.end()), {});
  const int blocks = std::max(run.value(), block_warps) / block_warps;
  const lesson::Shape shape{
      .grid = even_grid(), .block = block_threads, .shared_bytes = brake_bytes(blocks)};
  run.variant("1 load", copy_in_flight<1>, shape, x, y, n);
  run.variant("2 loads", copy_in_flight<2>, shape, x, y, n);
  run.variant("4 loads", copy_in_flight<4>, shape, x, y, n);
  run.variant("8 loads", copy_in_flight<8>, shape, x, y, n);
}

/// What `chains` alternating chains leave.
std::vector<double> chains_reference(const std::vector<float>& x, int steps, int chains) {
  std::vector<double> y(x.begin(), x.end());
  for (double& value : y) {
    double sum = 0;
    for (int c = 0; c < chains; ++c) {
      sum += steps / chains % 2 == 0 ? value + c : 1 - (value + c);
    }
    value = sum;
  }
  return y;
}

/// Size: threads, multiply-adds of each.
void arithmetic_rungs(lesson::Trial& run) {
  if (run.value() > most_warps()) return;
  const int n = run.size()[0], steps = run.size()[1];
  const std::vector<float> host = exact_input(n);
  const float* x = run.input("x", host);
  const int blocks = std::max(run.value(), block_warps) / block_warps;
  const lesson::Shape shape{.grid = (n + block_threads - 1) / block_threads,
                            .block = block_threads,
                            .shared_bytes = brake_bytes(blocks)};
  float* y = run.output("y", chains_reference(host, steps, 1), {});
  run.variant("1 chain", fma_chains<1>, shape, x, y, n, steps, -1.0F);
  y = run.output("y", chains_reference(host, steps, 2), {});
  run.variant("2 chains", fma_chains<2>, shape, x, y, n, steps, -1.0F);
  y = run.output("y", chains_reference(host, steps, 4), {});
  run.variant("4 chains", fma_chains<4>, shape, x, y, n, steps, -1.0F);
}

}  // namespace

void latency_ladders(lesson::Run& run) {
  run.ladder({.name = "latency",
              .title = "steps that wait for each other, one thread: places of the chain x steps",
              .full = {1 << 26, 100000},
              .small = {1 << 14, 1000},
              .awkward = {{2, 1}, {31, 33}},
              .needs = [](const lesson::Size&) { return lesson::Needs{}; },
              .limit = "device memory"},
             latency_rungs);
  run.sweep({.parameter = "warps an SM", .values = {4, 8, 12, 16, 24, 32, 48, 64}, .shows = {}},
            {.name = "bandwidth",
             .title = "a copy, with 1 to 8 loads of 4 bytes in flight per thread",
             .full = {1 << 25},
             .small = {1 << 14},
             .awkward = {{1}, {31}, {257}},
             .needs =
                 [](const lesson::Size& size) {
                   return lesson::Needs{.bytes = 8 * static_cast<double>(size[0])};
                 }},
            bandwidth_rungs);
  run.sweep({.parameter = "warps an SM", .values = {4, 8, 12, 16, 24, 32, 64}, .shows = {}},
            {.name = "arithmetic",
             .title = "multiply-adds in 1, 2 and 4 chains that do not wait for each other",
             .full = {132 * 48 * 128, 8192},
             .small = {2048, 64},
             .awkward = {{1, 8}, {33, 24}},
             .needs =
                 [](const lesson::Size& size) {
                   const double n = size[0];
                   return lesson::Needs{.bytes = 8 * n, .flops = 2 * n * size[1]};
                 }},
            arithmetic_rungs);
}
