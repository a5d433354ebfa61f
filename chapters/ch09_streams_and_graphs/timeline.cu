/// \file
/// timeline: when each operation of four pieces over two streams begins and ends.
///
/// On a GPU the numbers are microseconds, from events around each operation. On the simulator,
/// which has no clock, they are the order that is enforced: a column is how many operations come
/// before.
///
///     build/ch09_streams_and_graphs --only timeline
#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "base/algorithm.h"
#include "lesson/device/stand_in.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int pieces = 4;
constexpr int streams_used = 2;

/// y = 2 x + 1, `rounds` times over, so that it takes about as long as a copy of the piece.
/// @param[in] x n floats, device. @param[out] y n floats, device. @pre a thread per element.
__global__ void timeline_kernel(const float* x, float* y, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float value = x[i];
  for (int round = 0; round < rounds; ++round) value = fmaf(value, 0.5F, 1.0F);
  y[i] = value;
}

/// An operation and the events around it.
struct Timed {
  std::string name;
  int stream;
  cudaEvent_t begin = nullptr, end = nullptr;
};

/// Four pieces: copy in, kernel, copy out. Each operation goes through `around`.
template <class Around>
void issue(int n, int rounds, const Streams& streams, const Around& around) {
  const HostFloats host = pinned_floats(n);
  const HostFloats x = device_floats(n);
  const HostFloats y = device_floats(n);
  std::fill(host.get(), host.get() + n, 1.0F);
  const int length = n / pieces;
  for (int p = 0; p < pieces; ++p) {
    const cudaStream_t stream = streams[p];
    const std::size_t bytes = length * sizeof(float);
    float* outside = host.get() + p * length;
    float* in = x.get() + p * length;
    float* out = y.get() + p * length;
    const std::string number = " " + std::to_string(p);
    around("copy in" + number, p % streams_used, [&] {
      lesson::check(cudaMemcpyAsync(in, outside, bytes, cudaMemcpyHostToDevice, stream));
    });
    around("kernel" + number, p % streams_used, [&] {
      timeline_kernel<<<lesson::ceil_div(length, 256), 256, 0, stream>>>(in, out, length, rounds);
      lesson::check(cudaGetLastError());
    });
    around("copy out" + number, p % streams_used, [&] {
      lesson::check(cudaMemcpyAsync(outside, out, bytes, cudaMemcpyDeviceToHost, stream));
    });
  }
  lesson::check(cudaDeviceSynchronize());
}

/// Event times of the second of two runs: the first one warms up.
std::vector<std::vector<std::string>> measured(const Streams& streams) {
  constexpr int n = 1 << 24;
  constexpr int rounds = 3000;
  issue(n, rounds, streams, [](const std::string&, int, const auto& start) { start(); });
  std::vector<Timed> all;
  issue(n, rounds, streams, [&](const std::string& name, int stream, const auto& start) {
    Timed one{name, stream};
    lesson::check(cudaEventCreate(&one.begin));
    lesson::check(cudaEventCreate(&one.end));
    lesson::check(cudaEventRecord(one.begin, streams[stream]));
    start();
    lesson::check(cudaEventRecord(one.end, streams[stream]));
    all.push_back(one);
  });
  const auto microseconds = [&](cudaEvent_t event) {
    float milliseconds = 0;
    lesson::check(cudaEventElapsedTime(&milliseconds, all.front().begin, event));
    return lesson::decimal(1e3 * static_cast<double>(milliseconds), 0);
  };
  std::vector<std::vector<std::string>> rows;
  for (const Timed& one : all) {
    rows.push_back(
        {one.name, std::to_string(one.stream), microseconds(one.begin), microseconds(one.end)});
  }
  for (const Timed& one : all) {
    lesson::check(cudaEventDestroy(one.begin));
    lesson::check(cudaEventDestroy(one.end));
  }
  return rows;
}

/// The columns that the simulator's order gives the same operations.
std::vector<std::vector<std::string>> ordered(const Streams& streams) {
  std::vector<std::string> names;
  std::vector<int> of_stream;
  lesson::count_operations();
  issue(1 << 10, 4, streams, [&](const std::string& name, int stream, const auto& start) {
    names.push_back(name);
    of_stream.push_back(stream);
    start();
  });
  const lesson::OperationCounts counts = lesson::take_operations();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < names.size() && i < counts.list.size(); ++i) {
    const unsigned column = counts.list[i].column;
    rows.push_back({names[i], std::to_string(of_stream[i]), std::to_string(column),
                    std::to_string(column + 1)});
  }
  return rows;
}

lesson::Demonstration timeline() {
  const Streams streams(streams_used);
  lesson::Demonstration table;
  table.title = "four pieces over two streams";
  if (lesson::simulator_present()) {
    table.columns = {"operation", "stream", "from column", "to column"};
    table.rows = ordered(streams);
    table.note =
        "Order only: the simulator has no clock. Operations in one column may run at the same "
        "time.";
  } else {
    table.columns = {"operation", "stream", "begins, us", "ends, us"};
    table.rows = measured(streams);
    table.note = "Measured by events around each operation; 16.8 MB per copy.";
  }
  return table;
}

}  // namespace

void timeline_table(lesson::Run& run) { run.table("timeline", timeline); }
