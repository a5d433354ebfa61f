// Sums of floats in shared memory, which are loops in the machine code: warps with bins of their
// own, bins that lanes share or that are in one bank, leaders that a barrier orders. Every sum is
// exact.
#include <cuda_fp16.h>

#include <cstdio>

/// Each warp has 64 bins; the bins are added at the end.
__global__ void histogram(const int* x, float* out, int n) {
  __shared__ float bins[4][64];
  const int warp = threadIdx.x / 32;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) (&bins[0][0])[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[warp][x[i] % 64], 1.5F);
  __syncthreads();
  if (threadIdx.x < 64) {
    float sum = 0;
    for (int w = 0; w < 4; ++w) sum += bins[w][threadIdx.x];
    atomicAdd(&out[threadIdx.x], sum);
  }
}

/// One warp adds to columns that squares choose; some lanes have nothing to add.
__global__ void columns_of_squares(const int* x, float* out, int n, int columns) {
  extern __shared__ float sums[];
  for (int c = threadIdx.x; c < columns; c += blockDim.x) sums[c] = 0;
  __syncthreads();
  if (threadIdx.x < 32)
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) {
      if (i % 5 == 3) continue;
      atomicAdd(&sums[i * i % columns], static_cast<float>(x[i] % 8));
    }
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += blockDim.x) atomicAdd(out + c, sums[c]);
}

/// The first lane of each warp adds its warp's sum, warp after warp.
__global__ void leaders(const int* x, float* out, int n) {
  __shared__ float total[2];
  if (threadIdx.x < 2) total[threadIdx.x] = 0;
  __syncthreads();
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += static_cast<float>(x[i] % 16);
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0U, sum, d);
  for (unsigned w = 0; w < blockDim.x / 32; ++w) {
    if (threadIdx.x == w * 32) atomicAdd(&total[w % 2], sum);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = total[0] + total[1];
}

/// All warps add to one number at once.
__global__ void all_at_once(const int* x, float* out, int n) {
  __shared__ float total;
  __shared__ __half2 both;
  if (threadIdx.x == 0) total = 0, both = __floats2half2_rn(0, 0);
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&total, static_cast<float>(x[i] % 4));
  atomicAdd(&both, __floats2half2_rn(0.5F, static_cast<float>(threadIdx.x % 3)));
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = total;
    out[1] = __low2float(both);
    out[2] = __high2float(both);
  }
}

int main() {
  constexpr int n = 10007, places = 1024;
  int* x = nullptr;
  float* out = nullptr;
  cudaMallocManaged(&x, n * sizeof(int));
  cudaMallocManaged(&out, places * sizeof(float));
  for (int i = 0; i < n; ++i) x[i] = i * 7919 % 1013;
  const auto show = [&](const char* name) {
    cudaDeviceSynchronize();
    double sum = 0, weighted = 0;
    for (int i = 0; i < places; ++i) {
      sum += out[i];
      weighted += i * out[i];
      out[i] = 0;
    }
    std::printf("%s %g %g\n", name, sum, weighted);
  };
  for (int i = 0; i < places; ++i) out[i] = 0;
  histogram<<<5, 128>>>(x, out, n);
  show("histogram");
  for (int columns : {1, 7, 32, 64, 160, 1000}) {
    columns_of_squares<<<3, 96, columns * sizeof(float)>>>(x, out, n, columns);
    show("columns");
  }
  leaders<<<4, 160>>>(x, out, n);
  show("leaders");
  all_at_once<<<1, 256>>>(x, out, n);
  show("all at once");
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(x);
  cudaFree(out);
}
