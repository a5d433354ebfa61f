/// \file
/// launches: 171 small kernels, as many as a forward pass of GPT-2 has, in six ways.
///
/// The question: what does a launch cost, and who pays: the host or the device?
///
///     build/ch09_streams_and_graphs --only launches
#include <cooperative_groups.h>
#include <cuda_runtime_api.h>

#include <array>
#include <cmath>
#include <vector>

#include "base/algorithm.h"
#include "base/numbers.h"
#include "lesson/order_table.h"
#include "streams.h"

namespace lesson = warpwise::lesson;

namespace {

constexpr int kernels = 171;
constexpr float rate = 0.25F;

/// One step of diffusion on a ring: to[i] = from[i] + r (left - 2 from[i] + right).
__device__ float diffused(const float* from, int i, int n, float r) {
  const float left = from[i == 0 ? n - 1 : i - 1];
  const float right = from[i == n - 1 ? 0 : i + 1];
  return from[i] + r * (left - 2 * from[i] + right);
}

/// @param[in] from n floats, device. @param[out] to n floats, device, another array.
/// @pre one dimension, at least n threads. @cost 8 n bytes, 4 n flops.
__global__ void launches_step(const float* from, float* to, int n, float r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = diffused(from, i, n, r);
}

/// All steps in one launch: a barrier of the whole grid between two of them.
/// @param[in,out] a n floats, the start, device. @param[out] b n floats, the end for odd `steps`.
/// @pre a cooperative launch: all blocks are resident at once. @cost as `steps` of the above.
/// @source Programming Guide, Cooperative Groups, grid synchronization.
__global__ void launches_all_steps(float* a, float* b, int n, float r, int steps) {
  const auto grid = cooperative_groups::this_grid();
  for (int step = 0; step < steps; ++step) {
    const float* from = step % 2 == 0 ? a : b;
    float* to = step % 2 == 0 ? b : a;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
      to[i] = diffused(from, i, n, r);
    }
    grid.sync();
  }
}

/// The two arrays that change places, and where they begin and end.
struct Ring {
  int n = 0;
  HostFloats a, b;
  const float* start = nullptr;  ///< n floats, device.

  int blocks() const { return lesson::ceil_div(n, 256); }
  void reset() const {
    lesson::check(cudaMemcpy(a.get(), start, n * sizeof(float), cudaMemcpyDeviceToDevice));
  }
  void step(int number, cudaStream_t stream) const {
    float* from = (number % 2 == 0 ? a : b).get();
    float* to = (number % 2 == 0 ? b : a).get();
    launches_step<<<blocks(), 256, 0, stream>>>(from, to, n, rate);
    lesson::check(cudaGetLastError());
  }
};

/// A captured sequence of all steps, and the nodes' parameters for an update.
class StepGraph {
 public:
  StepGraph(const Ring& ring, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    lesson::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kernels; ++i) ring.step(i, stream);
    lesson::check(cudaStreamEndCapture(stream, &graph));
    lesson::check(cudaGraphInstantiate(&instance_, graph, 0));
    std::size_t count = kernels;
    lesson::check(cudaGraphGetNodes(graph, nodes_.data(), &count));
    graph_ = graph;
  }
  ~StepGraph() {
    (void)cudaGraphExecDestroy(instance_);
    (void)cudaGraphDestroy(graph_);
  }
  StepGraph(const StepGraph&) = delete;
  StepGraph& operator=(const StepGraph&) = delete;

  void launch(cudaStream_t stream) const { lesson::check(cudaGraphLaunch(instance_, stream)); }

  /// Gives every node its parameters anew, as a program does whose rate changes from run to run.
  void update(float r) {
    for (cudaGraphNode_t node : nodes_) {
      cudaKernelNodeParams params{};
      lesson::check(cudaGraphKernelNodeGetParams(node, &params));
      std::array<void*, 4> arguments{params.kernelParams[0], params.kernelParams[1],
                                     params.kernelParams[2], &r};
      params.kernelParams = arguments.data();
      params.extra = nullptr;
      lesson::check(cudaGraphExecKernelNodeSetParams(instance_, node, &params));
    }
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t instance_ = nullptr;
  std::array<cudaGraphNode_t, kernels> nodes_{};
};

std::vector<double> reference(const std::vector<float>& start) {
  std::vector<double> from(start.begin(), start.end());
  std::vector<double> to(from.size());
  const std::size_t n = from.size();
  for (int step = 0; step < kernels; ++step) {
    for (std::size_t i = 0; i < n; ++i) {
      const double neighbours = from[(i + n - 1) % n] + from[(i + 1) % n];
      to[i] = from[i] + rate * (neighbours - 2 * from[i]);
    }
    std::swap(from, to);
  }
  return from;
}

/// As many blocks as are resident at once, at most as many as there is work for.
int resident_blocks(int wanted) {
  int per_sm = 0;
  int sms = 0;
  lesson::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, launches_all_steps, 256, 0));
  lesson::check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  return std::min(wanted, per_sm * sms);
}

void cooperative(const Ring& ring, cudaStream_t stream) {
  float* a = ring.a.get();
  float* b = ring.b.get();
  int n = ring.n;
  float r = rate;
  int steps = kernels;
  void* arguments[] = {&a, &b, &n, &r, &steps};
  lesson::check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(launches_all_steps),
                                            resident_blocks(ring.blocks()), 256, arguments, 0,
                                            stream));
}

void launches_rungs(lesson::Trial& run) {
  const int n = run.size()[0];
  const std::vector<float> host = lesson::uniform_numbers(n);
  // Each step rounds four times; its terms are at most 4, a quarter of which counts.
  float* result = run.output("y", reference(host), {.absolute = kernels * 4 * 0x1p-24});
  const Ring ring{n, device_floats(n), device_floats(n), run.input("start", host)};
  const auto streams = std::make_shared<Streams>(1);
  const auto prepare = [=] { ring.reset(); };
  const auto collect = [=] {  // 171 is odd: the last step wrote into b.
    lesson::check(cudaMemcpy(result, ring.b.get(), n * sizeof(float), cudaMemcpyDefault));
  };
  const auto rung = [&](const char* name, const std::function<void(cudaStream_t)>& start) {
    run.work(
        name, [=] { start((*streams)[0]); }, prepare, collect);
  };
  rung("wait after each", [=](cudaStream_t stream) {
    for (int i = 0; i < kernels; ++i) {
      ring.step(i, stream);
      lesson::check(cudaStreamSynchronize(stream));
    }
  });
  rung("launches", [=](cudaStream_t stream) {
    for (int i = 0; i < kernels; ++i) ring.step(i, stream);
  });
  const auto graph = std::make_shared<StepGraph>(ring, (*streams)[0]);
  rung("a graph", [=](cudaStream_t stream) { graph->launch(stream); });
  rung("a graph, all nodes updated", [=](cudaStream_t stream) {
    graph->update(rate);
    graph->launch(stream);
  });
  rung("captured and instantiated anew", [=](cudaStream_t stream) {
    const StepGraph fresh(ring, stream);
    fresh.launch(stream);
  });
  rung("one kernel, grid.sync()", [=](cudaStream_t stream) { cooperative(ring, stream); });
}

lesson::Ladder ladder(const char* name, const char* title, int full) {
  return {.name = name,
          .title = title,
          .full = {full},
          .small = {1 << 10},
          .awkward = {{3}, {31}, {1009}},
          .needs =
              [](const lesson::Size& size) {
                return lesson::Needs{.bytes = 8.0 * kernels * size[0],
                                     .flops = 4.0 * kernels * size[0]};
              },
          .limit = "launches",
          .counts_operations = true};
}

}  // namespace

void launches_ladder(lesson::Run& run) {
  run.ladder(ladder("launches", "171 steps on a small array: the launches are what costs", 1 << 10),
             launches_rungs);
  lesson::order_table(
      run, "launches",
      {"launch_calls", "graph_launches", "instantiations", "host_waits", "longest_chain"},
      {"launches by the host", "of graphs", "instantiations", "host waits", "longest chain"});
  run.ladder(
      ladder("long_launches", "the same steps on 8 million floats: the work hides them", 1 << 23),
      launches_rungs);
}
