// cudaStreamBeginCaptureToGraph, cudaStreamUpdateCaptureDependencies, external events, edges with
// data.
#include <cstdio>
#define CHECK(x)                                                                              \
  do {                                                                                        \
    cudaError_t e_ = (x);                                                                     \
    if (e_ != cudaSuccess) printf("line %d: %s -> %s\n", __LINE__, #x, cudaGetErrorName(e_)); \
  } while (0)
__global__ void mul_add(int* x, int m, int a) { *x = *x * m + a; }
__global__ void copy(int* to, const int* from) { *to = *from; }
int main() {
  int* x;
  CHECK(cudaMallocManaged(&x, 2 * sizeof(int)));
  cudaStream_t s, t;
  CHECK(cudaStreamCreate(&s));
  CHECK(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  cudaGraph_t g;
  CHECK(cudaGraphCreate(&g, 0));
  cudaGraphNode_t set;
  cudaMemsetParams m = {};
  m.dst = x;
  m.value = 0;
  m.elementSize = 1;
  m.width = 4;
  m.height = 1;
  CHECK(cudaGraphAddMemsetNode(&set, g, nullptr, 0, &m));
  CHECK(cudaStreamBeginCaptureToGraph(s, g, &set, nullptr, 1, cudaStreamCaptureModeGlobal));
  mul_add<<<1, 1, 0, s>>>(x, 2, 1);
  mul_add<<<1, 1, 0, s>>>(x, 10, 3);
  cudaGraph_t same = nullptr;
  CHECK(cudaStreamEndCapture(s, &same));
  printf("same graph %d\n", same == g);
  size_t nodes = 0, edges = 0;
  CHECK(cudaGraphGetNodes(g, nullptr, &nodes));
  CHECK(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges));
  printf("%zu nodes %zu edges\n", nodes, edges);
  cudaGraphExec_t e;
  CHECK(cudaGraphInstantiate(&e, g, 0));
  x[0] = 999;
  CHECK(cudaGraphLaunch(e, s));
  CHECK(cudaStreamSynchronize(s));
  printf("x %d\n", x[0]);
  // a node added by hand in the midst of a capture
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  mul_add<<<1, 1, 0, s>>>(x, 0, 5);
  cudaStreamCaptureStatus status;
  cudaGraph_t building;
  const cudaGraphNode_t* deps;
  const cudaGraphEdgeData* data = nullptr;
  size_t count = 0;
  CHECK(cudaStreamGetCaptureInfo(s, &status, nullptr, &building, &deps, &data, &count));
  printf("status %d, %zu dependencies, edge data %d\n", status, count, data != nullptr);
  int mul = 7, add = 2;
  void* args[] = {&x, &mul, &add};
  cudaKernelNodeParams kp = {};
  kp.func = (void*)mul_add;
  kp.gridDim = dim3(1);
  kp.blockDim = dim3(1);
  kp.kernelParams = args;
  cudaGraphNode_t by_hand;
  CHECK(cudaGraphAddKernelNode(&by_hand, building, deps, count, &kp));
  CHECK(cudaStreamUpdateCaptureDependencies(s, &by_hand, nullptr, 1,
                                            cudaStreamSetCaptureDependencies));
  int* y = x + 1;
  copy<<<1, 1, 0, s>>>(y, x);
  CHECK(cudaStreamUpdateCaptureDependencies(s, &by_hand, nullptr, 1,
                                            cudaStreamAddCaptureDependencies));
  CHECK(cudaStreamGetCaptureInfo(s, &status, nullptr, &building, &deps, nullptr, &count));
  printf("%zu dependencies\n", count);
  cudaGraph_t g2;
  CHECK(cudaStreamEndCapture(s, &g2));
  cudaGraphExec_t e2;
  CHECK(cudaGraphInstantiate(&e2, g2, 0));
  CHECK(cudaGraphLaunch(e2, t));
  CHECK(cudaStreamSynchronize(t));
  printf("x %d y %d\n", x[0], x[1]);
  // external record and wait while capturing
  cudaEvent_t outer, inner;
  CHECK(cudaEventCreateWithFlags(&outer, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&inner, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  CHECK(cudaStreamWaitEvent(s, outer, cudaEventWaitExternal));
  mul_add<<<1, 1, 0, s>>>(x, 3, 0);
  CHECK(cudaEventRecordWithFlags(inner, s, cudaEventRecordExternal));
  cudaGraph_t g3;
  CHECK(cudaStreamEndCapture(s, &g3));
  CHECK(cudaGraphGetNodes(g3, nullptr, &nodes));
  cudaGraphNode_t list[8];
  size_t room = 8;
  CHECK(cudaGraphGetNodes(g3, list, &room));
  for (size_t i = 0; i < nodes; ++i) {
    cudaGraphNodeType ty;
    CHECK(cudaGraphNodeGetType(list[i], &ty));
    printf("type %d\n", ty);
  }
  cudaGraphExec_t e3;
  CHECK(cudaGraphInstantiate(&e3, g3, 0));
  mul_add<<<1, 1, 0, t>>>(x, 0, 4);
  CHECK(cudaEventRecord(outer, t));
  CHECK(cudaGraphLaunch(e3, s));
  CHECK(cudaEventSynchronize(inner));
  CHECK(cudaStreamSynchronize(s));
  printf("x %d\n", x[0]);
  printf("%s\n", cudaGetErrorName(cudaStreamUpdateCaptureDependencies(
                     s, &by_hand, nullptr, 1, cudaStreamSetCaptureDependencies)));
  printf("%s\n", cudaGetErrorName(cudaStreamBeginCaptureToGraph(s, nullptr, nullptr, nullptr, 0,
                                                                cudaStreamCaptureModeGlobal)));
  printf("last %s\n", cudaGetErrorName(cudaGetLastError()));
  for (auto q : {e, e2, e3}) CHECK(cudaGraphExecDestroy(q));
  for (auto q : {g, g2, g3}) CHECK(cudaGraphDestroy(q));
}
