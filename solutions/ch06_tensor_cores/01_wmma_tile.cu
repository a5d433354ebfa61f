// Exercise 01_wmma_tile: many small products, a warp for each, on tensor cores.
//
//   c[i] = a[i] * b[i]      for i = 0 to products - 1
//
// a[i]: 16 x K halfs, b[i]: K x 16 halfs, c[i]: 16 x 16 floats; all row-major, in device memory,
// one product after the other without gaps. K is a multiple of 16. One warp takes one product:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = products / 4, rounded up
// Build and check it: ./learn run ch06/01
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

__global__ void wmma_tile(const __half* a, const __half* b, float* c, int products, int K) {
  // BEGIN YOUR CODE
  const int product = blockIdx.x * blockDim.y + threadIdx.y;
  if (product >= products) return;  // The whole warp leaves.
  a += static_cast<size_t>(product) * 16 * K;
  b += static_cast<size_t>(product) * K * 16;
  c += static_cast<size_t>(product) * 16 * 16;

  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> part_a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> part_b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0F);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(part_a, a + k, K);        // 16 columns further right
    wmma::load_matrix_sync(part_b, b + k * 16, 16);  // 16 rows further down
    wmma::mma_sync(sum, part_a, part_b, sum);
  }
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
  // END YOUR CODE
}
