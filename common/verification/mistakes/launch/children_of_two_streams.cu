// A kernel launches two others in streams of their own, though the one needs what the other writes.
// Built with -rdc=true.

__global__ void square(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i];
}

__global__ void add_neighbour(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 1 < n) y[i] = x[i] + x[i + 1];  // expect: race
}

__global__ void both_at_once(float* x, float* y, int n) {
  square<<<(n + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(x, n);
  add_neighbour<<<(n + 63) / 64, 64, 0, cudaStreamFireAndForget>>>(x, y, n);
}

// Right: in one stream; in two that an event orders; each its own part.
__global__ void one_after_another(float* x, float* y, int n) {
  square<<<(n + 63) / 64, 64>>>(x, n);
  add_neighbour<<<(n + 63) / 64, 64>>>(x, y, n);
  square<<<1, 64, 0, cudaStreamTailLaunch>>>(y, n / 2);
}

__global__ void ordered_by_event(float* x, float* y, int n) {
  cudaStream_t one, other;
  cudaEvent_t squared;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&squared, cudaEventDisableTiming);
  square<<<(n + 63) / 64, 64, 0, one>>>(x, n);
  cudaEventRecord(squared, one);
  cudaStreamWaitEvent(other, squared, 0);
  add_neighbour<<<(n + 63) / 64, 64, 0, other>>>(x, y, n);
}

__global__ void each_block_its_own(float* x, int n) {
  const int part = n / gridDim.x;
  if (threadIdx.x == 0) square<<<1, part>>>(x + blockIdx.x * part, part);
}

int main() {
  const int n = 200;
  float *x, *y;
  cudaMalloc(&x, n * sizeof(float));
  cudaMalloc(&y, n * sizeof(float));
  cudaMemset(x, 0, n * sizeof(float));
  cudaMemset(y, 0, n * sizeof(float));
  one_after_another<<<1, 1>>>(x, y, n);
  ordered_by_event<<<1, 1>>>(x, y, n);
  each_block_its_own<<<4, 32>>>(x, n);
  both_at_once<<<1, 1>>>(x, y, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
