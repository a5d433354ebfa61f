// The lines of a matrix have a pitch of 17 elements, as they do in shared memory against conflicts
// of banks: tensor cores want 16 bytes or a multiple. Right are lines of 24 halves; a tile that
// begins in the middle of 32 bytes is a note.
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

constexpr int m = 16;

template <int line>
__global__ void product(const half* a, const half* b, float* c, int ldc) {
  __shared__ __align__(32) half tile[m * line];
  for (int i = threadIdx.x; i < m * m; i += 32) tile[i / m * line + i % m] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, m, m, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, m, m, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, m, m, float> sum;
  wmma::fill_fragment(sum, 0);
  wmma::load_matrix_sync(left, tile, line);
  wmma::load_matrix_sync(right, b, m);
  wmma::mma_sync(sum, left, right, sum);
  wmma::store_matrix_sync(c, sum, ldc, wmma::mem_row_major);  // expect: misaligned
}

__global__ void product_of_padded(const half* a, const half* b, float* c) {
  constexpr int line = m + 1;
  __shared__ __align__(32) half tile[m * line];
  for (int i = threadIdx.x; i < m * m; i += 32) tile[i / m * line + i % m] = a[i];
  __syncwarp();
  wmma::fragment<wmma::matrix_a, m, m, m, half, wmma::row_major> left;
  wmma::load_matrix_sync(left, tile, line);  // expect: misaligned
  c[threadIdx.x] = __half2float(left.x[0]);
}

int main() {
  half *a, *b;
  float* c;
  cudaMalloc(&a, 2 * m * m * sizeof(half));
  cudaMalloc(&b, 2 * m * m * sizeof(half));
  cudaMalloc(&c, m * 2 * m * sizeof(float));
  cudaMemset(a, 0, 2 * m * m * sizeof(half));
  cudaMemset(b, 0, 2 * m * m * sizeof(half));
  product<24><<<1, 32>>>(a, b, c, m);
  product<m><<<1, 32>>>(a + m * m, b + m / 2, c, 2 * m);
  product<m><<<1, 32>>>(a, b, c, m + 2);
  printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  product_of_padded<<<1, 32>>>(a, b, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
