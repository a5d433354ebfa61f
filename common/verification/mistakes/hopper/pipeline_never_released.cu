// The consumers of a pipeline never release a stage, so that its producers wait forever.
#include <cooperative_groups.h>

#include <cuda/pipeline>
namespace cg = cooperative_groups;

__global__ void stream(const int* x, int* y, int n) {
  constexpr int stages = 2;
  __shared__ int s[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int c = 0, f = 0; c < n; ++c) {
    for (; f < n && f < c + stages; ++f) {
      pipe.producer_acquire();  // expect: deadlock
      cuda::memcpy_async(block, s[f % stages], x + f * 64, sizeof(int) * 64, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += s[c % stages][63 - threadIdx.x];
  }
  y[threadIdx.x] = sum;
}

int main() {
  int *x, *y;
  cudaMalloc(&x, 2560);
  cudaMalloc(&y, 256);
  cudaMemset(x, 0, 2560);
  stream<<<1, 64>>>(x, y, 10);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
