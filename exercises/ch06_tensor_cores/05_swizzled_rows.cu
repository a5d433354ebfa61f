// Exercise 05_swizzled_rows: where the chunks of a tile are stored, so that ldmatrix has no
// conflicts.
//
//   c = a * b, with b stored by columns: c[i][j] = sum over k of a[i][k] * b[j][k]
//
// a: M x K halfs, b: 8 x K halfs, c: M x 8 floats, row-major, in device memory; K is a multiple of
// 32. One warp takes 32 rows of a:
//   blockDim = 32; gridDim = M / 32, rounded up
// Everything is there but place(). Build and check it: ./learn run ch06/05
#include <cuda_fp16.h>

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

/// Where chunk 0, 1, 2 or 3 of a row is, in halfs from the beginning of the tile. A tile of R rows
/// has R * 32 halfs; a chunk has 8.
__device__ int place(int row, int chunk) {
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

/// Copies `rows` rows of 32 halfs to a tile, with zeros from row `present` on.
__device__ void copy_rows(__half* tile, const __half* from, int rows, int present, int K) {
  for (int i = threadIdx.x; i < rows * 4; i += 32) {
    const int row = i / 4, chunk = i % 4;
    const uint4 zeros = {};
    const __half* source = from + static_cast<size_t>(row) * K + chunk * 8;
    *reinterpret_cast<uint4*>(tile + place(row, chunk)) =
        row < present ? *reinterpret_cast<const uint4*>(source) : zeros;
  }
}

__global__ void swizzled_rows(const __half* a, const __half* b, float* c, int M, int K) {
  __shared__ __align__(128) __half tile_a[32 * 32], tile_b[8 * 32];
  const int lane = threadIdx.x, first = blockIdx.x * 32;
  float sums[2][4] = {};  // Rows 0 to 15 and 16 to 31 of the block.
  for (int k = 0; k < K; k += 32) {
    copy_rows(tile_a, a + static_cast<size_t>(first) * K + k, 32, M - first, K);
    copy_rows(tile_b, b + k, 8, 8, K);
    __syncwarp();
    unsigned part_b[4];  // Chunks 0 to 3: two for each step of 16 in k.
    ldmatrix_x4(part_b, tile_b + place(lane % 8, lane / 8));
    for (int half = 0; half < 2; ++half) {
      for (int upper = 0; upper < 2; ++upper) {
        unsigned part_a[4];  // Rows 0-7, 8-15 of chunk 2 * half; the same of the next chunk.
        ldmatrix_x4(part_a, tile_a + place(upper * 16 + lane % 16, 2 * half + lane / 16));
        mma_m16n8k16(sums[upper], part_a, part_b[2 * half], part_b[2 * half + 1]);
      }
    }
    __syncwarp();
  }
  for (int i = 0; i < 8; ++i) {
    const int row = first + i / 4 * 16 + i % 4 / 2 * 8 + lane / 4;
    if (row < M) c[static_cast<size_t>(row) * 8 + lane % 4 * 2 + i % 2] = sums[i / 4][i % 4];
  }
}
