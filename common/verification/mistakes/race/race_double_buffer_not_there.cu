// Tiles come asynchronously into two buffers. In the last round no younger copy is in flight, so
// that to leave one pending is to wait for nothing.
#include <cuda_pipeline.h>

constexpr int tile = 128;

template <bool counts_pending>
__global__ void mirror_tiles(const float* in, float* out, int tiles) {
  __shared__ float buffer[2][tile];
  auto fetch = [&](int t) {
    __pipeline_memcpy_async(&buffer[t % 2][threadIdx.x], in + t * tile + threadIdx.x, 4);
    __pipeline_commit();
  };
  fetch(0);
  for (int t = 0; t < tiles; ++t) {
    const bool has_next = t + 1 < tiles;
    if (has_next) fetch(t + 1);
    __pipeline_wait_prior(counts_pending && !has_next ? 0 : 1);
    __syncthreads();
    out[t * tile + threadIdx.x] = buffer[t % 2][tile - 1 - threadIdx.x];  // expect: race
    __syncthreads();
  }
}

int main() {
  const int tiles = 5;
  float *in, *out;
  cudaMalloc(&in, tiles * tile * sizeof(float));
  cudaMalloc(&out, tiles * tile * sizeof(float));
  cudaMemset(in, 0, tiles * tile * sizeof(float));
  mirror_tiles<true><<<1, tile>>>(in, out, tiles);
  mirror_tiles<false><<<1, tile>>>(in, out, tiles);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
