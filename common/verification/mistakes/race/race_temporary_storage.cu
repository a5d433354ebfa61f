// Two sums of a block share their temporary storage, and nothing makes the threads wait between
// them.
#include <cub/block/block_reduce.cuh>

template <bool waits>
__global__ void moments(const float* x, float2* out, int n) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage temporary;
  const int i = blockIdx.x * 128 + threadIdx.x;
  const float value = i < n ? x[i] : 0;
  const float sum = Reduce(temporary).Sum(value);
  if (waits) __syncthreads();
  const float squares = Reduce(temporary).Sum(value * value);  // expect: race
  if (threadIdx.x == 0) out[blockIdx.x] = make_float2(sum, squares);
}

int main() {
  const int n = 500;
  float host[n], *x;
  float2* out;
  for (int i = 0; i < n; ++i) host[i] = float(i % 7);
  cudaMalloc(&x, sizeof host);
  cudaMalloc(&out, 4 * sizeof(float2));
  cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
  moments<true><<<4, 128>>>(x, out, n);
  moments<false><<<4, 128>>>(x, out, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
