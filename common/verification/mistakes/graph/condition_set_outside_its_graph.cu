// A kernel sets the value of a conditional node before its graph is launched, as if that would be
// what the graph begins with: an H100 stops it with an illegal address.

__global__ void decide(cudaGraphConditionalHandle handle, unsigned value) {
  cudaGraphSetConditional(handle, value);  // expect: out-of-bounds
}

__global__ void count(int* rounds) { ++*rounds; }

__global__ void again(cudaGraphConditionalHandle handle, const int* rounds, int most) {
  cudaGraphSetConditional(handle, *rounds < most);
}

cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t* after, void* kernel,
                           void** arguments) {
  cudaKernelNodeParams parameters = {};
  parameters.func = kernel;
  parameters.gridDim = dim3(1);
  parameters.blockDim = dim3(1);
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, after, after != nullptr ? 1 : 0, &parameters);
  return node;
}

int main() {
  int* rounds;
  cudaMalloc(&rounds, sizeof(int));
  cudaMemset(rounds, 0, sizeof(int));
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
  cudaGraphNodeParams loop = {cudaGraphNodeTypeConditional};
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node;
  cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop);
  int most = 3;
  void *counted[] = {&rounds}, *asked[] = {&handle, &rounds, &most};
  const cudaGraphNode_t counts =
      add_kernel(loop.conditional.phGraph_out[0], nullptr, (void*)count, counted);
  add_kernel(loop.conditional.phGraph_out[0], &counts, (void*)again, asked);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  // Right: the graph's own kernels set it, in each launch.
  cudaGraphLaunch(exec, 0);
  cudaGraphLaunch(exec, 0);
  cudaDeviceSynchronize();
  decide<<<1, 1>>>(handle, 0);
  cudaDeviceSynchronize();
}
