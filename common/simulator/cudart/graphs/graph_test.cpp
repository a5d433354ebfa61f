#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <ctime>
#include <vector>

#include "simulator/cudart/report/report.h"
#include "simulator/cudart/runtime.h"
#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

/// Two streams, two events and ten integers on the device.
struct Setting {
  cudaStream_t first = nullptr, second = nullptr;
  cudaEvent_t fork = nullptr, join = nullptr;
  int* x = nullptr;
  Setting() {
    REQUIRE(cudaStreamCreate(&first) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&second) == cudaSuccess);
    REQUIRE(cudaEventCreate(&fork) == cudaSuccess);
    REQUIRE(cudaEventCreate(&join) == cudaSuccess);
    REQUIRE(cudaMalloc(reinterpret_cast<void**>(&x), 40) == cudaSuccess);
  }
  ~Setting() {
    cudaStreamDestroy(first), cudaStreamDestroy(second);
    cudaEventDestroy(fork), cudaEventDestroy(join);
    cudaFree(x);
    cudaGetLastError();
  }
  int value() const {
    int result = -1;
    CHECK(cudaMemcpy(&result, x + 9, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
    return result;
  }
};

std::size_t nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaSuccess);
  return count;
}

std::size_t edges_of(cudaGraph_t graph) {
  std::size_t count = 0;
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count) == cudaSuccess);
  return count;
}

cudaKernelNodeParams kernel(const char* name, void** arguments) {
  cudaKernelNodeParams params = {};
  params.func = fake_kernel(name);
  params.gridDim = 1;
  params.blockDim = 32;
  params.kernelParams = arguments;
  return params;
}

TEST_CASE("a captured stream runs nothing; the graph runs as often as it is launched") {
  Setting s;
  cudaMemset(s.x, 0, 40);
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(launch_fake_on("add", s.x, 5, 10, s.first) == cudaSuccess);
  CHECK(cudaEventRecord(s.fork, s.first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.second, s.fork, 0) == cudaSuccess);
  CHECK(cudaMemsetAsync(s.x, 0, 20, s.second) == cudaSuccess);
  CHECK(cudaEventRecord(s.join, s.second) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.first, s.join, 0) == cudaSuccess);
  CHECK(launch_fake_on("add", s.x, 1, 10, s.first) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaSuccess);
  CHECK(nodes_of(graph) == 3);
  CHECK(edges_of(graph) == 3);
  CHECK(s.value() == 0);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(s.value() == 12);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("an instance begins again when its launch before has ended, in whatever stream") {
  Setting s;
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaMemsetAsync(s.x, 0, 20, streams[0]) == cudaSuccess);
  CHECK(cudaMemcpyAsync(s.x + 5, s.x, 20, cudaMemcpyDeviceToDevice, streams[0]) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(streams[0], &graph) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  runtime().reporter.take();
  for (const cudaStream_t stream : streams) CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(runtime().reporter.take().find("race") == std::string::npos);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  for (const cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

TEST_CASE("what a capture forbids spoils it, and its end says so") {
  Setting s;
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const auto spoiled = [&](cudaStreamCaptureMode mode, const auto& act) {
    CHECK(cudaStreamBeginCapture(s.first, mode) == cudaSuccess);
    const cudaError_t error = act();
    CHECK(cudaStreamIsCapturing(s.first, &status) == cudaSuccess);
    const bool invalid = status == cudaStreamCaptureStatusInvalidated;
    CHECK(cudaStreamEndCapture(s.first, &graph) ==
          (invalid ? cudaErrorStreamCaptureInvalidated : cudaSuccess));
    CHECK((graph == nullptr) == invalid);
    cudaGraphDestroy(graph);
    return invalid ? error : cudaSuccess;
  };
  void* memory = nullptr;
  const auto allocate = [&] { return cudaMalloc(&memory, 4); };
  CHECK(spoiled(cudaStreamCaptureModeGlobal, allocate) == cudaErrorStreamCaptureUnsupported);
  CHECK(spoiled(cudaStreamCaptureModeRelaxed, allocate) == cudaSuccess);
  CHECK(spoiled(cudaStreamCaptureModeRelaxed, [&] { return launch_fake("print"); }) ==
        cudaErrorStreamCaptureImplicit);
  CHECK(spoiled(cudaStreamCaptureModeGlobal, [&] { return cudaStreamSynchronize(s.first); }) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(spoiled(cudaStreamCaptureModeGlobal, [&] {
          cudaEventRecord(s.fork, s.second);
          return cudaStreamWaitEvent(s.first, s.fork, 0);
        }) == cudaErrorStreamCaptureIsolation);
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeGlobal) == cudaSuccess);
  CHECK(cudaEventRecord(s.fork, s.first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.second, s.fork, 0) == cudaSuccess);
  CHECK(launch_fake("print", 1, 32, 0, s.second) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaErrorStreamCaptureUnjoined);
  cudaFree(memory), cudaGetLastError();
}

TEST_CASE("to end a capture in another stream spoils it, and with it the events it recorded") {
  Setting s;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaEventRecord(s.fork, s.first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.second, s.fork, 0) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.second, &graph) == cudaErrorStreamCaptureUnmatched);
  CHECK(cudaEventQuery(s.fork) == cudaErrorInvalidValue);
  CHECK(launch_fake("print", 1, 32, 0, s.second) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaEventRecord(s.fork, s.first) == cudaSuccess);
  CHECK(cudaEventQuery(s.fork) == cudaErrorCapturedEvent);
  CHECK(cudaEventSynchronize(s.fork) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(s.second, s.fork, 0) == cudaErrorInvalidValue);
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaErrorStreamCaptureInvalidated);
  cudaGetLastError();
}

TEST_CASE("a graph that a capture adds to is not destroyed, and goes with a capture that fails") {
  Setting s;
  cudaGraph_t graph = nullptr, out = nullptr;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  std::size_t count = 0;
  constexpr auto mode = cudaStreamCaptureModeRelaxed;
  const auto begin = [&](cudaStream_t stream) {
    return cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, mode);
  };
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(begin(s.first) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaErrorIllegalState);
  CHECK(begin(s.second) == cudaErrorIllegalState);
  CHECK(launch_fake("print", 1, 32, 0, s.first) == cudaSuccess);
  CHECK(cudaStreamEndCapture(s.first, &out) == cudaSuccess);
  CHECK(out == graph);
  CHECK(nodes_of(graph) == 1);
  CHECK(begin(s.first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.first) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamEndCapture(s.first, &out) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaGraphGetNodes(graph, nullptr, &count) == cudaErrorInvalidValue);
  CHECK(cudaStreamBeginCapture(s.first, mode) == cudaSuccess);
  CHECK(cudaStreamGetCaptureInfo(s.first, &status, nullptr, &out, nullptr, nullptr, nullptr) ==
        cudaSuccess);
  CHECK(cudaGraphDestroy(out) == cudaErrorIllegalState);
  CHECK(cudaStreamEndCapture(s.first, &out) == cudaSuccess);
  CHECK(cudaGraphDestroy(out) == cudaSuccess);
}

TEST_CASE("a capture outlasts a refused cudaFreeAsync; the default stream is refused first") {
  Setting s;
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaFreeAsync(s.x, s.first) == cudaErrorInvalidValue);
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(cudaStreamBeginCapture(s.first, cudaStreamCaptureModeRelaxed) == cudaSuccess);
  CHECK(cudaEventRecord(s.fork, s.first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.first) == cudaErrorStreamCaptureUnsupported);
  CHECK(cudaStreamWaitEvent(nullptr, s.fork, 0) == cudaErrorStreamCaptureImplicit);
  CHECK(cudaStreamEndCapture(s.first, &graph) == cudaErrorStreamCaptureInvalidated);
}

TEST_CASE("roots come newest first, edges by the nodes that they leave, as on a GPU") {
  cudaGraph_t graph = nullptr, copy = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  cudaGraphNode_t made[5] = {};
  for (cudaGraphNode_t& node : made)
    CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0) == cudaSuccess);
  const auto [a, b, c, d, e] = made;
  const cudaGraphNode_t from[] = {a, c, b, a}, to[] = {e, e, d, d};
  CHECK(cudaGraphAddDependencies(graph, from, to, nullptr, 4) == cudaSuccess);
  using Nodes = std::vector<cudaGraphNode_t>;
  const auto roots_of = [](cudaGraph_t which) {
    Nodes roots(8);
    std::size_t count = roots.size();
    CHECK(cudaGraphGetRootNodes(which, roots.data(), &count) == cudaSuccess);
    roots.resize(count);
    return roots;
  };
  CHECK(roots_of(graph) == Nodes{c, b, a});
  Nodes left(4), entered(4);
  std::size_t count = 4;
  CHECK(cudaGraphGetEdges(graph, left.data(), entered.data(), nullptr, &count) == cudaSuccess);
  CHECK(left == Nodes{a, a, b, c});
  CHECK(entered == Nodes{e, d, d, e});
  CHECK(cudaGraphClone(&copy, graph) == cudaSuccess);
  CHECK(cudaGraphGetEdges(copy, left.data(), entered.data(), nullptr, &count) == cudaSuccess);
  cudaGraphNode_t d_of_copy = nullptr;
  CHECK(cudaGraphNodeFindInClone(&d_of_copy, d, copy) == cudaSuccess);
  CHECK(entered[0] == d_of_copy);
  CHECK(cudaGraphDestroy(copy) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

TEST_CASE("an instantiated graph's memset of a rectangle keeps its shape, one of a row need not") {
  Setting s;
  const auto fill_of = [&](std::size_t width, std::size_t height, unsigned value) {
    cudaMemsetParams params = {};
    params.dst = s.x;
    params.elementSize = 1;
    params.width = width;
    params.height = height;
    params.pitch = 8;
    params.value = value;
    return params;
  };
  const auto changed = [&](const cudaMemsetParams& from, const cudaMemsetParams& to) {
    cudaGraph_t graph = nullptr, other = nullptr;
    cudaGraphNode_t node = nullptr, same = nullptr;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    CHECK(cudaGraphCreate(&other, 0) == cudaSuccess);
    CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &from) == cudaSuccess);
    CHECK(cudaGraphAddMemsetNode(&same, other, nullptr, 0, &to) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    const cudaError_t error = cudaGraphExecMemsetNodeSetParams(exec, node, &to);
    cudaGraphExecUpdateResultInfo info = {};
    CHECK((cudaGraphExecUpdate(exec, other, &info) == cudaSuccess) == (error == cudaSuccess));
    if (error != cudaSuccess) CHECK(info.result == cudaGraphExecUpdateErrorParametersChanged);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
    CHECK(cudaGraphDestroy(other) == cudaSuccess);
    cudaGetLastError();
    return error;
  };
  CHECK(changed(fill_of(4, 3, 1), fill_of(4, 3, 2)) == cudaSuccess);
  CHECK(changed(fill_of(4, 3, 1), fill_of(5, 3, 1)) == cudaErrorInvalidValue);
  CHECK(changed(fill_of(4, 3, 1), fill_of(4, 2, 1)) == cudaErrorInvalidValue);
  CHECK(changed(fill_of(4, 3, 1), fill_of(4, 1, 1)) == cudaErrorInvalidValue);
  CHECK(changed(fill_of(4, 1, 1), fill_of(4, 3, 1)) == cudaErrorInvalidValue);
  CHECK(changed(fill_of(4, 1, 1), fill_of(9, 1, 1)) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t node = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  const cudaMemsetParams nothing = fill_of(4, 0, 1);
  CHECK(cudaGraphAddMemsetNode(&node, graph, nullptr, 0, &nothing) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("graphs are built by hand, cloned, changed and updated") {
  Setting s;
  int value = 7, n = 10, host = 0, called = 0;
  void* arguments[] = {&s.x, &value, &n};
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphNode_t fill = nullptr, copy = nullptr, call_host = nullptr, twin = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  auto params = kernel("fill", arguments);
  CHECK(cudaGraphAddKernelNode(&fill, graph, nullptr, 0, &params) == cudaSuccess);
  CHECK(cudaGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &host, s.x, 4, cudaMemcpyDeviceToHost) ==
        cudaSuccess);
  cudaHostNodeParams host_params = {[](void* data) { ++*static_cast<int*>(data); }, &called};
  CHECK(cudaGraphAddHostNode(&call_host, graph, &copy, 1, &host_params) == cudaSuccess);
  CHECK(cudaGraphAddDependencies(graph, &copy, &call_host, nullptr, 1) == cudaErrorInvalidValue);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphAddDependencies(graph, &call_host, &fill, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaErrorInvalidValue);
  CHECK(cudaGraphRemoveDependencies(graph, &call_host, &fill, nullptr, 1) == cudaSuccess);
  CHECK(cudaGraphClone(&clone, graph) == cudaSuccess);
  CHECK(cudaGraphNodeFindInClone(&twin, fill, clone) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  value = 8;
  CHECK(cudaGraphKernelNodeSetParams(twin, &params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.first) == cudaSuccess);
  CHECK(host == 7);
  cudaGraphExecUpdateResultInfo info = {};
  CHECK(cudaGraphExecUpdate(exec, clone, &info) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.first) == cudaSuccess);
  CHECK(host == 8);
  CHECK(called == 2);
  CHECK(cudaGraphNodeSetEnabled(exec, copy, 0) == cudaSuccess);
  value = 9;
  CHECK(cudaGraphExecKernelNodeSetParams(exec, fill, &params) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(s.value() == 9);
  CHECK(host == 8);
  CHECK(cudaGraphDestroyNode(twin) == cudaSuccess);
  CHECK(cudaGraphExecUpdate(exec, clone, &info) == cudaErrorGraphExecUpdateFailure);
  CHECK(info.result == cudaGraphExecUpdateErrorTopologyChanged);
  CHECK(cudaGraphDestroy(clone) == cudaSuccess);
  CHECK(cudaGraphDestroy(clone) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  cudaGetLastError();
}

TEST_CASE("a child graph runs where its node is, and events inside a graph order other streams") {
  Setting s;
  int three = 3, four = 4, n = 10;
  void *fill_arguments[] = {&s.x, &three, &n}, *add_arguments[] = {&s.x, &four, &n};
  cudaGraph_t inner = nullptr, outer = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, record = nullptr, unused = nullptr;
  cudaGraphCreate(&inner, 0), cudaGraphCreate(&outer, 0);
  auto add = kernel("add", add_arguments);
  auto fill = kernel("fill", fill_arguments);
  CHECK(cudaGraphAddKernelNode(&unused, inner, nullptr, 0, &add) == cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&unused, inner, &unused, 1, &add) == cudaSuccess);
  CHECK(cudaGraphAddKernelNode(&a, outer, nullptr, 0, &fill) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&b, outer, &a, 1, inner) == cudaSuccess);
  CHECK(cudaGraphAddEventRecordNode(&record, outer, &b, 1, s.fork) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, outer, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(s.second, s.fork, 0) == cudaSuccess);
  CHECK(launch_fake_on("add", s.x, 100, 10, s.second) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.second) == cudaSuccess);
  CHECK(s.value() == 111);
  // Another child of the same shape.
  cudaGraph_t other = nullptr;
  cudaGraphCreate(&other, 0);
  CHECK(cudaGraphAddKernelNode(&unused, other, nullptr, 0, &add) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, b, other) == cudaErrorGraphExecUpdateFailure);
  CHECK(cudaGraphAddKernelNode(&unused, other, &unused, 1, &fill) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, b, other) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, a, other) == cudaErrorInvalidValue);
  unsigned enabled = 7;
  CHECK(cudaGraphNodeGetEnabled(exec, b, &enabled) == cudaErrorInvalidValue);
  CHECK(enabled == 7);
  CHECK(cudaGraphLaunch(exec, s.first) == cudaSuccess);
  CHECK(cudaStreamSynchronize(s.first) == cudaSuccess);
  CHECK(s.value() == 3);
  cudaGraphDestroy(other), cudaGetLastError();
  cudaGraphExecDestroy(exec), cudaGraphDestroy(outer), cudaGraphDestroy(inner);
}

TEST_CASE("a graph that is launched again and again takes no longer each time") {
  Setting s;
  cudaMemset(s.x, 0, 40);
  cudaMemsetParams fill = {};
  fill.dst = s.x;
  fill.value = 7;
  fill.elementSize = 4;
  fill.width = 10;
  fill.height = 1;
  cudaGraph_t graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == cudaSuccess);
  constexpr int nodes = 100, few = 30, many = 10 * few;
  cudaGraphNode_t last = nullptr;
  for (int i = 0; i < nodes; ++i) {
    const cudaGraphNode_t before = last;
    REQUIRE(cudaGraphAddMemsetNode(&last, graph, &before, i > 0, &fill) == cudaSuccess);
  }
  cudaGraphExec_t exec = nullptr;
  REQUIRE(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  const auto time_of = [&](int launches) {
    // Processor time: the time of other processes does not count.
    const std::clock_t begin = std::clock();
    for (int i = 0; i < launches; ++i) cudaGraphLaunch(exec, s.first);
    cudaStreamSynchronize(s.first);
    return std::clock() - begin;
  };
  const auto time_of_few = time_of(few), time_of_many = time_of(many);
  CHECK(time_of_many < 40 * time_of_few);
  CHECK(s.value() == 7);
  cudaGraphExecDestroy(exec), cudaGraphDestroy(graph);
}

TEST_CASE("a child keeps the edges that it was instantiated with, not just as many") {
  Setting s;
  int one = 1, n = 10;
  void* arguments[] = {&s.x, &one, &n};
  const auto add = kernel("add", arguments);
  const auto three = [&](bool chain) {
    cudaGraph_t graph = nullptr;
    cudaGraphNode_t nodes[3] = {};
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    for (int i = 0; i < 3; ++i) {
      const cudaGraphNode_t* before = i == 0 ? nullptr : &nodes[chain ? i - 1 : 0];
      CHECK(cudaGraphAddKernelNode(&nodes[i], graph, before, i == 0 ? 0 : 1, &add) == cudaSuccess);
    }
    return graph;
  };
  cudaGraph_t parent = nullptr, fork = three(false), same = three(false), chain = three(true);
  cudaGraphNode_t child = nullptr;
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphCreate(&parent, 0) == cudaSuccess);
  CHECK(cudaGraphAddChildGraphNode(&child, parent, nullptr, 0, fork) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, parent, 0) == cudaSuccess);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, child, chain) ==
        cudaErrorGraphExecUpdateFailure);
  CHECK(cudaGraphExecChildGraphNodeSetParams(exec, child, same) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  for (cudaGraph_t graph : {parent, fork, same, chain})
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
}

}  // namespace
}  // namespace warpwise::cudart
