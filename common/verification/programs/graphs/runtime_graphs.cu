// Graphs by stream capture and node by node: launch many times, update parameters, clone, inspect.
#include <cstdio>

#define OK(call) report(#call, call)

void report(const char* what, cudaError_t status) {
  if (status != cudaSuccess) printf("%s: %s\n", what, cudaGetErrorName(status));
}

__global__ void scale(float* x, int n, float by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}

__global__ void add(float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += y[i];
}

void CUDART_CB count(void* p) { ++*(int*)p; }

int main() {
  const int n = 256;
  float *x, *y, host[n];
  int calls = 0;
  OK(cudaMalloc(&x, sizeof host));
  OK(cudaMalloc(&y, sizeof host));
  for (int i = 0; i < n; ++i) host[i] = (float)i;
  cudaStream_t s, t;
  cudaEvent_t fork, join;
  OK(cudaStreamCreate(&s));
  OK(cudaStreamCreate(&t));
  OK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  OK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));

  // Capture a diamond: copy, two branches, join.
  cudaGraph_t graph;
  OK(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  OK(cudaMemcpyAsync(x, host, sizeof host, cudaMemcpyHostToDevice, s));
  OK(cudaEventRecord(fork, s));
  OK(cudaStreamWaitEvent(t, fork, 0));
  scale<<<2, 128, 0, s>>>(x, n, 2);
  OK(cudaMemsetAsync(y, 0, sizeof host, t));
  OK(cudaEventRecord(join, t));
  OK(cudaStreamWaitEvent(s, join, 0));
  add<<<2, 128, 0, s>>>(y, x, n);
  OK(cudaLaunchHostFunc(s, count, &calls));
  cudaStreamCaptureStatus status;
  OK(cudaStreamIsCapturing(t, &status));
  printf("capturing %d\n", status == cudaStreamCaptureStatusActive);
  OK(cudaStreamEndCapture(s, &graph));
  size_t nodes = 0, edges = 0, roots = 0;
  OK(cudaGraphGetNodes(graph, nullptr, &nodes));
  OK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  OK(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  printf("%zu nodes, %zu edges, %zu roots\n", nodes, edges, roots);
  cudaGraphExec_t exec;
  OK(cudaGraphInstantiate(&exec, graph, 0));
  for (int i = 0; i < 3; ++i) OK(cudaGraphLaunch(exec, s));
  OK(cudaStreamSynchronize(s));
  float out[n];
  OK(cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost));
  printf("captured: %g %g, %d calls\n", out[1], out[255], calls);

  // The same by hand, with other parameters.
  cudaGraph_t made;
  cudaGraphNode_t zero, copy, first, second;
  OK(cudaGraphCreate(&made, 0));
  cudaMemsetParams clear = {};
  clear.dst = y, clear.elementSize = 4, clear.width = n, clear.height = 1;
  OK(cudaGraphAddMemsetNode(&zero, made, nullptr, 0, &clear));
  OK(cudaGraphAddMemcpyNode1D(&copy, made, nullptr, 0, x, host, sizeof host,
                              cudaMemcpyHostToDevice));
  float by = 3;
  int length = n;
  void* scale_arguments[] = {&x, &length, &by};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)scale, kernel.gridDim = 2, kernel.blockDim = 128,
  kernel.kernelParams = scale_arguments;
  OK(cudaGraphAddKernelNode(&first, made, &copy, 1, &kernel));
  void* add_arguments[] = {&y, &x, &length};
  cudaKernelNodeParams adding = kernel;
  adding.func = (void*)add, adding.kernelParams = add_arguments;
  const cudaGraphNode_t both[] = {zero, first};
  OK(cudaGraphAddKernelNode(&second, made, both, 2, &adding));
  cudaGraphNodeType type;
  OK(cudaGraphNodeGetType(zero, &type));
  printf("memset node %d\n", type == cudaGraphNodeTypeMemset);
  cudaGraphExec_t made_exec;
  OK(cudaGraphInstantiate(&made_exec, made, 0));
  OK(cudaGraphLaunch(made_exec, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost));
  printf("made: %g %g\n", out[1], out[255]);
  by = 5;
  OK(cudaGraphExecKernelNodeSetParams(made_exec, first, &kernel));
  OK(cudaGraphLaunch(made_exec, s));
  OK(cudaStreamSynchronize(s));
  OK(cudaMemcpy(out, y, sizeof out, cudaMemcpyDeviceToHost));
  printf("updated: %g %g\n", out[1], out[255]);
  cudaGraph_t clone;
  OK(cudaGraphClone(&clone, made));
  OK(cudaGraphGetNodes(clone, nullptr, &nodes));
  printf("clone has %zu nodes\n", nodes);
  OK(cudaGraphDestroy(clone));
  OK(cudaGraphExecDestroy(exec)), OK(cudaGraphExecDestroy(made_exec));
  OK(cudaGraphDestroy(graph)), OK(cudaGraphDestroy(made));
  OK(cudaEventDestroy(fork)), OK(cudaEventDestroy(join));
  OK(cudaStreamDestroy(s)), OK(cudaStreamDestroy(t));
  OK(cudaFree(x)), OK(cudaFree(y));
}
