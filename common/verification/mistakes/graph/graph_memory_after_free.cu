// Memory that a graph's launch allocated is freed, and a kernel reads it once more.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
__global__ void add(const int* x, int* sum) {
  atomicAdd(sum, x[threadIdx.x]);  // expect: use-after-free
}

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  int* x;
  cudaMallocAsync(&x, 256, s);
  fill<<<1, 64, 0, s>>>(x);
  cudaGraph_t g;
  cudaStreamEndCapture(s, &g);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g);
  for (int round = 0; round < 2; ++round) {
    cudaGraphLaunch(e, s);
    add<<<1, 64, 0, s>>>(x, sum);
    cudaFreeAsync(x, s);
  }
  cudaStreamSynchronize(s);
  add<<<1, 64, 0, s>>>(x, sum);
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(e);
  cudaGraphDestroy(g);
  cudaStreamDestroy(s);
  cudaFree(sum);
}
