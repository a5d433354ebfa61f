// Exercise 01_gated_gelu: half of each row, activated, times the other half.
//
//   y[row][i] = gelu(a[i]) * b[i],   i < columns
//
// x: rows * 2 * columns floats, row-major, in device memory. The first half of a row is a, the
// second is b. y: rows * columns floats. gelu is GPT-2's form,
//   gelu(v) = 0.5 v (1 + tanh(sqrt(2 / pi) (v + 0.044715 v^3)))
// columns is a multiple of 4, and x and y begin at multiples of 16 bytes. The launch is fixed:
//   blockDim = 128, a thread per four columns of y
//   gridDim  = rows * columns / 4 / 128, rounded up
// Build and check it: ./learn run ch07/01
__global__ void gated_gelu(const float* x, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  const int pack = blockIdx.x * blockDim.x + threadIdx.x;
  const int packs_in_row = columns / 4;
  const int row = pack / packs_in_row;
  if (row >= rows) return;
  const float4* in =
      reinterpret_cast<const float4*>(x) + static_cast<size_t>(row) * 2 * packs_in_row;
  const float4 a = in[pack % packs_in_row];
  const float4 b = in[packs_in_row + pack % packs_in_row];
  const auto gelu = [](float v) {
    return 0.5F * v * (1 + tanhf(0.7978845608F * (v + 0.044715F * v * v * v)));
  };
  reinterpret_cast<float4*>(y)[pack] = {gelu(a.x) * b.x, gelu(a.y) * b.y, gelu(a.z) * b.z,
                                        gelu(a.w) * b.w};
  // END YOUR CODE
}
