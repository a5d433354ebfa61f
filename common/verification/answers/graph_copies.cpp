// Nodes of graphs that copy, and what may be changed of them before and after instantiation.
#include "answers.h"

using namespace answers;

namespace {

cudaMemcpy3DParms rows(void* to, const void* from, std::size_t width, std::size_t height,
                       cudaMemcpyKind kind) {
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), 64, 64, height);
  p.dstPtr = make_cudaPitchedPtr(to, 64, 64, height);
  p.extent = make_cudaExtent(width, height, 1);
  p.kind = kind;
  return p;
}

}  // namespace

SUBJECT(graph_copies) {
  static int host[64];
  char *d = nullptr, *e = nullptr;
  cudaMalloc(&d, 1024);
  cudaMalloc(&e, 1024);
  cudaGraph_t graph = nullptr, child = nullptr;
  cudaGraphNode_t copy = nullptr, in = nullptr, out = nullptr, line = nullptr, refused = nullptr;
  cudaGraphNode_t record = nullptr, wait = nullptr, nested = nullptr, called = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&child, 0);
  const auto to_host = cudaMemcpyDeviceToHost, to_device = cudaMemcpyHostToDevice;
  about("copies of rows");
  auto p = rows(e, d, 64, 4, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &p));
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, nullptr));
  ASK(cudaGraphAddMemcpyNode(nullptr, graph, nullptr, 0, &p));
  ASK(cudaGraphAddMemcpyNode(&refused, nullptr, nullptr, 0, &p));
  p = rows(e, d, 65, 4, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(e, d, 64, 4, to_host);
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(nullptr, d, 64, 4, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(e, d, 64, 4, static_cast<cudaMemcpyKind>(9));
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(e, d, 64, 40, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(e, d, 0, 4, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphAddMemcpyNode(&refused, graph, nullptr, 0, &p));
  p = rows(e, d, 32, 4, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphMemcpyNodeSetParams(copy, &p));
  ASK(cudaGraphMemcpyNodeSetParams(copy, nullptr));
  ASK(cudaGraphMemcpyNodeSetParams(nullptr, &p));
  cudaMemcpy3DParms found = {};
  ASK(cudaGraphMemcpyNodeGetParams(copy, &found));
  SHOW(static_cast<int>(found.extent.width));
  SHOW(static_cast<int>(found.kind));
  about("copies of symbols");
  ASK(cudaGraphAddMemcpyNodeToSymbol(&in, graph, nullptr, 0, table, host, 8, 0, to_device));
  ASK(cudaGraphAddMemcpyNodeFromSymbol(&out, graph, nullptr, 0, host, table, 8, 8, to_host));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&refused, graph, nullptr, 0, table, host, 68, 0, to_device));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&refused, graph, nullptr, 0, table, host, 8, 60, to_device));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&refused, graph, nullptr, 0, host, host, 8, 0, to_device));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&refused, graph, nullptr, 0, table, host, 8, 0, to_host));
  ASK(cudaGraphAddMemcpyNodeToSymbol(&refused, graph, nullptr, 0, table, nullptr, 8, 0, to_device));
  ASK(cudaGraphAddMemcpyNodeFromSymbol(&refused, graph, nullptr, 0, host, table, 8, 0, to_device));
  ASK(cudaGraphAddMemcpyNodeFromSymbol(&refused, graph, nullptr, 0, host, nullptr, 8, 0, to_host));
  ASK(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, host, 16, 4, to_device));
  ASK(cudaGraphMemcpyNodeSetParamsToSymbol(in, table, host, 99, 4, to_device));
  ASK(cudaGraphMemcpyNodeSetParamsFromSymbol(out, host, counter, 4, 0, to_host));
  ASK(cudaGraphMemcpyNodeSetParamsFromSymbol(in, host, counter, 4, 0, to_host));
  about("copies in a line");
  ASK(cudaGraphAddMemcpyNode1D(&line, graph, nullptr, 0, d, host, 64, to_device));
  ASK(cudaGraphAddMemcpyNode1D(&refused, graph, nullptr, 0, d, host, 0, to_device));
  ASK(cudaGraphAddMemcpyNode1D(&refused, graph, nullptr, 0, d, e, 64, to_device));
  ASK(cudaGraphAddMemcpyNode1D(&refused, graph, nullptr, 0, d, e, 2000000, cudaMemcpyDefault));
  ASK(cudaGraphMemcpyNodeSetParams1D(line, e, host, 64, to_device));
  ASK(cudaGraphMemcpyNodeSetParams1D(copy, e, host, 64, to_device));
  about("events and children");
  cudaEvent_t event = nullptr, plain = nullptr, asked = nullptr;
  cudaEventCreate(&event);
  cudaEventCreateWithFlags(&plain, cudaEventDisableTiming);
  ASK(cudaGraphAddEventRecordNode(&record, graph, nullptr, 0, event));
  ASK(cudaGraphAddEventRecordNode(&refused, graph, nullptr, 0, nullptr));
  ASK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, plain));
  ASK(cudaGraphEventWaitNodeSetEvent(wait, event));
  ASK(cudaGraphEventWaitNodeSetEvent(record, event));
  ASK(cudaGraphEventWaitNodeSetEvent(wait, nullptr));
  ASK(cudaGraphEventWaitNodeGetEvent(wait, &asked));
  SHOW(asked == event);
  ASK(cudaGraphAddEmptyNode(&refused, child, nullptr, 0));
  ASK(cudaGraphAddChildGraphNode(&nested, graph, nullptr, 0, child));
  ASK(cudaGraphAddChildGraphNode(&refused, graph, nullptr, 0, nullptr));
  cudaHostNodeParams host_work = {[](void*) {}, nullptr};
  ASK(cudaGraphAddHostNode(&called, graph, nullptr, 0, &host_work));
  host_work.fn = nullptr;
  ASK(cudaGraphAddHostNode(&refused, graph, nullptr, 0, &host_work));
  ASK(cudaGraphHostNodeSetParams(called, &host_work));
  about("once it is instantiated");
  cudaGraphExec_t exec = nullptr;
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphExecMemcpyNodeSetParams(exec, copy, &p));
  p = rows(e, d, 32, 3, cudaMemcpyDeviceToDevice);
  ASK(cudaGraphExecMemcpyNodeSetParams(exec, copy, &p));
  p = rows(host, d, 32, 3, to_host);
  ASK(cudaGraphExecMemcpyNodeSetParams(exec, copy, &p));
  ASK(cudaGraphExecMemcpyNodeSetParams(exec, record, &p));
  ASK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, table, host, 16, 0, to_device));
  ASK(cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, in, table, host, 99, 0, to_device));
  ASK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, host, counter, 4, 0, to_host));
  ASK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, out, host, table, 4, 0, to_host));
  ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, line, d, host, 64, to_device));
  ASK(cudaGraphExecMemcpyNodeSetParams1D(exec, line, host, d, 64, to_host));
  ASK(cudaGraphExecEventRecordNodeSetEvent(exec, record, plain));
  ASK(cudaGraphExecEventRecordNodeSetEvent(exec, wait, plain));
  ASK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, plain));
  ASK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, nullptr));
  ASK(cudaGraphExecChildGraphNodeSetParams(exec, nested, child));
  ASK(cudaGraphAddEmptyNode(&refused, child, nullptr, 0));
  ASK(cudaGraphExecChildGraphNodeSetParams(exec, nested, child));
  ASK(cudaGraphExecChildGraphNodeSetParams(exec, record, child));
  ASK(cudaGraphLaunch(exec, nullptr));
  ASK(cudaDeviceSynchronize());
  about("what uses what is gone");
  cudaEventDestroy(event);
  ASK(cudaGraphLaunch(exec, nullptr));
  ASK(cudaDeviceSynchronize());
  cudaFree(e);
  ASK(cudaGraphInstantiate(&exec, graph, 0));
  ASK(cudaGraphDestroyNode(copy));
  ASK(cudaGraphDestroyNode(nullptr));
  ASK(cudaGraphDestroy(child));
  ASK(cudaGraphDestroy(graph));
}
