/// \file
/// side_by_side: two kernels that do not need each other, and what puts them in order.
///
/// The question: two streams hold two kernels. When do they run at the same time, and which single
/// call between them takes that away?
///
///     build/ch09_streams_and_graphs --only side_by_side
#include <cuda_runtime_api.h>

#include <vector>

#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int steps = 16384;
constexpr int threads = 256;

/// y[i] = where `steps` multiply-adds lead from i modulo 32. @param[out] y floats, device.
/// @pre one dimension. @cost 4 bytes and 2 * steps flops per thread.
__global__ void side_by_side_chain(float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = static_cast<float>(i % 32);
  for (int step = 0; step < count; ++step) value = fmaf(value, 0.5F, 1.0F);
  y[i] = value;
}

/// Does nothing: what counts is the stream that it is launched into.
__global__ void side_by_side_nothing() {}

std::vector<double> expected(int numbers) {
  std::vector<double> y(numbers);
  for (int i = 0; i < numbers; ++i) {
    double value = i % 32;
    for (int step = 0; step < 64; ++step) value = value * 0.5 + 1;
    y[i] = value;
  }
  return y;
}

/// @param size blocks of each of the two kernels.
void side_by_side_rungs(lesson::Trial& run) {
  const int blocks = run.size()[0];
  float* first = run.output("y", expected(2 * blocks * threads), {.relative = 0x1p-22});
  float* second = first + blocks * threads;
  const auto streams = std::make_shared<Streams>(2);
  const auto event = std::make_shared<OrderEvent>();
  const auto kernel = [=](float* y, int stream) {
    side_by_side_chain<<<blocks, threads, 0, (*streams)[stream]>>>(y, steps);
    lesson::check(cudaGetLastError());
  };
  run.work("one stream", [=] { kernel(first, 0), kernel(second, 0); });
  run.work("two streams", [=] { kernel(first, 0), kernel(second, 1); });
  run.work("an empty kernel in the default stream between", [=] {
    kernel(first, 0);
    side_by_side_nothing<<<1, 1>>>();
    lesson::check(cudaGetLastError());
    kernel(second, 1);
  });
  run.work("an event from the one to the other", [=] {
    kernel(first, 0);
    event->order((*streams)[0], (*streams)[1]);
    kernel(second, 1);
  });
  run.work("the host waits between", [=] {
    kernel(first, 0);
    lesson::check(cudaStreamSynchronize((*streams)[0]));
    kernel(second, 1);
  });
}

lesson::Ladder ladder(const char* name, const char* title, int full) {
  return {.name = name,
          .title = title,
          .full = {full},
          .small = {2},
          .awkward = {{1}, {3}},
          .needs =
              [](const lesson::Size& size) {
                const double all = 2.0 * size[0] * threads;
                return lesson::Needs{.bytes = 4 * all, .flops = 2 * steps * all};
              },
          .limit = "one stream",
          .counts_operations = true};
}

}  // namespace

void side_by_side_ladders(lesson::Run& run) {
  run.ladder(ladder("side_by_side", "two kernels of 66 blocks each", 66), side_by_side_rungs);
  lesson::order_table(run, "side_by_side", {"launch_calls", "longest_chain", "host_waits"},
                      {"launches by the host", "longest chain", "host waits"});
  run.ladder(ladder("two_full_waves", "the same with kernels that fill the GPU", 10560),
             side_by_side_rungs);
}
