// The number of the tile counts threads where it should count warps: a warp has two tiles at once.
#include <mma.h>

using namespace nvcuda;

constexpr int m = 16;
constexpr wmma::layout_t rows = wmma::mem_row_major;

__global__ void negate(const float* x, float* y) {
  const int tile = (blockIdx.x * blockDim.x + threadIdx.x) / 16;  // 32 threads make a warp
  wmma::fragment<wmma::accumulator, m, m, m, float> part;
  wmma::load_matrix_sync(part, x + 256 * tile, m, rows);  // expect: barrier-divergence
  for (int i = 0; i < part.num_elements; ++i) part.x[i] = -part.x[i];
  wmma::store_matrix_sync(y + 256 * tile, part, m, rows);  // expect: barrier-divergence
}

int main() {
  float *x, *y;
  const int tiles = 4;
  cudaMalloc(&x, tiles * m * m * sizeof(float));
  cudaMalloc(&y, tiles * m * m * sizeof(float));
  cudaMemset(x, 0, tiles * m * m * sizeof(float));
  negate<<<1, tiles * 16>>>(x, y);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
