#include "simulator/cudart/graphs/conditional.h"

#include <cuda_runtime_api.h>
#include <doctest/doctest.h>

#include <utility>

#include "simulator/cudart/tests/fake_module.h"

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

TEST_CASE("a while goes on until a kernel makes its value 0, and each launch starts over") {
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

/// A conditional node more: in that graph, decided by that handle.
cudaError_t add_if(cudaGraph_t to, cudaGraphConditionalHandle handle, cudaGraphNodeParams& params) {
  cudaGraphNode_t node = nullptr;
  params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeIf;
  params.conditional.size = 1;
  return cudaGraphAddNode(&node, to, nullptr, nullptr, 0, &params);
}

cudaGraphConditionalHandle handle_for(cudaGraph_t graph) {
  cudaGraphConditionalHandle handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) ==
        cudaSuccess);
  return handle;
}

// An H100 refuses the same calls with the same codes.
TEST_CASE("a handle can decide a node anywhere in the outermost graph, and one node only") {
  Choice outer(cudaGraphCondTypeIf, 1, 1);
  const cudaGraphConditionalHandle of_graph = handle_for(outer.graph),
                                   of_body = handle_for(outer.body(0));
  cudaGraphNodeParams inside = {}, beside = {};
  CHECK(add_if(outer.body(0), of_graph, inside) == cudaSuccess);
  CHECK(add_if(outer.graph, of_body, beside) == cudaSuccess);
  CHECK(add_if(outer.graph, of_graph, beside) == cudaErrorInvalidValue);
  Choice::add(inside.conditional.phGraph_out[0], "add", outer.x, 1);
  CHECK(outer.after_launches(2) == 2);
  cudaGraph_t stranger = nullptr;
  CHECK(cudaGraphCreate(&stranger, 0) == cudaSuccess);
  CHECK(add_if(stranger, handle_for(outer.graph), inside) == cudaErrorInvalidValue);
  CHECK(cudaGraphDestroy(stranger) == cudaSuccess);
}

TEST_CASE("a graph with a conditional node has one instance, and is inside no other graph") {
  Choice choice(cudaGraphCondTypeIf, 1, 1);
  cudaGraphExec_t first = nullptr, second = nullptr;
  CHECK(cudaGraphInstantiate(&first, choice.graph, 0) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&second, choice.graph, 0) == cudaErrorNotSupported);
  CHECK(cudaGraphInstantiate(&second, choice.body(0), 0) == cudaErrorNotSupported);
  unsigned enabled = 7;
  CHECK(cudaGraphNodeGetEnabled(first, choice.node, &enabled) == cudaErrorInvalidValue);
  CHECK(cudaGraphExecDestroy(first) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&first, choice.graph, 0) == cudaSuccess);
  CHECK(cudaGraphExecDestroy(first) == cudaSuccess);
  cudaGraph_t other = nullptr, bare = nullptr, clone = nullptr;
  cudaGraphNode_t child = nullptr;
  CHECK(cudaGraphCreate(&other, 0) == cudaSuccess);
  CHECK(cudaGraphCreate(&bare, 0) == cudaSuccess);
  handle_for(bare);
  for (cudaGraph_t inside : {choice.graph, bare})
    CHECK(cudaGraphAddChildGraphNode(&child, other, nullptr, 0, inside) == cudaErrorNotSupported);
  CHECK(cudaGraphClone(&clone, choice.body(0)) == cudaErrorNotSupported);
  CHECK(cudaGraphDestroy(other) == cudaSuccess);
  CHECK(cudaGraphDestroy(bare) == cudaSuccess);
}

cudaError_t add_plain_copy(cudaGraphNode_t* node, cudaGraph_t to, int* target, const int* source) {
  return cudaGraphAddMemcpyNode1D(node, to, nullptr, 0, target, source, 4, cudaMemcpyDefault);
}

TEST_CASE("an instance says what a conditional node's graph must not hold") {
  using Add = cudaError_t (*)(cudaGraphNode_t*, cudaGraph_t, int*);
  const std::pair<Add, cudaGraphInstantiateResult> cases[] = {
      {[](cudaGraphNode_t* node, cudaGraph_t body, int*) {
         const cudaHostNodeParams host = {[](void*) {}, nullptr};
         return cudaGraphAddHostNode(node, body, nullptr, 0, &host);
       },
       cudaGraphInstantiateNodeOperationNotSupported},
      {[](cudaGraphNode_t* node, cudaGraph_t body, int*) {
         static cudaEvent_t event = nullptr;
         cudaEventCreate(&event);
         return cudaGraphAddEventRecordNode(node, body, nullptr, 0, event);
       },
       cudaGraphInstantiateNodeOperationNotSupported},
      {[](cudaGraphNode_t* node, cudaGraph_t body, int* x) {
         static int pageable = 0;
         return add_plain_copy(node, body, &pageable, x);
       },
       cudaGraphInstantiateMultipleDevicesNotSupported},
      {[](cudaGraphNode_t* node, cudaGraph_t body, int* x) {
         return add_plain_copy(node, body, x, x + 1);
       },
       cudaGraphInstantiateSuccess},
  };
  int* x = nullptr;
  CHECK(cudaMalloc(reinterpret_cast<void**>(&x), 8) == cudaSuccess);
  for (const auto& [add, result] : cases) {
    Choice choice(cudaGraphCondTypeIf, 1, 1);
    cudaGraphNode_t node = nullptr;
    CHECK(add(&node, choice.body(0), x) == cudaSuccess);
    cudaGraphInstantiateParams params = {};
    cudaGraphExec_t exec = nullptr;
    const bool works = result == cudaGraphInstantiateSuccess;
    CHECK(cudaGraphInstantiateWithParams(&exec, choice.graph, &params) ==
          (works ? cudaSuccess : cudaErrorInvalidValue));
    CHECK(params.result_out == result);
    CHECK(params.errNode_out == (works ? nullptr : node));
    cudaGraphExecDestroy(exec);
  }
  CHECK(cudaFree(x) == cudaSuccess);
}

TEST_CASE("a conditional node that is destroyed leaves its handle, which is in an instance's way") {
  Choice choice(cudaGraphCondTypeIf, 1, 1);
  cudaGraphNodeParams more = {};
  CHECK(add_if(choice.graph, handle_for(choice.graph), more) == cudaSuccess);
  CHECK(cudaGraphDestroyNode(choice.node) == cudaSuccess);
  cudaGraphInstantiateParams params = {};
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiateWithParams(&exec, choice.graph, &params) == cudaErrorInvalidValue);
  CHECK(params.result_out == cudaGraphInstantiateConditionalHandleUnused);
  CHECK(add_if(choice.graph, choice.handle, more) == cudaSuccess);
  CHECK(cudaGraphInstantiate(&exec, choice.graph, 0) == cudaSuccess);
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
