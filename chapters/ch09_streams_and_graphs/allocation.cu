/// \file
/// allocation: 16 pieces of work, each with a temporary array of its own.
///
/// The question: what does it cost to ask for memory in a loop, and whom does it hold up?
///
///     build/ch09_streams_and_graphs --only allocation
#include <cuda_runtime_api.h>

#include <cstdint>
#include <vector>

#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int pieces = 16;

/// twice[i] = 2 first + 2 i. @param[out] twice n floats, device. @cost 4 n bytes.
__global__ void allocation_fill(float* twice, int first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) twice[i] = 2 * static_cast<float>((first + i) % 4096);
}

/// y[i] = twice[i] + 1. @param twice, y n floats, device. @cost 8 n bytes.
__global__ void allocation_add(const float* twice, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = twice[i] + 1;
}

void both(float* temporary, float* y, int first, int n, cudaStream_t stream) {
  const int blocks = lesson::ceil_div(n, 256);
  allocation_fill<<<blocks, 256, 0, stream>>>(temporary, first, n);
  allocation_add<<<blocks, 256, 0, stream>>>(temporary, y + first, n);
  lesson::check(cudaGetLastError());
}

/// Gets a temporary for each piece in the stream, and gives it back there.
void in_stream_order(float* y, int n, const Streams& streams) {
  for (int p = 0; p < pieces; ++p) {
    void* temporary = nullptr;
    lesson::check(cudaMallocAsync(&temporary, n * sizeof(float), streams[p]));
    both(static_cast<float*>(temporary), y, p * n, n, streams[p]);
    lesson::check(cudaFreeAsync(temporary, streams[p]));
  }
}

/// How many bytes the device's pool keeps when the host waits, instead of giving them back.
void keep(std::uint64_t bytes) {
  cudaMemPool_t pool = nullptr;
  lesson::check(cudaDeviceGetDefaultMemPool(&pool, 0));
  lesson::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

/// @param size floats in a piece.
void allocation_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  std::vector<double> expected(static_cast<std::size_t>(n) * pieces);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = 2.0 * (i % 4096) + 1;
  float* y = run.output("y", std::move(expected), {});
  const auto streams = std::make_shared<Streams>(2);
  run.work("cudaMalloc and cudaFree per piece", [=] {
    for (int p = 0; p < pieces; ++p) {
      void* temporary = nullptr;
      lesson::check(cudaMalloc(&temporary, n * sizeof(float)));
      both(static_cast<float*>(temporary), y, p * n, n, (*streams)[p]);
      lesson::check(cudaFree(temporary));
    }
  });
  run.work(
      "cudaMallocAsync, pool gives back at each wait", [=] { in_stream_order(y, n, *streams); },
      [] { keep(0); });
  run.work(
      "cudaMallocAsync, pool keeps", [=] { in_stream_order(y, n, *streams); },
      [] { keep(UINT64_MAX); });
  const HostFloats one = device_floats(n);
  const HostFloats other = device_floats(n);
  run.work("two arrays, allocated once", [=] {
    for (int p = 0; p < pieces; ++p) {
      both((p % 2 == 0 ? one : other).get(), y, p * n, n, (*streams)[p]);
    }
  });
}

}  // namespace

void allocation_ladder(lesson::Run& run) {
  run.ladder(
      {.name = "allocation",
       .title = "16 pieces over two streams, each with a temporary array",
       .full = {1 << 20},
       .small = {1 << 10},
       .awkward = {{1}, {33}, {1009}},
       .needs =
           [](const lesson::Size& size) { return lesson::Needs{.bytes = 12.0 * pieces * size[0]}; },
       .limit = "two arrays, allocated once",
       .counts_operations = true},
      allocation_rungs);
  lesson::order_table(run, "allocation", {"allocations_in_flight", "host_waits", "longest_chain"},
                      {"allocations in flight", "host waits", "longest chain"});
}
