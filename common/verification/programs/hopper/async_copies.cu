// Asynchronous copies to shared memory: __pipeline intrinsics, inline PTX with zero filling, double
// buffering.
#include <cuda_pipeline.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 64;

// A three-point stencil with two stages in flight.
__global__ void stencil(const float* in, float* out, int tiles) {
  __shared__ alignas(16) float buffer[2][kTile];
  const int t = threadIdx.x;  // 16 threads, four floats each
  __pipeline_memcpy_async(&buffer[0][t * 4], in + t * 4, 16);
  __pipeline_commit();
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles)
      __pipeline_memcpy_async(&buffer[(k + 1) % 2][t * 4], in + (k + 1) * kTile + t * 4, 16);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int i = t; i < kTile; i += blockDim.x) {
      const float left = i > 0 ? buffer[k % 2][i - 1] : 0,
                  right = i + 1 < kTile ? buffer[k % 2][i + 1] : 0;
      out[k * kTile + i] = left * 0.25f + buffer[k % 2][i] * 0.5f + right * 0.25f;
    }
    __syncthreads();
  }
}

__device__ unsigned shared_address(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void by_hand(const int* in, int* out, int valid) {
  __shared__ alignas(16) int s[96];
  const int t = threadIdx.x;
  const int bytes = t * 4 < valid ? min(16, (valid - t * 4) * 4) : 0;
  if (t < 8)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(s + t * 4)),
                 "l"(in + t * 4), "r"(bytes)
                 : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(shared_address(s + 32 + t)),
               "l"(in + 31 - t)
               : "memory");
  asm volatile("cp.async.commit_group;");
  if (t < 16)
    asm volatile(
        "cp.async.ca.shared.global.L2::128B [%0], [%1], 8;" ::"r"(shared_address(s + 64 + t * 2)),
        "l"(in + 30 - t * 2)
        : "memory");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  out[t] = s[t];
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[32 + t] = s[32 + t];
  out[64 + t] = s[64 + t];
}

__global__ void zero_fill(const int4* in, int4* out) {
  __shared__ int4 s[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], in + t, sizeof(int4), t % 5 * 4 > 16 ? 16 : t % 5 * 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = s[t];
}

int main() {
  const int tiles = 9, n = tiles * kTile;
  std::vector<float> host(n);
  for (int i = 0; i < n; ++i) host[i] = (float)(i * i % 97);
  float *in, *out;
  cudaMalloc(&in, n * 4);
  cudaMalloc(&out, n * 4);
  cudaMemcpy(in, host.data(), n * 4, cudaMemcpyHostToDevice);
  stencil<<<1, 16>>>(in, out, tiles);
  cudaMemcpy(host.data(), out, n * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i] * (i % 7);
  printf("%a %a %a\n", sum, host[1], host[n - 1]);
  int ints[128], back[128];
  for (int i = 0; i < 128; ++i) ints[i] = i * 3 + 1;
  cudaMemcpy(in, ints, sizeof ints, cudaMemcpyHostToDevice);
  for (int valid : {32, 13, 0}) {
    by_hand<<<1, 32>>>((int*)in, (int*)out, valid);
    cudaMemcpy(back, out, 96 * 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; ++i) printf("%d%c", back[i], i % 32 == 31 ? '\n' : ' ');
  }
  zero_fill<<<1, 32>>>((int4*)in, (int4*)out);
  cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) printf("%d%c", back[i], i % 32 == 31 ? '\n' : ' ');
  cudaFree(in);
  cudaFree(out);
}
