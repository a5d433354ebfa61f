// Exercise 09_rmsnorm: RMSNorm, as language models use it in place of LayerNorm.
//
//   y[row][column] = x[row][column] / sqrt(mean of the row's squares + 1e-5) * weight[column]
//
// x and y: rows * columns floats, row-major; weight: columns floats; in device memory, 16-byte
// aligned. columns is a multiple of 4. One warp takes one row:
//   blockDim = (32, 4): threadIdx.x is the lane, threadIdx.y the warp of the block
//   gridDim  = rows / 4, rounded up
// Build and check it: ./learn run ch05/09
__global__ void rmsnorm(const float* x, const float* weight, float* y, int rows, int columns) {
  // BEGIN YOUR CODE
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;  // The whole warp leaves: no shuffle misses a lane.
  const size_t begin = static_cast<size_t>(row) * columns;
  const auto* in = reinterpret_cast<const float4*>(x + begin);
  const auto* weights = reinterpret_cast<const float4*>(weight);
  auto* out = reinterpret_cast<float4*>(y + begin);

  float squares = 0;
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i];
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int distance = 16; distance > 0; distance /= 2) {
    squares += __shfl_xor_sync(0xFFFFFFFF, squares, distance);
  }
  const float scale = 1 / sqrtf(squares / columns + 1e-5F);
  for (int i = threadIdx.x; i < columns / 4; i += 32) {
    const float4 v = in[i], w = weights[i];
    out[i] = {v.x * scale * w.x, v.y * scale * w.y, v.z * scale * w.z, v.w * scale * w.w};
  }
  // END YOUR CODE
}
