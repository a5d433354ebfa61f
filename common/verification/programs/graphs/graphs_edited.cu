// A graph captured with a fork, its nodes read, changed, disabled and updated, its clone, child
// graphs, host nodes, and what cannot be done.
#include <cstdio>
__global__ void add(int* p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] += v;
}
__global__ void mul(int* p, int n, int v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] *= v;
}
static void host(void* p) { ++*(int*)p; }
#define C(x)                                              \
  do {                                                    \
    cudaError_t e_ = (x);                                 \
    if (e_) printf("%s: %s\n", #x, cudaGetErrorName(e_)); \
  } while (0)
int main() {
  const int n = 300;
  int *a, *b, *h, calls = 0;
  C(cudaMalloc(&a, n * 4));
  C(cudaMalloc(&b, n * 4));
  C(cudaMallocHost(&h, n * 4));
  cudaStream_t s, t;
  C(cudaStreamCreate(&s));
  C(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
  cudaEvent_t fork, join;
  C(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  C(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  cudaGraph_t g;
  C(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
  C(cudaMemsetAsync(a, 0, n * 4, s));
  C(cudaEventRecord(fork, s));
  C(cudaStreamWaitEvent(t, fork, 0));
  add<<<2, 160, 0, s>>>(a, n, 3);
  C(cudaMemsetAsync(b, 1, n * 4, t));
  mul<<<3, 128, 0, t>>>(b, n, 2);
  cudaStreamCaptureStatus st;
  unsigned long long id;
  C(cudaStreamGetCaptureInfo(t, &st, &id));
  printf("capturing %d\n", st);
  printf("query in capture %s\n", cudaGetErrorName(cudaStreamIsCapturing(s, &st)));
  C(cudaEventRecord(join, t));
  C(cudaStreamWaitEvent(s, join, 0));
  C(cudaLaunchHostFunc(s, host, &calls));
  mul<<<2, 160, 0, s>>>(a, n, 5);
  C(cudaMemcpyAsync(h, a, n * 4, cudaMemcpyDeviceToHost, s));
  C(cudaStreamEndCapture(s, &g));
  size_t count = 0, edges = 0;
  C(cudaGraphGetNodes(g, nullptr, &count));
  C(cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges));
  printf("nodes %zu edges %zu\n", count, edges);
  cudaGraphNode_t nodes[16];
  C(cudaGraphGetNodes(g, nodes, &count));
  int kinds[20] = {};
  cudaGraphNode_t first_kernel = nullptr, host_node = nullptr;
  for (size_t i = 0; i < count; ++i) {
    cudaGraphNodeType ty;
    C(cudaGraphNodeGetType(nodes[i], &ty));
    ++kinds[ty];
    if (ty == cudaGraphNodeTypeHost) host_node = nodes[i];
    if (ty == cudaGraphNodeTypeKernel) {
      cudaKernelNodeParams kp;
      C(cudaGraphKernelNodeGetParams(nodes[i], &kp));
      printf("func %d ", kp.func == (void*)add);
      if (*(int*)kp.kernelParams[2] == 3) first_kernel = nodes[i];
    }
  }
  for (int i = 0; i < 8; ++i) printf("%d ", kinds[i]);
  printf("\n");
  cudaGraphExec_t x;
  C(cudaGraphInstantiate(&x, g, 0));
  for (int i = 0; i < 3; ++i) C(cudaGraphLaunch(x, s));
  C(cudaStreamSynchronize(s));
  printf("%d %d calls %d\n", h[0], h[n - 1], calls);
  int v = 11, nn = n;
  void* args[] = {&a, &nn, &v};
  cudaKernelNodeParams kp = {};
  kp.func = (void*)add;
  kp.gridDim = 5;
  kp.blockDim = 64;
  kp.kernelParams = args;
  C(cudaGraphExecKernelNodeSetParams(x, first_kernel, &kp));
  C(cudaGraphLaunch(x, s));
  C(cudaStreamSynchronize(s));
  printf("%d %d calls %d\n", h[0], h[n - 1], calls);
  C(cudaGraphNodeSetEnabled(x, first_kernel, 0));
  unsigned en = 9;
  C(cudaGraphNodeGetEnabled(x, first_kernel, &en));
  C(cudaGraphLaunch(x, s));
  C(cudaStreamSynchronize(s));
  printf("enabled %u: %d\n", en, h[0]);
  C(cudaGraphNodeSetEnabled(x, first_kernel, 1));
  cudaGraph_t clone, outer;
  C(cudaGraphClone(&clone, g));
  cudaGraphNode_t found;
  C(cudaGraphNodeFindInClone(&found, first_kernel, clone));
  v = 100;
  C(cudaGraphKernelNodeSetParams(found, &kp));
  cudaGraphExecUpdateResultInfo info;
  cudaError_t u = cudaGraphExecUpdate(x, clone, &info);
  printf("update %s %d\n", cudaGetErrorName(u), info.result);
  C(cudaGraphLaunch(x, s));
  C(cudaStreamSynchronize(s));
  printf("%d calls %d\n", h[0], calls);
  C(cudaGraphCreate(&outer, 0));
  cudaGraphNode_t c1, c2, k1, m1, e1;
  C(cudaGraphAddChildGraphNode(&c1, outer, nullptr, 0, clone));
  v = 7;
  C(cudaGraphAddKernelNode(&k1, outer, &c1, 1, &kp));
  C(cudaGraphAddMemcpyNode1D(&m1, outer, &k1, 1, h, a, n * 4, cudaMemcpyDeviceToHost));
  C(cudaGraphAddEmptyNode(&e1, outer, &m1, 1));
  C(cudaGraphAddChildGraphNode(&c2, outer, &e1, 1, g));
  cudaHostNodeParams hp{host, &calls};
  cudaGraphNode_t hn;
  C(cudaGraphAddHostNode(&hn, outer, &m1, 1, &hp));
  cudaGraphExec_t y;
  C(cudaGraphInstantiate(&y, outer, 0));
  C(cudaGraphLaunch(y, t));
  C(cudaStreamSynchronize(t));
  printf("outer %d calls %d\n", h[2], calls);
  C(cudaGraphRemoveDependencies(outer, &e1, &c2, nullptr, 1));
  size_t deps = 9;
  C(cudaGraphNodeGetDependencies(c2, nullptr, nullptr, &deps));
  printf("deps %zu\n", deps);
  C(cudaGraphDestroyNode(c2));
  C(cudaGraphGetNodes(outer, nullptr, &count));
  printf("left %zu\n", count);
  C(cudaGraphGetRootNodes(outer, nullptr, &count));
  printf("roots %zu\n", count);
  u = cudaGraphExecUpdate(y, outer, &info);
  printf("update %s %d\n", cudaGetErrorName(u), info.result);
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  u = cudaGraphAddDependencies(outer, &m1, &k1, nullptr, 1);
  printf("cycle add %s ", cudaGetErrorName(u));
  cudaGraphExec_t z;
  u = cudaGraphInstantiate(&z, outer, 0);
  printf("instantiate %s\n", cudaGetErrorName(u));
  cudaGetLastError();
  C(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  printf("sync in capture %s\n", cudaGetErrorName(cudaStreamSynchronize(s)));
  u = cudaStreamEndCapture(s, &outer);
  printf("end %s\n", cudaGetErrorName(u));
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  C(cudaGraphExecDestroy(x));
  C(cudaGraphExecDestroy(y));
  C(cudaGraphDestroy(g));
  C(cudaGraphDestroy(clone));
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaFree(a);
  cudaFree(b);
  cudaFreeHost(h);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
