// Exercise 10_bias_gelu: what is done to a product before it leaves the registers.
//
//   y[row][column] = gelu(sum over k of a[row][k] * b[column][k] + bias[column])
//   gelu(v) = v / 2 * (1 + erf(v / sqrt(2)))
//
// a: M x K floats, b: N x K floats, bias: N floats, y: M x N floats; row-major, in device memory. K
// is a multiple of 8; M and N are any. One warp takes one 16 x 8 tile of y:
//   blockDim = 32
//   gridDim  = (N / 8, M / 16), both rounded up
// The frame computes the product, in TF32; `sum` is each lane's part of the tile, held as in every
// mma.sync of shape m16n8. Build and check it: ./learn run ch06/10

/// A lane's part of the product of rows of a and rows of b, zeros beyond the edges.
__device__ void product_of_tile(float (&sum)[4], const float* a, const float* b, int M, int N,
                                int K) {
#if __CUDA_ARCH__ >= 800
  const int row = blockIdx.y * 16 + threadIdx.x / 4, row_of_b = blockIdx.x * 8 + threadIdx.x / 4;
  const auto at = [&](const float* matrix, int of, int rows, int k) {
    return of < rows ? __float_as_uint(matrix[static_cast<size_t>(of) * K + k]) : 0U;
  };
  for (int k = threadIdx.x % 4; k < K; k += 8) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
        : "r"(at(a, row, M, k)), "r"(at(a, row + 8, M, k)), "r"(at(a, row, M, k + 4)),
          "r"(at(a, row + 8, M, k + 4)), "r"(at(b, row_of_b, N, k)),
          "r"(at(b, row_of_b, N, k + 4)));
  }
#endif
}

__global__ void bias_gelu(const float* a, const float* b, const float* bias, float* y, int M, int N,
                          int K) {
  float sum[4] = {};
  product_of_tile(sum, a, b, M, N, K);
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}
