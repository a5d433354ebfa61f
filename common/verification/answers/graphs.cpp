// Graphs: nodes, edges, instantiation, launches, updates.
#include <vector>

#include "answers.h"

using namespace answers;

namespace {

int* device_ints() {
  static int* x = [] {
    void* fresh = nullptr;
    cudaMalloc(&fresh, 4096);
    return static_cast<int*>(fresh);
  }();
  return x;
}

struct Arguments {
  int* x = device_ints();
  int value, n = 64;
  void* pointers[3];
  explicit Arguments(int filled) : value(filled), pointers{&x, &value, &n} {}
};

cudaKernelNodeParams kernel(const void* function, void** arguments, unsigned threads = 64) {
  cudaKernelNodeParams result = {};
  result.func = const_cast<void*>(function);
  result.gridDim = 1;
  result.blockDim = threads;
  result.kernelParams = arguments;
  return result;
}

int first() {
  int value = 0;
  cudaMemcpy(&value, device_ints(), 4, cudaMemcpyDeviceToHost);
  return value;
}

int type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type = cudaGraphNodeTypeCount;
  const cudaError_t error = cudaGraphNodeGetType(node, &type);
  return error == cudaSuccess ? static_cast<int>(type) : -static_cast<int>(error);
}

}  // namespace

SUBJECT(graph_nodes) {
  cudaGraph_t graph = nullptr, child = nullptr, inner = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, c = nullptr, d = nullptr, e = nullptr, h = nullptr;
  Arguments arguments(7);
  ASK(cudaGraphCreate(&graph, 0));
  ASK(cudaGraphCreate(nullptr, 0));
  ASK(cudaGraphCreate(&child, 1));
  auto params = kernel(fill, arguments.pointers);
  ASK(cudaGraphAddKernelNode(&a, graph, nullptr, 0, &params));
  ASK(cudaGraphAddKernelNode(nullptr, graph, nullptr, 0, &params));
  ASK(cudaGraphAddKernelNode(&b, nullptr, nullptr, 0, &params));
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 1, &params));
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, nullptr));
  auto wrong = kernel(nullptr, arguments.pointers);
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &wrong));
  wrong = kernel(fill, arguments.pointers, 2000);
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &wrong));
  wrong = kernel(fill, arguments.pointers, 0);
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &wrong));
  wrong = kernel(fill, nullptr);
  ASK(cudaGraphAddKernelNode(&b, graph, nullptr, 0, &wrong));
  cudaMemsetParams fill_params = {};
  fill_params.dst = device_ints() + 100;
  fill_params.value = 0x01020304;
  fill_params.elementSize = 4;
  fill_params.width = 10;
  fill_params.height = 1;
  ASK(cudaGraphAddMemsetNode(&b, graph, &a, 1, &fill_params));
  fill_params.elementSize = 3;
  ASK(cudaGraphAddMemsetNode(&c, graph, &a, 1, &fill_params));
  fill_params.elementSize = 4;
  fill_params.dst = nullptr;
  ASK(cudaGraphAddMemsetNode(&c, graph, &a, 1, &fill_params));
  int host = 0;
  ASK(cudaGraphAddMemcpyNode1D(&c, graph, &b, 1, &host, device_ints() + 100, 4,
                               cudaMemcpyDeviceToHost));
  ASK(cudaGraphAddMemcpyNode1D(&d, graph, &b, 1, nullptr, device_ints(), 4,
                               cudaMemcpyDeviceToHost));
  ASK(cudaGraphAddMemcpyNode1D(&d, graph, &b, 1, &host, device_ints(), 4,
                               static_cast<cudaMemcpyKind>(9)));
  static int called = 0;
  cudaHostNodeParams host_params = {[](void* data) { *static_cast<int*>(data) += 1; }, &called};
  ASK(cudaGraphAddHostNode(&h, graph, &c, 1, &host_params));
  host_params.fn = nullptr;
  ASK(cudaGraphAddHostNode(&d, graph, &c, 1, &host_params));
  ASK(cudaGraphAddEmptyNode(&d, graph, nullptr, 0));
  ASK(cudaGraphCreate(&child, 0));
  ASK(cudaGraphAddEmptyNode(&e, child, nullptr, 0));
  ASK(cudaGraphAddChildGraphNode(&e, graph, &d, 1, child));
  ASK(cudaGraphChildGraphNodeGetGraph(e, &inner));
  SHOW(inner == child);
  ASK(cudaGraphChildGraphNodeGetGraph(a, &inner));
  ASK(cudaGraphAddChildGraphNode(&e, graph, &d, 1, nullptr));
  cudaEvent_t event = nullptr, back = nullptr;
  cudaEventCreate(&event);
  cudaGraphNode_t record = nullptr, wait = nullptr;
  ASK(cudaGraphAddEventRecordNode(&record, graph, &a, 1, event));
  ASK(cudaGraphAddEventWaitNode(&wait, graph, nullptr, 0, event));
  ASK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, nullptr));
  ASK(cudaGraphEventRecordNodeGetEvent(record, &back));
  SHOW(back == event);
  ASK(cudaGraphEventRecordNodeSetEvent(record, event));
  ASK(cudaGraphEventWaitNodeGetEvent(wait, &back));
  ASK(cudaGraphEventWaitNodeGetEvent(record, &back));
  SHOW(type_of(a));
  SHOW(type_of(b));
  SHOW(type_of(c));
  SHOW(type_of(d));
  SHOW(type_of(e));
  SHOW(type_of(h));
  SHOW(type_of(record));
  SHOW(type_of(wait));
  ASK(cudaGraphNodeGetType(nullptr, nullptr));
  ASK(cudaGraphNodeGetType(a, nullptr));
  about("edges");
  std::size_t nodes = 0, edges = 0, roots = 0;
  ASK(cudaGraphGetNodes(graph, nullptr, &nodes));
  SHOW(nodes);
  ASK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  SHOW(roots);
  ASK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  SHOW(edges);
  ASK(cudaGraphAddDependencies(graph, &c, &d, nullptr, 1));
  ASK(cudaGraphAddDependencies(graph, &c, &d, nullptr, 1));
  ASK(cudaGraphAddDependencies(graph, &d, &d, nullptr, 1));
  ASK(cudaGraphAddDependencies(graph, &d, &a, nullptr, 1));
  ASK(cudaGraphAddDependencies(graph, nullptr, nullptr, nullptr, 0));
  ASK(cudaGraphAddDependencies(graph, nullptr, &a, nullptr, 1));
  ASK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  SHOW(edges);
  std::vector<cudaGraphNode_t> list(20);
  std::size_t count = 20;
  ASK(cudaGraphNodeGetDependencies(d, list.data(), nullptr, &count));
  SHOW(count);
  SHOW(list[0] == c);
  SHOW(list[1]);
  count = 20;
  ASK(cudaGraphNodeGetDependentNodes(a, list.data(), nullptr, &count));
  SHOW(count);
  SHOW(list[0] == b);
  SHOW(list[1] == record);
  count = 2;
  ASK(cudaGraphGetNodes(graph, list.data(), &count));
  SHOW(count);
  SHOW(list[0] == a);
  SHOW(list[1] == b);
  count = 20;
  list.assign(20, a);
  ASK(cudaGraphGetNodes(graph, list.data(), &count));
  SHOW(count);
  SHOW(list[count]);
  ASK(cudaGraphGetNodes(graph, list.data(), nullptr));
  ASK(cudaGraphGetNodes(nullptr, nullptr, &count));
  ASK(cudaGraphRemoveDependencies(graph, &d, &a, nullptr, 1));
  ASK(cudaGraphRemoveDependencies(graph, &d, &a, nullptr, 1));
  cudaGraphExec_t exec = nullptr;
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphAddDependencies(graph, &h, &a, nullptr, 1));
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphRemoveDependencies(graph, &h, &a, nullptr, 1));
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphLaunch(exec, nullptr));
  ASK(cudaDeviceSynchronize());
  SHOW(host);
  SHOW(called);
  SHOW(first());
  about("parameters");
  cudaKernelNodeParams found = {};
  ASK(cudaGraphKernelNodeGetParams(a, &found));
  SHOW(found.func == fill);
  SHOW(found.blockDim.x);
  SHOW(*static_cast<int*>(found.kernelParams[1]));
  ASK(cudaGraphKernelNodeGetParams(b, &found));
  Arguments nine(9);
  params = kernel(fill, nine.pointers);
  ASK(cudaGraphKernelNodeSetParams(a, &params));
  ASK(cudaGraphLaunch(exec, nullptr));
  SHOW(first());
  ASK(cudaGraphExecKernelNodeSetParams(exec, a, &params));
  ASK(cudaGraphLaunch(exec, nullptr));
  SHOW(first());
  ASK(cudaGraphExecKernelNodeSetParams(exec, b, &params));
  params = kernel(nothing, nullptr);
  ASK(cudaGraphExecKernelNodeSetParams(exec, a, &params));
  params = kernel(fill, nine.pointers, 2000);
  ASK(cudaGraphExecKernelNodeSetParams(exec, a, &params));
  cudaMemsetParams fill_found = {};
  ASK(cudaGraphMemsetNodeGetParams(b, &fill_found));
  SHOW(fill_found.value);
  SHOW(fill_found.elementSize);
  SHOW(fill_found.pitch);
  fill_found.value = 5;
  ASK(cudaGraphMemsetNodeSetParams(b, &fill_found));
  ASK(cudaGraphExecMemsetNodeSetParams(exec, b, &fill_found));
  ASK(cudaGraphExecMemsetNodeSetParams(exec, a, &fill_found));
  cudaMemcpy3DParms copy_found = {};
  ASK(cudaGraphMemcpyNodeGetParams(c, &copy_found));
  SHOW(copy_found.extent.width);
  SHOW(copy_found.extent.height);
  SHOW(copy_found.extent.depth);
  SHOW(static_cast<int>(copy_found.kind));
  ASK(cudaGraphMemcpyNodeSetParams1D(c, &host, device_ints() + 101, 4, cudaMemcpyDeviceToHost));
  ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, c, &host, device_ints() + 101, 4,
                                         cudaMemcpyDeviceToHost));
  ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, c, device_ints(), device_ints() + 101, 4,
                                         cudaMemcpyDeviceToDevice));
  ASK(cudaGraphLaunch(exec, nullptr));
  ASK(cudaDeviceSynchronize());
  SHOW(host);
  cudaHostNodeParams host_found = {};
  ASK(cudaGraphHostNodeGetParams(h, &host_found));
  SHOW(host_found.userData == &called);
  ASK(cudaGraphHostNodeSetParams(h, &host_found));
  ASK(cudaGraphExecHostNodeSetParams(exec, h, &host_found));
  unsigned enabled = 9;
  ASK(cudaGraphNodeGetEnabled(exec, a, &enabled));
  SHOW(enabled);
  ASK(cudaGraphNodeSetEnabled(exec, a, 0));
  ASK(cudaGraphNodeGetEnabled(exec, a, &enabled));
  SHOW(enabled);
  ASK(cudaGraphNodeSetEnabled(exec, h, 0));
  cudaMemset(device_ints(), 0, 4);
  ASK(cudaGraphLaunch(exec, nullptr));
  SHOW(first());
  cudaLaunchAttributeValue value = {};
  ASK(cudaGraphKernelNodeGetAttribute(a, cudaLaunchAttributeCooperative, &value));
  SHOW(value.cooperative);
  ASK(cudaGraphKernelNodeGetAttribute(a, cudaLaunchAttributePriority, &value));
  value.priority = -1;
  ASK(cudaGraphKernelNodeSetAttribute(a, cudaLaunchAttributePriority, &value));
  ASK(cudaGraphKernelNodeSetAttribute(b, cudaLaunchAttributePriority, &value));
  about("the end");
  ASK(cudaGraphDestroyNode(h));
  ASK(cudaGraphGetNodes(graph, nullptr, &nodes));
  SHOW(nodes);
  ASK(cudaGraphDestroyNode(nullptr));
  ASK(cudaGraphExecDestroy(exec));
  ASK(cudaGraphDestroy(graph));
  ASK(cudaGraphDestroy(nullptr));
  ASK(cudaGraphExecDestroy(nullptr));
}

SUBJECT(graph_exec) {
  cudaGraph_t graph = nullptr, clone = nullptr;
  cudaGraphNode_t a = nullptr, b = nullptr, found = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  Arguments seven(7), eight(8);
  cudaGraphCreate(&graph, 0);
  auto params = kernel(fill, seven.pointers);
  cudaGraphAddKernelNode(&a, graph, nullptr, 0, &params);
  void* add_arguments[] = {&seven.x, &seven.n};
  auto add = kernel(add_one, add_arguments);
  cudaGraphAddKernelNode(&b, graph, &a, 1, &add);
  ASK(cudaGraphClone(&clone, graph));
  ASK(cudaGraphClone(nullptr, graph));
  ASK(cudaGraphClone(&clone, nullptr));
  ASK(cudaGraphClone(&clone, graph));
  ASK(cudaGraphNodeFindInClone(&found, a, clone));
  SHOW(found == a ? "the same" : "another");
  ASK(cudaGraphNodeFindInClone(&found, a, graph));
  ASK(cudaGraphInstantiate(nullptr, graph, 0));
  ASK(cudaGraphInstantiate(&exec, nullptr, 0));
  ASK(cudaGraphInstantiate(&exec, graph, 1024));
  ASK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  unsigned long long flags = 99;
  ASK(cudaGraphExecGetFlags(exec, &flags));
  SHOW(static_cast<long long>(flags));
  ASK(cudaGraphExecDestroy(exec));
  cudaGraphInstantiateParams with = {};
  with.uploadStream = stream;
  with.flags = cudaGraphInstantiateFlagUpload;
  ASK(cudaGraphInstantiateWithParams(&exec, graph, &with));
  SHOW(static_cast<int>(with.result_out));
  ASK(cudaGraphExecDestroy(exec));
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphUpload(exec, stream));
  ASK(cudaGraphUpload(nullptr, stream));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaStreamSynchronize(stream));
  SHOW(first());
  ASK(cudaGraphLaunch(nullptr, stream));
  about("update");
  cudaGraphExecUpdateResultInfo info = {};
  params = kernel(fill, eight.pointers);
  cudaGraphNodeFindInClone(&found, a, clone);
  ASK(cudaGraphKernelNodeSetParams(found, &params));
  ASK(cudaGraphExecUpdate(exec, clone, &info));
  SHOW(static_cast<int>(info.result));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaStreamSynchronize(stream));
  SHOW(first());
  ASK(cudaGraphAddEmptyNode(&found, clone, nullptr, 0));
  ASK(cudaGraphExecUpdate(exec, clone, &info));
  SHOW(static_cast<int>(info.result));
  SHOW(info.errorNode);
  ASK(cudaGraphDestroyNode(found));
  cudaGraphNodeFindInClone(&found, b, clone);
  ASK(cudaGraphRemoveDependencies(clone, nullptr, nullptr, nullptr, 0));
  auto none = kernel(nothing, nullptr);
  ASK(cudaGraphKernelNodeSetParams(found, &none));
  ASK(cudaGraphExecUpdate(exec, clone, &info));
  SHOW(static_cast<int>(info.result));
  cudaGraph_t other = nullptr;
  cudaGraphCreate(&other, 0);
  cudaGraphNode_t p = nullptr, q = nullptr;
  cudaGraphAddEmptyNode(&p, other, nullptr, 0);
  cudaGraphAddEmptyNode(&q, other, &p, 1);
  ASK(cudaGraphExecUpdate(exec, other, &info));
  SHOW(static_cast<int>(info.result));
  SHOW(info.errorNode == p);
  ASK(cudaGraphExecUpdate(exec, clone, nullptr));
  about("memory");
  cudaGraph_t memory = nullptr;
  cudaGraphCreate(&memory, 0);
  cudaMemAllocNodeParams alloc = {};
  alloc.poolProps.allocType = cudaMemAllocationTypePinned;
  alloc.poolProps.location = {cudaMemLocationTypeDevice, 0};
  alloc.bytesize = 256;
  cudaGraphNode_t take = nullptr, give = nullptr, use = nullptr;
  ASK(cudaGraphAddMemAllocNode(&take, memory, nullptr, 0, &alloc));
  SHOW(alloc.dptr);
  cudaMemsetParams clear = {};
  clear.dst = alloc.dptr;
  clear.elementSize = 1;
  clear.width = 256;
  clear.height = 1;
  ASK(cudaGraphAddMemsetNode(&use, memory, &take, 1, &clear));
  ASK(cudaGraphAddMemFreeNode(&give, memory, &use, 1, alloc.dptr));
  ASK(cudaGraphAddMemFreeNode(&give, memory, &use, 1, alloc.dptr));
  ASK(cudaGraphAddMemFreeNode(&give, memory, &use, 1, nullptr));
  void* freed = nullptr;
  ASK(cudaGraphMemFreeNodeGetParams(give, &freed));
  ASK(cudaGraphMemAllocNodeGetParams(take, &alloc));
  SHOW(alloc.bytesize);
  ASK(cudaGraphInstantiate(&exec, memory, 0));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaStreamSynchronize(stream));
  ASK(cudaGraphClone(&clone, memory));
  about("generic nodes");
  cudaGraphNodeParams node = {};
  node.type = cudaGraphNodeTypeKernel;
  node.kernel.func = const_cast<void*>(fill);
  node.kernel.gridDim = 1;
  node.kernel.blockDim = 32;
  node.kernel.kernelParams = seven.pointers;
  ASK(cudaGraphAddNode(&p, other, nullptr, nullptr, 0, &node));
  node.kernel.blockDim = 64;
  ASK(cudaGraphNodeSetParams(p, &node));
  ASK(cudaGraphInstantiate(&exec, other, 0));
  node.kernel.kernelParams = eight.pointers;
  ASK(cudaGraphExecNodeSetParams(exec, p, &node));
  ASK(cudaGraphLaunch(exec, stream));
  ASK(cudaStreamSynchronize(stream));
  SHOW(first());
  node = {};
  node.type = cudaGraphNodeTypeEmpty;
  ASK(cudaGraphAddNode(&q, other, &p, nullptr, 1, &node));
  ASK(cudaGraphNodeSetParams(p, &node));
  node.type = cudaGraphNodeTypeCount;
  ASK(cudaGraphAddNode(&q, other, &p, nullptr, 1, &node));
  ASK(cudaGraphAddNode(&q, other, &p, nullptr, 1, nullptr));
  about("user objects");
  static int destroyed = 0;
  cudaUserObject_t object = nullptr;
  ASK(cudaUserObjectCreate(
      &object, &destroyed, [](void* data) { ++*static_cast<int*>(data); }, 1,
      cudaUserObjectNoDestructorSync));
  ASK(cudaUserObjectRetain(object, 1));
  ASK(cudaGraphRetainUserObject(other, object, 1, cudaGraphUserObjectMove));
  ASK(cudaUserObjectRelease(object, 1));
  SHOW(destroyed);
  ASK(cudaUserObjectCreate(
      nullptr, &destroyed, [](void*) {}, 1, 1));
  ASK(cudaUserObjectCreate(&object, &destroyed, nullptr, 1, 1));
  ASK(cudaUserObjectCreate(
      &object, &destroyed, [](void*) {}, 0, 1));
  ASK(cudaUserObjectCreate(
      &object, &destroyed, [](void*) {}, 1, 0));
  ASK(cudaUserObjectRetain(nullptr, 1));
  ASK(cudaGraphDebugDotPrint(graph, "/no/such/folder/x.dot", 0));
  ASK(cudaGraphDebugDotPrint(graph, nullptr, 0));
  ASK(cudaGraphDebugDotPrint(graph, "/dev/null", 0));
}
