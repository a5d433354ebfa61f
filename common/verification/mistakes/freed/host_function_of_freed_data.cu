// The data of a host function is deleted while the kernel before it may still run.
__global__ void fill(int* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = i;
}

struct Progress {
  int step;
};

int seen = 0;

void CUDART_CB note_step(void* data) { seen += static_cast<Progress*>(data)->step; }

int main() {
  const int n = 1000;
  int* x;
  cudaMalloc(&x, n * sizeof(int));
  auto* kept = new Progress{1};
  fill<<<4, 256>>>(x, n);
  cudaLaunchHostFunc(nullptr, note_step, kept);
  cudaDeviceSynchronize();
  delete kept;

  auto* progress = new Progress{2};
  fill<<<4, 256>>>(x, n);
  cudaLaunchHostFunc(nullptr, note_step, progress);  // expect: use-after-free
  delete progress;
  cudaDeviceSynchronize();
  cudaFree(x);
}
