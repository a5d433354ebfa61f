// A kernel launches a graph that was instantiated for the device but never uploaded: it is refused,
// and nobody asks.
// Built with -rdc=true.

struct Chain {
  cudaGraph_t graph = nullptr;
  cudaGraphNode_t last = nullptr;
  Chain() { cudaGraphCreate(&graph, 0); }
  template <typename... P, typename... A>
  Chain& kernel(void (*function)(P...), A... given) {
    void* arguments[] = {&given..., nullptr};
    cudaKernelNodeParams params = {};
    params.func = reinterpret_cast<void*>(function);
    params.gridDim = dim3(2);
    params.blockDim = dim3(64);
    params.kernelParams = arguments;
    const cudaGraphNode_t before = last;
    cudaGraphAddKernelNode(&last, graph, &before, before != nullptr, &params);
    return *this;
  }
  cudaGraphExec_t instance(unsigned long long flags) const {
    cudaGraphExec_t exec = nullptr;
    cudaGraphInstantiate(&exec, graph, flags);
    cudaGraphUpload(exec, nullptr);
    return exec;
  }
};

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void launch(cudaGraphExec_t graph) {
  if (blockIdx.x + threadIdx.x == 0)
    cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);  // expect: launch-configuration
}

int main() {
  const int n = 100;
  float* x;
  cudaMalloc(&x, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaGraphExec_t squares;
  cudaGraphInstantiate(&squares, Chain().kernel(square, x, n).graph,
                       cudaGraphInstantiateFlagDeviceLaunch);
  cudaGraphLaunch(Chain().kernel(launch, squares).instance(0), nullptr);
  cudaDeviceSynchronize();
  cudaFree(x);
}
