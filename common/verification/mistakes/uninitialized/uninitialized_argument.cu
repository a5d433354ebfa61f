// A value that was never written decides in a function that it is passed to.
__device__ __noinline__ int next(int x, int* log) {
  if (log) *log = x;
  return x + 1;
}

__global__ void step(const int* in, int* out) {
  const int x = in[threadIdx.x];  // expect: uninitialized
  out[threadIdx.x] = next(x, nullptr);
}

int main() {
  int* x;
  cudaMalloc(&x, 256);
  step<<<1, 32>>>(x, x + 32);
  cudaDeviceSynchronize();
}
