// The node of a graph that frees memory is not after the kernel that reads it: an edge is missing.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void add(const int* x, int* sum) { atomicAdd(sum, x[threadIdx.x]); }

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  cudaMemAllocNodeParams memory = {};
  memory.bytesize = 256;
  memory.poolProps.allocType = cudaMemAllocationTypePinned;
  memory.poolProps.location.type = cudaMemLocationTypeDevice;
  cudaGraphNode_t allocated, filled, added, freed;
  cudaGraphAddMemAllocNode(&allocated, g, nullptr, 0, &memory);
  int* x = static_cast<int*>(memory.dptr);
  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(64);
  void* to_fill[] = {&x};
  kernel.func = reinterpret_cast<void*>(fill);
  kernel.kernelParams = to_fill;
  cudaGraphAddKernelNode(&filled, g, &allocated, 1, &kernel);
  void* to_add[] = {&x, &sum};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.kernelParams = to_add;
  cudaGraphAddKernelNode(&added, g, &filled, 1, &kernel);
  cudaGraphAddMemFreeNode(&freed, g, &filled, 1, x);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g);  // expect: race
  cudaGraphLaunch(e, nullptr);
  cudaDeviceSynchronize();
  cudaGraphExecDestroy(e);
  cudaGraphDestroy(g);
  cudaFree(sum);
}
