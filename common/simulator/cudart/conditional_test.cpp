#include "simulator/cudart/conditional.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include "simulator/cudart/fake_module.h"

namespace warpwise::cudart {
namespace {

/// A graph, and a conditional node in it.
struct Choice {
  cudaGraph_t graph = nullptr;
  cudaGraphConditionalHandle handle = 0;
  cudaGraphNodeParams params = {};
  cudaGraphNode_t node = nullptr;
  int* x = nullptr;

  Choice(cudaGraphConditionalNodeType type, unsigned size, unsigned initial) {
    CHECK(cudaMallocManaged(reinterpret_cast<void**>(&x), 4) == cudaSuccess);
    CHECK(cudaGraphCreate(&graph, 0) == cudaSuccess);
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, initial, cudaGraphCondAssignDefault) ==
          cudaSuccess);
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &params) == cudaSuccess);
  }
  ~Choice() {
    cudaGraphDestroy(graph), cudaFree(x);
    cudaGetLastError();
  }
  /// Adds a kernel that changes one integer.
  static cudaGraphNode_t add(cudaGraph_t to, const char* kernel, int* where, int value) {
    int n = 1;
    void* arguments[] = {&where, &value, &n};
    cudaKernelNodeParams params = {};
    params.func = fake_kernel(kernel);
    params.gridDim = params.blockDim = 1;
    params.kernelParams = arguments;
    cudaGraphNode_t made = nullptr;
    CHECK(cudaGraphAddKernelNode(&made, to, nullptr, 0, &params) == cudaSuccess);
    return made;
  }
  cudaGraph_t body(unsigned i) const { return params.conditional.phGraph_out[i]; }
  int* value() const { return reinterpret_cast<int*>(handle); }
  int after_launches(int launches) const {
    *x = 0;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaGraphInstantiate(&exec, graph, 0) == cudaSuccess);
    for (int i = 0; i < launches; ++i) CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
    CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
    CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
    return *x;
  }
};

TEST_CASE("an if runs its graph, or the other one, as its value says") {
  Choice yes(cudaGraphCondTypeIf, 2, 1), no(cudaGraphCondTypeIf, 2, 0),
      alone(cudaGraphCondTypeIf, 1, 0);
  for (Choice* choice : {&yes, &no}) {
    Choice::add(choice->body(0), "add", choice->x, 1);
    Choice::add(choice->body(1), "add", choice->x, 100);
  }
  Choice::add(alone.body(0), "add", alone.x, 1);
  CHECK(yes.after_launches(2) == 2);
  CHECK(no.after_launches(2) == 200);
  CHECK(alone.after_launches(2) == 0);
}

TEST_CASE("a graph with a conditional node is not cloned, and an instance forgets its priorities") {
  Choice choice(cudaGraphCondTypeIf, 1, 1);
  cudaGraph_t clone = nullptr;
  CHECK(cudaGraphClone(&clone, choice.graph) == cudaErrorNotSupported);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiateWithFlags(&exec, choice.graph,
                                      cudaGraphInstantiateFlagUseNodePriority) == cudaSuccess);
  unsigned long long flags = 99;
  CHECK(cudaGraphExecGetFlags(exec, &flags) == cudaSuccess);
  CHECK(flags == 0);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE("a while goes on until a kernel makes its value 0, and each launch begins anew") {
  Choice loop(cudaGraphCondTypeWhile, 1, 5);
  Choice::add(loop.body(0), "add", loop.x, 1);
  Choice::add(loop.body(0), "add", loop.value(), -1);
  CHECK(loop.after_launches(3) == 15);
}

TEST_CASE("a switch runs the graph of its value's number, or none") {
  for (unsigned value : {0u, 2u, 3u}) {
    Choice choice(cudaGraphCondTypeSwitch, 3, value);
    for (unsigned i = 0; i < 3; ++i)
      Choice::add(choice.body(i), "add", choice.x, static_cast<int>(i + 1) * 10);
    CHECK(choice.after_launches(1) == (value < 3 ? static_cast<int>(value + 1) * 10 : 0));
  }
}

TEST_CASE("nodes inside a conditional node can be changed in an instance") {
  Choice choice(cudaGraphCondTypeIf, 1, 1);
  const cudaGraphNode_t inside = Choice::add(choice.body(0), "add", choice.x, 1);
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, choice.graph, 0) == cudaSuccess);
  *choice.x = 0;
  CHECK(cudaGraphNodeSetEnabled(exec, inside, 0) == cudaSuccess);
  CHECK(cudaGraphLaunch(exec, nullptr) == cudaSuccess);
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(*choice.x == 0);
  CHECK(cudaGraphExecDestroy(exec) == cudaSuccess);
}

TEST_CASE("conditional nodes that make no sense are refused") {
  Choice choice(cudaGraphCondTypeIf, 1, 1);
  cudaGraphNode_t node = nullptr;
  const auto refused = [&](cudaGraphConditionalNodeType type, unsigned size,
                           cudaGraphConditionalHandle handle) {
    cudaGraphNodeParams params = choice.params;
    params.conditional.type = type;
    params.conditional.size = size;
    params.conditional.handle = handle;
    return cudaGraphAddNode(&node, choice.graph, nullptr, nullptr, 0, &params) ==
           cudaErrorInvalidValue;
  };
  CHECK(refused(cudaGraphCondTypeIf, 1, choice.handle));
  CHECK(refused(cudaGraphCondTypeIf, 1, 12345));
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, choice.graph, 0, 0) == cudaSuccess);
  CHECK(refused(cudaGraphCondTypeIf, 3, handle));
  CHECK(refused(cudaGraphCondTypeWhile, 2, handle));
  CHECK(refused(cudaGraphCondTypeSwitch, 0, handle));
  CHECK_FALSE(refused(cudaGraphCondTypeSwitch, 1, handle));
  CHECK(cudaGraphConditionalHandleCreate(&handle, choice.graph, 0, 8) == cudaErrorInvalidValue);
  cudaGetLastError();
}

}  // namespace
}  // namespace warpwise::cudart
