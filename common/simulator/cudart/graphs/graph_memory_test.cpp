#include "simulator/cudart/graphs/graph_memory.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "simulator/cudart/tests/fake_module.h"

namespace warpwise::cudart {
namespace {

/// A captured graph that allocates and fills memory, and does not free it.
struct Captured {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  int* x = nullptr;

  explicit Captured(unsigned long long flags) {
    CHECK(cudaStreamCreate(&stream) == cudaSuccess);
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
    CHECK(cudaMallocAsync(reinterpret_cast<void**>(&x), 40, stream) == cudaSuccess);
    CHECK(launch_fake_on("fill", x, 7, 10, stream) == cudaSuccess);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&exec, graph, flags) == cudaSuccess);
  }
  ~Captured() {
    cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    cudaGetLastError();
  }
  cudaError_t launch() const {
    const cudaError_t error = cudaGraphLaunch(exec, stream);
    CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
    return error;
  }
};

std::uint64_t used() {
  std::uint64_t bytes = 1;
  CHECK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes) == cudaSuccess);
  return bytes;
}

TEST_CASE("memory that a graph allocated is freed before its next launch") {
  const Captured captured(0);
  CHECK(used() == 0);
  CHECK(cudaFree(captured.x) == cudaErrorInvalidValue);
  CHECK(captured.launch() == cudaSuccess);
  CHECK(used() == 40);
  CHECK(captured.launch() == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(captured.x, captured.stream) == cudaSuccess);
  CHECK(used() == 40);
  CHECK(captured.launch() == cudaSuccess);
  int value = 0;
  CHECK(cudaMemcpy(&value, captured.x + 9, 4, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(value == 7);
  CHECK(cudaFree(captured.x) == cudaSuccess);
  CHECK(cudaFree(captured.x) == cudaErrorInvalidValue);
}

TEST_CASE("an instance can free what its last launch left") {
  const Captured captured(cudaGraphInstantiateFlagAutoFreeOnLaunch);
  CHECK(captured.launch() == cudaSuccess);
  CHECK(captured.launch() == cudaSuccess);
  CHECK(used() == 40);
  CHECK(cudaFree(captured.x) == cudaSuccess);
}

/// A graph that allocates memory and frees it.
struct Passing {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;

  explicit Passing(std::size_t bytes) {
    cudaMemAllocNodeParams params = {};
    params.bytesize = bytes;
    params.poolProps.allocType = cudaMemAllocationTypePinned;
    params.poolProps.location.type = cudaMemLocationTypeDevice;
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    cudaGraphNode_t last = nullptr;
    for (int i = 0; i < 2; ++i) {
      cudaGraphNode_t alloc = nullptr, free = nullptr;
      CHECK(cudaGraphAddMemAllocNode(&alloc, graph, &last, i, &params) == cudaSuccess);
      CHECK(cudaGraphAddMemFreeNode(&free, graph, &alloc, 1, params.dptr) == cudaSuccess);
      last = free;
    }
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  }
  ~Passing() { cudaGraphExecDestroy(exec), cudaGraphDestroy(graph); }
  void launch(cudaStream_t stream) const { CHECK(cudaGraphLaunch(exec, stream) == cudaSuccess); }
};

TEST_CASE("graphs of one stream have their memory at one place, those of two streams do not") {
  const Passing first(4096), second(4096), third(8192);
  cudaStream_t one = nullptr, two = nullptr;
  CHECK(cudaStreamCreate(&one) == cudaSuccess);
  CHECK(cudaStreamCreate(&two) == cudaSuccess);
  CHECK(used() == 0);
  first.launch(one), first.launch(one);
  CHECK(used() == 4096);
  second.launch(one);
  CHECK(used() == 4096);
  third.launch(one);
  CHECK(used() == 8192);
  first.launch(two);
  CHECK(used() == 8192 + 4096);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(used() == 0);
  CHECK(cudaStreamDestroy(one) == cudaSuccess);
  CHECK(cudaStreamDestroy(two) == cudaSuccess);
}

TEST_CASE("trimming leaves what was not freed") {
  const Captured captured(0);
  CHECK(captured.launch() == cudaSuccess);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(used() == 40);
  CHECK(cudaFree(captured.x) == cudaSuccess);
  CHECK(used() == 40);
  CHECK(cudaDeviceGraphMemTrim(0) == cudaSuccess);
  CHECK(used() == 0);
}

TEST_CASE("memory outlives the graph that allocated it") {
  int* x = nullptr;
  {
    const Captured captured(0);
    CHECK(captured.launch() == cudaSuccess);
    x = captured.x;
  }
  CHECK(used() == 0);
  CHECK(cudaMemset(x, 0, 40) == cudaSuccess);
  CHECK(cudaFree(x) == cudaSuccess);
  CHECK(cudaFree(x) == cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_CASE("a graph with memory has one instance at a time, no copies and all its nodes") {
  Captured captured(0);
  cudaGraphExec_t second = nullptr;
  CHECK(cudaGraphInstantiate(&second, captured.graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGraphExecDestroy(captured.exec) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&captured.exec, captured.graph, 0) == cudaSuccess);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, captured.graph) == cudaErrorNotSupported);
  cudaGraphNode_t nodes[2] = {};
  std::size_t count = 2;
  CHECK(cudaGraphGetNodes(captured.graph, nodes, &count) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(nodes[1]) == cudaErrorNotSupported);
  CHECK(cudaGraphRemoveDependencies(captured.graph, &nodes[0], &nodes[1], nullptr, 1) ==
        cudaErrorNotSupported);
}

TEST_CASE("an instance keeps its graph's objects until its last launch is done") {
  static int alive;
  alive = 1;
  cudaUserObject_t object = nullptr;
  CHECK(cudaUserObjectCreate(
            &object, &alive, [](void* data) { --*static_cast<int*>(data); }, 1,
            cudaUserObjectNoDestructorSync) == cudaSuccess);
  cudaGraph_t graph = nullptr;
  CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove) == cudaSuccess);
  cudaGraphNode_t node = nullptr;
  cudaHostNodeParams host = {[](void* data) { CHECK(*static_cast<int*>(data) == 1); }, &alive};
  CHECK(cudaGraphAddHostNode(&node, graph, nullptr, 0, &host) == cudaSuccess);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
  CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  CHECK(alive == 1);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
  CHECK(alive == 1);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(alive == 0);
}

}  // namespace
}  // namespace warpwise::cudart
