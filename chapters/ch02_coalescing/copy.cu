/// \file
/// A copy: y[i] = x[i]. Nothing is computed, so whatever is lost is lost in the memory accesses.
///
/// The question: five kernels move the same bytes. Which of them reaches what cudaMemcpy reaches?
///
///     build/ch02_coalescing --only copy
///     build/ch02_coalescing --view chunk       # 32 sectors a request, drawn
///
/// The rungs of `copy`, as the table lists them, and their kernels:
///
///      1  a chunk a thread        copy_1_chunk
///      2  a float a thread        copy_2_float
///      3  grid-stride             copy_3_grid_stride
///      4  float4                  copy_4_float4
///      5  float4, four in flight  copy_5_in_flight
#include <string>
#include <vector>

#include "base/numbers.h"
#include "lesson/results/results.h"
#include "lesson/run.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int block_threads = 256;
constexpr int floats_per_pack = 4;

// ---- rung 1: each thread has a stretch of its own ----

/// As a program shares work among the cores of a CPU: thread 0 takes the first 32 floats, thread 1
/// the next. At any moment the lanes of a warp have a stride of 32 floats.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each 32 floats, rounded up.
/// @cost 8 bytes an element; each request touches 32 sectors and uses 4 bytes of each.
__global__ void copy_1_chunk(const float* x, float* y, int n) {
  constexpr int chunk = 32;
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
  for (int i = begin; i < min(begin + chunk, n); ++i) y[i] = x[i];
}

// ---- rung 2: one float per thread ----

/// Neighbouring lanes, neighbouring words.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre blocks of 256 threads; a thread for each float.
/// @cost 8 bytes an element; 4 sectors a request, all of them used.
/// @source CUDA C++ Best Practices Guide, coalesced access to global memory.
__global__ void copy_2_float(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

// ---- rung 3: a grid of fixed size strides over the array ----

/// As many threads as the GPU holds; each comes back for more. Blocks start once instead of n / 256
/// times, and any n works with any grid. The step is a whole grid: a warp's lanes stay neighbours.
/// @param[in] x n floats, device. @param[out] y n floats, device.
/// @pre any grid and block; best 8 blocks of 256 threads for each SM.
/// @cost as rung 2.
/// @source NVIDIA's developer blog, grid-stride loops.
__global__ void copy_3_grid_stride(const float* x, float* y, int n) {
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) y[i] = x[i];
}

// ---- rung 4: 16 bytes per thread ----

/// A quarter of the instructions for the same bytes; four times as many bytes in flight.
/// @param[in] x n floats, device, on a 16-byte boundary. @param[out] y the same.
/// @pre blocks of 256 threads; a thread for each four floats, rounded up.
/// @cost as rung 2; 16 sectors a request.
/// @source CUDA C++ Programming Guide, device memory accesses: 16-byte alignment.
__global__ void copy_4_float4(const float* x, float* y, int n) {
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs = n / floats_per_pack;
  if (pack < packs) {
    reinterpret_cast<float4*>(y)[pack] = reinterpret_cast<const float4*>(x)[pack];
  }
  // The up to three floats after the last whole pack.
  const int tail = packs * floats_per_pack + pack;
  if (tail < n) y[tail] = x[tail];
}

// ---- rung 5: several packs in flight ----

/// A thread asks for `loads` packs before it needs the first of them. They are a block apart, so
/// each request is still 512 neighbouring bytes.
/// @tparam loads packs a thread.
/// @param[in] x n floats, device, on a 16-byte boundary. @param[out] y the same.
/// @pre blocks of 256 threads; a block for each 1024 * loads floats, rounded up.
/// @cost as rung 4, in 1/loads of the blocks.
/// @source V. Volkov, Better performance at lower occupancy, GTC 2010, for the idea.
template <int loads>
__global__ void __launch_bounds__(block_threads) copy_5_in_flight(const float* x, float* y, int n) {
  const int first = blockIdx.x * block_threads * loads + threadIdx.x;
  const int packs = n / floats_per_pack;
  float4 kept[loads];
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int pack = first + i * block_threads;
    if (pack < packs) kept[i] = reinterpret_cast<const float4*>(x)[pack];
  }
#pragma unroll
  for (int i = 0; i < loads; ++i) {
    const int pack = first + i * block_threads;
    if (pack < packs) reinterpret_cast<float4*>(y)[pack] = kept[i];
  }
  const int tail = packs * floats_per_pack + blockIdx.x * block_threads + threadIdx.x;
  if (tail < n) y[tail] = x[tail];
}

// ---- launchers ----

int multiprocessors() {
  int count = 0;
  lesson::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0));
  return count;
}

void copy_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  const float* x = run.input("x", host);
  float* y = run.output("y", {host.begin(), host.end()}, {});

  const auto blocks_for = [n](int floats_per_thread) {
    return lesson::ceil_div(lesson::ceil_div(n, floats_per_thread), block_threads);
  };
  constexpr int resident_blocks = 2048 / block_threads;
  constexpr int loads = 4;
  run.variant("a chunk a thread", copy_1_chunk, {.grid = blocks_for(32), .block = block_threads}, x,
              y, n);
  run.variant("a float a thread", copy_2_float, {.grid = blocks_for(1), .block = block_threads}, x,
              y, n);
  run.variant("grid-stride", copy_3_grid_stride,
              {.grid = multiprocessors() * resident_blocks, .block = block_threads}, x, y, n);
  run.variant("float4", copy_4_float4, {.grid = blocks_for(4), .block = block_threads}, x, y, n);
  run.variant("float4, four in flight", copy_5_in_flight<loads>,
              {.grid = blocks_for(4 * loads), .block = block_threads}, x, y, n);
}

// ---- the metrics of nvprof, from today's counters ----

/// gld_efficiency and its relatives for each rung. Every rung asks for each element once, so the
/// bytes asked for are known; what was moved is 32 bytes a sector.
lesson::Demonstration nvprof_metrics(const lesson::LadderResult& copy) {
  lesson::Demonstration table{
      .title = "what nvprof would have printed for the copies",
      .columns = {"kernel", "gld_efficiency, %", "loads: trans/req", "gst_efficiency, %",
                  "stores: trans/req"},
      .rows = {},
      .note =
          "Efficiency: 4 bytes an element over 32 bytes a sector. trans/req: "
          "gld_transactions_per_request and gst_transactions_per_request, sectors over "
          "requests."};
  for (const lesson::Rung& rung : copy.rungs) {
    if (rung.counts.empty() || !copy.counted_size) continue;
    const double asked_bytes = 4.0 * static_cast<double>(copy.counted_size->elements());
    const auto efficiency = [&](const char* sectors) {
      return lesson::decimal(100 * asked_bytes / (32 * rung.counts.value(sectors)), 1);
    };
    table.rows.push_back({rung.name, efficiency(lesson::counter::load_sectors),
                          lesson::decimal(rung.counts.sectors_per_load().value_or(0), 2),
                          efficiency(lesson::counter::store_sectors),
                          lesson::decimal(rung.counts.sectors_per_store().value_or(0), 2)});
  }
  return table;
}

}  // namespace

void copy_ladder(lesson::Run& run) {
  run.ladder({.name = "copy",
              .title = "y = x, float32",
              .full = {1 << 26},
              .small = {1 << 18},
              .awkward = {{1}, {31}, {255}, {257}, {4099}, {10007}},
              .needs =
                  [](const lesson::Size& size) {
                    return lesson::Needs{.bytes = 8.0 * static_cast<double>(size.elements())};
                  }},
             copy_rungs);
  const lesson::LadderResult* copy = run.result("copy");
  if (copy != nullptr) run.table("nvprof_metrics", [copy] { return nvprof_metrics(*copy); });
}
