// A graph is launched again after the memory that its kernel writes was freed.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // expect: use-after-free

int main() {
  int* x;
  cudaMalloc(&x, 256);
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  fill<<<1, 64, 0, s>>>(x);
  cudaGraph_t g;
  cudaStreamEndCapture(s, &g);
  cudaGraphExec_t e;
  cudaGraphInstantiate(&e, g);
  cudaGraphLaunch(e, s);
  cudaFree(x);
  cudaGraphLaunch(e, s);
  cudaStreamSynchronize(s);
  cudaGraphExecDestroy(e);
  cudaGraphDestroy(g);
  cudaStreamDestroy(s);
}
