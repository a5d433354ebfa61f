// Exercise 07_four_warps: a product by four warps, with copies in two stages.
//
//   c = a * b, with b stored by columns: c[i][j] = sum over k of a[i][k] * b[j][k]
//
// a: M x K halfs, b: N x K halfs, c: M x N floats, row-major, in device memory; K is a multiple of
// 32. A block takes 32 x 32 elements of c:
//   blockDim = 128; gridDim = (N / 32, M / 32), rounded up
// Everything is there but the loop over k. Build and check it: ./learn run ch06/07
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

/// sum += A * B for a tile of A (16 x 16) and one of B (16 x 8).
__device__ void mma_m16n8k16(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/// Four 8 x 8 matrices of halfs. Lanes 8i to 8i + 7 bring the addresses of the rows of matrix i.
__device__ void ldmatrix_x4(unsigned (&to)[4], const __half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
}

/// Where chunk 0, 1, 2 or 3 of a row of a tile is, in halfs.
__device__ int place(int row, int chunk) { return row * 32 + (chunk ^ row / 2 % 4) * 8; }

__global__ void four_warps(const __half* a, const __half* b, float* c, int M, int N, int K) {
  __shared__ __align__(128) __half tile_a[2][32 * 32], tile_b[2][32 * 32];
  const int first_row = blockIdx.y * 32, first_column = blockIdx.x * 32;
  // Begins the copies of this thread: 16 bytes of a and of b, for 32 of k. Rows past the end become
  // zeros.
  const auto start = [&](int stage, int k) {
    const int row = threadIdx.x / 4, chunk = threadIdx.x % 4;
    const bool in_a = first_row + row < M, in_b = first_column + row < N;
    const size_t of_a = static_cast<size_t>(in_a ? first_row + row : 0) * K + k + chunk * 8;
    const size_t of_b = static_cast<size_t>(in_b ? first_column + row : 0) * K + k + chunk * 8;
    __pipeline_memcpy_async(&tile_a[stage][place(row, chunk)], a + of_a, 16, in_a ? 0 : 16);
    __pipeline_memcpy_async(&tile_b[stage][place(row, chunk)], b + of_b, 16, in_b ? 0 : 16);
  };
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int up = warp / 2 * 16, left = warp % 2 * 16;  // Where the warp's quarter begins.
  float sums[2][4] = {};                               // Columns 0 to 7 and 8 to 15 of it.
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + up + lane / 4 + i % 4 / 2 * 8;
    const int column = first_column + left + i / 4 * 8 + lane % 4 * 2 + i % 2;
    if (row < M && column < N) c[static_cast<size_t>(row) * N + column] = sums[i / 4][i % 4];
  }
}
