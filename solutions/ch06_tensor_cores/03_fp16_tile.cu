// Exercise 03_fp16_tile: a product of halfs by mma.sync, fragments by plain loads.
//
//   c = a * b^T
//
// a: M x K halfs, b: N x K halfs, c: M x N floats; all row-major, in device memory. K is a multiple
// of 16; M and N are any. One warp takes one 16 x 8 tile of c:
//   blockDim = 32
//   gridDim  = (N / 8, M / 16), both rounded up
// Elements beyond the edges count as zeros. Build and check it: ./learn run ch06/03
#include <cuda_fp16.h>

/// sum += A * B for a tile of A (16 x 16) and one of B (16 x 8), by the whole warp.
/// @param a four registers, each two neighbours in k, the lower k in the lower half. With
/// g = lane / 4 and t = lane % 4: row g, k = 2t; row g + 8, k = 2t; row g, k = 2t + 8; row g + 8,
/// k = 2t + 8.
/// @param b two registers: column g (a row of b), k = 2t; k = 2t + 8.
/// @param sum (g, 2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1).
__device__ void mma_m16n8k16(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#endif
}

__global__ void fp16_tile(const __half* a, const __half* b, float* c, int M, int N, int K) {
  const int g = threadIdx.x / 4, t = threadIdx.x % 4;
  const int row = blockIdx.y * 16 + g;
  float sum[4] = {};
  // BEGIN YOUR CODE
  const int row_of_b = blockIdx.x * 8 + g;
  // Two neighbouring halfs as one register; zeros for a row that is not there.
  const auto pair = [&](const __half* matrix, int of, int rows, int k) {
    return of < rows ? *reinterpret_cast<const unsigned*>(&matrix[static_cast<size_t>(of) * K + k])
                     : 0U;
  };
  for (int k = 2 * t; k < K; k += 16) {
    const unsigned part_a[4] = {pair(a, row, M, k), pair(a, row + 8, M, k), pair(a, row, M, k + 8),
                                pair(a, row + 8, M, k + 8)};
    const unsigned part_b[2] = {pair(b, row_of_b, N, k), pair(b, row_of_b, N, k + 8)};
    mma_m16n8k16(sum, part_a, part_b);
  }
  // END YOUR CODE
  const int column = blockIdx.x * 8 + 2 * t;
  for (int i = 0; i < 4; ++i) {
    const int to_row = row + i / 2 * 8, to_column = column + i % 2;
    if (to_row < M && to_column < N) c[static_cast<size_t>(to_row) * N + to_column] = sum[i];
  }
}
