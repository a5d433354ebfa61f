/// \file
/// pipeline: one array from host memory through a kernel and back, in pieces over streams.
///
/// The question: the kernel takes one per cent of the time. Which operations may run at the same
/// time, and how much is gained by how many pieces?
///
///     build/ch09_streams_and_graphs --only pipeline
#include <cuda_runtime_api.h>

#include <cstring>
#include <vector>

#include "base/algorithm.h"
#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

/// y = 2 x + 1. @param[in] x n floats that the device can read. @param[out] y n floats that it can
/// write. @pre one dimension, at least n threads. @cost 8 n bytes.
__global__ void pipeline_line(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i] + 1;
}

/// The arrays of one size: the host's, and as much on the device.
struct Pipeline {
  explicit Pipeline(int count)
      : n(count),
        x(pinned_floats(count)),
        y(pinned_floats(count)),
        device_x(device_floats(count)),
        device_y(device_floats(count)),
        pageable_x(count),
        pageable_y(count) {
    for (int i = 0; i < n; ++i) x.get()[i] = static_cast<float>(i % 4096) * 0.25F;
    std::memcpy(pageable_x.data(), x.get(), n * sizeof(float));
  }

  /// Copy in, kernel, copy out of one piece, all in one stream.
  //! [piece]
  void piece(const float* from, float* to, int first, int count, cudaStream_t stream) const {
    const std::size_t bytes = count * sizeof(float);
    float* in = device_x.get() + first;
    float* out = device_y.get() + first;
    lesson::check(cudaMemcpyAsync(in, from + first, bytes, cudaMemcpyHostToDevice, stream));
    pipeline_line<<<lesson::ceil_div(count, 256), 256, 0, stream>>>(in, out, count);
    lesson::check(cudaGetLastError());
    lesson::check(cudaMemcpyAsync(to + first, out, bytes, cudaMemcpyDeviceToHost, stream));
  }
  //! [piece]

  /// All pieces, each in the next of the streams. The last may be shorter.
  void all(const float* from, float* to, int pieces, const Streams& streams) const {
    const int length = lesson::ceil_div(n, pieces);
    for (int p = 0; p * length < n; ++p) {
      piece(from, to, p * length, std::min(length, n - p * length), streams[p]);
    }
  }

  int n;
  HostFloats x, y, device_x, device_y;
  std::vector<float> pageable_x, pageable_y;
};
using PipelinePtr = std::shared_ptr<Pipeline>;

std::vector<double> expected(int n) {
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) y[i] = 2 * (i % 4096) * 0.25 + 1;
  return y;
}

void spoil(float* memory, int n) { std::memset(memory, 0xFE, n * sizeof(float)); }

/// One stream for each engine: all copies in, all kernels, all copies out.
void by_engine(const Pipeline& line, int pieces, const Streams& streams, const OrderEvent& event) {
  const int length = lesson::ceil_div(line.n, pieces);
  for (int first = 0; first < line.n; first += length) {
    const int count = std::min(length, line.n - first);
    const std::size_t bytes = count * sizeof(float);
    float* in = line.device_x.get() + first;
    float* out = line.device_y.get() + first;
    lesson::check(cudaMemcpyAsync(in, line.x.get() + first, bytes, cudaMemcpyDefault, streams[0]));
    event.order(streams[0], streams[1]);
    pipeline_line<<<lesson::ceil_div(count, 256), 256, 0, streams[1]>>>(in, out, count);
    lesson::check(cudaGetLastError());
    event.order(streams[1], streams[2]);
    lesson::check(cudaMemcpyAsync(line.y.get() + first, out, bytes, cudaMemcpyDefault, streams[2]));
  }
}

void pipeline_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const PipelinePtr line = std::make_shared<Pipeline>(n);
  float* result = run.output("y", expected(n), {});
  const auto bring = [=](const float* from) {
    lesson::check(cudaMemcpy(result, from, n * sizeof(float), cudaMemcpyDefault));
  };
  const auto streams = std::make_shared<Streams>(16);
  const auto one = std::make_shared<Streams>(1);
  const auto two = std::make_shared<Streams>(2);
  const auto event = std::make_shared<OrderEvent>();
  const auto prepare = [=] { spoil(line->y.get(), n); };
  const auto collect = [=] { bring(line->y.get()); };
  const auto rung = [&](const char* name, const std::function<void()>& start) {
    run.work(name, start, prepare, collect);
  };
  run.work(
      "pageable, one stream",
      [=] { line->all(line->pageable_x.data(), line->pageable_y.data(), 1, *one); },
      [=] { spoil(line->pageable_y.data(), n); }, [=] { bring(line->pageable_y.data()); });
  run.work(
      "pageable, 8 pieces, 2 streams",
      [=] { line->all(line->pageable_x.data(), line->pageable_y.data(), 8, *two); },
      [=] { spoil(line->pageable_y.data(), n); }, [=] { bring(line->pageable_y.data()); });
  rung("pinned, one stream", [=] { line->all(line->x.get(), line->y.get(), 1, *one); });
  rung("2 pieces, 2 streams", [=] { line->all(line->x.get(), line->y.get(), 2, *two); });
  rung("8 pieces, 2 streams", [=] { line->all(line->x.get(), line->y.get(), 8, *two); });
  rung("16 pieces, 16 streams", [=] { line->all(line->x.get(), line->y.get(), 16, *streams); });
  rung("8 pieces, a stream per engine", [=] { by_engine(*line, 8, *streams, *event); });
  rung("mapped, no copies", [=] {
    pipeline_line<<<lesson::ceil_div(n, 256), 256>>>(line->x.get(), line->y.get(), n);
    lesson::check(cudaGetLastError());
  });
}

void pieces_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const PipelinePtr line = std::make_shared<Pipeline>(n);
  float* result = run.output("y", expected(n), {});
  for (const int count : {1, 2, 4, 16}) {
    const auto streams = std::make_shared<Streams>(count);
    const int pieces = run.value();
    run.work(
        std::to_string(count) + (count == 1 ? " stream" : " streams"),
        [=] { line->all(line->x.get(), line->y.get(), pieces, *streams); },
        [=] { spoil(line->y.get(), n); },
        [=] { lesson::check(cudaMemcpy(result, line->y.get(), 4UL * n, cudaMemcpyDefault)); });
  }
}

lesson::Ladder ladder(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .full = {1 << 24},
          .small = {1 << 14},
          .awkward = {{1}, {31}, {1009}},
          .needs =
              [](const lesson::Size& size) {
                return lesson::Needs{.bytes = 8 * static_cast<double>(size[0])};
              },
          .limit = "pinned, one stream",
          .counts_operations = true};
}

}  // namespace

void pipeline_ladder(lesson::Run& run) {
  run.ladder(ladder("pipeline", "y = 2 x + 1 from host memory to host memory"), pipeline_rungs);
  lesson::order_table(run, "pipeline", {"longest_chain", "overlaps", "host_waits"},
                      {"longest chain", "copies that may overlap", "host waits"});
  lesson::Ladder pieces = ladder("pieces", "the same: how many pieces, over how many streams?");
  pieces.limit = {};
  pieces.awkward = {};
  run.sweep({.parameter = "pieces",
             .values = {1, 2, 4, 8, 12, 16, 32, 64},
             .shows = {lesson::Shown::time_us}},
            pieces, pieces_rungs);
}
