// The event is recorded in the stream that waits for it, not in the one that does the work.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }

__global__ void use(const int* x, int* y) { y[threadIdx.x] = x[threadIdx.x]; }  // expect: race

int main() {
  int *x, *y;
  cudaMalloc(&x, 256);
  cudaMalloc(&y, 256);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t e;
  cudaEventCreate(&e);
  fill<<<1, 64, 0, s>>>(x);
  cudaEventRecord(e, t);
  cudaStreamWaitEvent(t, e);
  use<<<1, 64, 0, t>>>(x, y);
  cudaDeviceSynchronize();
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaEventDestroy(e);
  cudaFree(x);
  cudaFree(y);
}
