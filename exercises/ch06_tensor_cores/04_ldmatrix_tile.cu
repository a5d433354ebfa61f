// Exercise 04_ldmatrix_tile: the fragments of mma.sync by ldmatrix, with B lying the other way.
//
//   c = a * b
//
// a: M x K halfs, b: K x N halfs (not transposed), c: M x N floats; all row-major, in device
// memory. Any sizes. One warp takes one 16 x 16 tile of c:
//   blockDim = 32
//   gridDim  = (N / 16, M / 16), both rounded up
// The frame copies a 16 x 16 tile of a and one of b into shared memory for each step of 16 in k,
// with zeros beyond the edges. Build and check it: ./learn run ch06/04
#include <cuda_fp16.h>

/// sum += A * B for a tile of A (16 x 16) and one of B (16 x 8): what each register holds is in the
/// chapter, "Which lane holds which element".
__device__ void mma_m16n8k16(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#endif
}

/// Four 8 x 8 matrices of halfs. Lanes 8i to 8i + 7 bring the addresses of the rows of matrix i;
/// lane 4g + t gets elements 2t and 2t + 1 of row g of matrix i in `to[i]`.
__device__ void ldmatrix_x4(unsigned (&to)[4], const __half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
}

/// The same, each matrix transposed on the way: lane 4g + t gets elements g of rows 2t and 2t + 1.
__device__ void ldmatrix_x4_trans(unsigned (&to)[4], const __half* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(static_cast<unsigned>(__cvta_generic_to_shared(row)))
               : "memory");
}

__global__ void ldmatrix_tile(const __half* a, const __half* b, float* c, int M, int N, int K) {
  // A row is 16 halfs and a gap of 8: the rows of an 8 x 8 matrix lie in different banks.
  __shared__ __align__(16) __half tile_a[16][24];  // [row][k]
  __shared__ __align__(16) __half tile_b[16][24];  // [k][column]
  const int lane = threadIdx.x;
  const int first_row = blockIdx.y * 16, first_column = blockIdx.x * 16;
  float left[4] = {}, right[4] = {};  // columns 0 to 7 and 8 to 15 of the tile
  for (int first_k = 0; first_k < K; first_k += 16) {
    for (int i = lane; i < 256; i += 32) {
      const int down = i / 16, across = i % 16;
      const bool in_a = first_row + down < M && first_k + across < K;
      const bool in_b = first_k + down < K && first_column + across < N;
      tile_a[down][across] =
          in_a ? a[static_cast<size_t>(first_row + down) * K + first_k + across] : __half(0);
      tile_b[down][across] =
          in_b ? b[static_cast<size_t>(first_k + down) * N + first_column + across] : __half(0);
    }
    __syncwarp();
    // BEGIN YOUR CODE
    // Your code here.
    // END YOUR CODE
  }
  for (int i = 0; i < 4; ++i) {
    const int row = first_row + lane / 4 + i / 2 * 8;
    const int column = first_column + lane % 4 * 2 + i % 2;
    if (row < M && column < N) c[static_cast<size_t>(row) * N + column] = left[i];
    if (row < M && column + 8 < N) c[static_cast<size_t>(row) * N + column + 8] = right[i];
  }
}
