#include "simulator/cudart/graphs/graph_launches.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <thread>
#include <vector>

#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace graph_launches_test {
namespace {

using machine::DeviceWork;
namespace graph_stream = machine::graph_stream;

/// Graphs of one kernel each, by number, and the graphs that each of them launches.
struct Scene {
  struct Asked {
    int graph;
    std::uint64_t stream;
  };
  std::map<int, cudaGraphExec_t> graphs;
  std::map<int, std::vector<Asked>> plans;
  std::vector<int> ran;      ///< in order
  std::vector<int> refused;  ///< graphs that were not launched
  std::vector<std::weak_ptr<GraphRun>> runs;
  std::atomic<int> count = 0;  ///< of them
  int* x = nullptr;

  Scene() {
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 4) == cudaSuccess);
    fake_launcher = [this](machine::DeviceRuntime& runtime, int graph) {
      ran.push_back(graph);
      runs.push_back(running_graph());
      for (const Asked& asked : plans[graph]) {
        DeviceWork work;
        work.kind = DeviceWork::Kind::graph;
        work.graph = reinterpret_cast<std::uint64_t>(graphs.at(asked.graph));
        work.stream = asked.stream;
        if (runtime.launch_graph(work)) refused.push_back(asked.graph);
      }
      ++count;
    };
  }
  ~Scene() {
    cudaDeviceSynchronize();
    for (const auto& [number, graph] : graphs) cudaGraphExecDestroy(graph);
    cudaFree(x);
    cudaGetLastError();
    fake_launcher = nullptr;
  }

  static cudaGraph_t graph_of(int* x, int number) {
    int n = 0;
    void* arguments[] = {&x, &number, &n};
    cudaKernelNodeParams params = {};
    params.func = fake_kernel("launcher");
    params.gridDim = params.blockDim = 1;
    params.kernelParams = arguments;
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t node = nullptr;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params) == cudaSuccess);
    return graph;
  }
  void add(int number, std::vector<Asked> plan = {}, bool is_uploaded = true) {
    cudaGraph_t graph = graph_of(x, number);
    CHECK(cudaGraphInstantiate(&graphs[number], graph, cudaGraphInstantiateFlagDeviceLaunch) ==
          cudaSuccess);
    if (is_uploaded) CHECK(cudaGraphUpload(graphs[number], nullptr) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    plans[number] = std::move(plan);
  }
  std::vector<int> order_after(int number) {
    ran.clear(), refused.clear();
    CHECK(cudaGraphLaunch(graphs.at(number), nullptr) == cudaSuccess);
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    return ran;
  }
};

constexpr std::uint64_t behind = graph_stream::tail, beside = graph_stream::beside,
                        sibling = graph_stream::as_sibling;
using Numbers = std::vector<int>;

TEST_CASE("graphs after one come in order, each with its own before the next") {
  Scene scene;
  scene.add(1, {{2, behind}, {3, behind}});
  scene.add(2, {{4, behind}, {5, behind}});
  for (const int number : {3, 4, 5}) scene.add(number);
  CHECK(scene.order_after(1) == Numbers{1, 2, 4, 5, 3});
  CHECK(scene.order_after(1) == Numbers{1, 2, 4, 5, 3});
}

TEST_CASE("a later graph waits for all that was launched at its side, except siblings") {
  Scene scene;
  scene.add(1, {{9, behind}, {2, beside}});
  scene.add(2, {{3, behind}, {4, beside}, {5, sibling}});
  for (const int number : {3, 4, 5, 9}) scene.add(number);
  Numbers order = scene.order_after(1);
  REQUIRE(order.size() == 6);
  CHECK(order.back() == 9);
  // 3 waits for 4.
  CHECK(std::find(order.begin(), order.end(), 4) < std::find(order.begin(), order.end(), 3));
  scene.plans[1] = {{9, behind}, {5, sibling}};
  CHECK(scene.order_after(1) == Numbers{1, 9, 5});
}

TEST_CASE("a graph runs once at a time; after itself it can come again") {
  Scene scene;
  scene.add(1, {{2, beside}, {2, beside}, {2, behind}, {1, beside}, {1, sibling}});
  scene.add(2);
  CHECK(scene.order_after(1) == Numbers{1, 2});
  CHECK(scene.refused == Numbers{2, 2, 1, 1});
  int left = 3;
  scene.add(3, {{3, behind}, {3, behind}});
  const auto launch = fake_launcher;
  fake_launcher = [&](machine::DeviceRuntime& runtime, int graph) {
    if (--left == 0) scene.plans[3].clear();
    launch(runtime, graph);
  };
  CHECK(scene.order_after(3) == Numbers{3, 3, 3});
  CHECK(scene.refused == Numbers{3, 3});
}

TEST_CASE("so many graphs may be launched from one run, and no more") {
  Scene scene;
  for (int number = 0; number < 300; ++number) scene.add(number);
  for (const std::uint64_t how : {beside, sibling, behind}) {
    scene.plans[0].clear();
    for (int number = 1; number < 300; ++number) scene.plans[0].push_back({number, how});
    const std::size_t most = how == behind ? 255 : 120;
    for (int round = 0; round < 2; ++round) {
      CHECK(scene.order_after(0).size() == 1 + most);
      CHECK(scene.refused.size() == 299 - most);
    }
  }
}

TEST_CASE("a graph is launched as it was uploaded last, by a call or by the host's launch") {
  Scene scene;
  scene.add(1, {{2, beside}});
  scene.add(2, {}, false);
  CHECK(scene.order_after(1) == Numbers{1});
  CHECK(scene.order_after(2) == Numbers{2});
  CHECK(scene.order_after(1) == Numbers{1, 2});
  cudaGraph_t other = Scene::graph_of(scene.x, 7);
  CHECK(cudaGraphExecUpdate(scene.graphs[2], other, nullptr) == cudaSuccess);
  CHECK(scene.order_after(1) == Numbers{1, 2});
  CHECK(cudaGraphUpload(scene.graphs[2], nullptr) == cudaSuccess);
  CHECK(scene.order_after(1) == Numbers{1, 7});
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
}

TEST_CASE("later work in the stream waits for all that the graph's kernels launch") {
  Scene scene;
  scene.add(1, {{2, behind}, {3, beside}, {4, sibling}});
  for (const int number : {2, 3, 4}) scene.add(number);
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaEventCreate(&event) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaGraphLaunch(scene.graphs[1], stream) == cudaSuccess);
  CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(scene.ran.size() == 4);
  cudaEventDestroy(event), cudaStreamDestroy(stream);
}

TEST_CASE("graphs that kernels launch run without a wait, and leave nothing") {
  Scene scene;
  scene.add(1, {{2, behind}, {3, beside}});
  scene.add(2, {{4, beside}});
  for (const int number : {3, 4, 5}) scene.add(number);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  runtime().queue.set_patience(std::chrono::milliseconds(1));
  for (const int number : {1, 5})
    CHECK(cudaGraphLaunch(scene.graphs[number], nullptr) == cudaSuccess);
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (scene.count < 5 && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(scene.count == 5);
  runtime().queue.set_patience(std::chrono::milliseconds(100));
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(scene.ran.back() == 5);
  for (const auto& run : scene.runs) CHECK(run.expired());
}

}  // namespace
}  // namespace graph_launches_test
}  // namespace warpwise::cudart
