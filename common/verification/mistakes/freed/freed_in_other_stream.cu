// One stream frees memory that a kernel of another may not have written yet.
__global__ void fill(int* x) { x[threadIdx.x] = 1; }  // expect: use-after-free

int main() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEvent_t e;
  cudaEventCreate(&e);
  int* x;
  cudaMallocAsync(&x, 256, s);
  cudaStreamSynchronize(s);
  fill<<<1, 64, 0, t>>>(x);
  cudaEventRecord(e, t);
  cudaFreeAsync(x, s);
  cudaStreamSynchronize(s);
  cudaStreamSynchronize(t);
  cudaStreamDestroy(s);
  cudaStreamDestroy(t);
  cudaEventDestroy(e);
}
