// Exercise 03_residual_in_place: the residual stream takes up a layer's result and is normalised.
//
//   x[r][c] += gain[c] * added[r][c]
//   n[r][c]  = (x[r][c] - mean of the new row) / sqrt(variance of the new row + epsilon)
//
// The variance is the mean of the squared distances from the mean. The host function is given;
// write the kernel, a warp per row.
//
// Build and check it: ./learn run ch08/03. The main below is for you: the check does not call it;
//   ./learn sim exercises/ch08_transformer/03_residual_in_place.cu
#include <cstdio>

// x, added, n: rows * columns floats, row-major; gain: columns floats; device memory, 16 aligned.
// x holds the old stream and then the new one. columns is a multiple of 4, at most 1024. The launch
// is fixed:
//   blockDim = (32, 4), gridDim = rows / 4, rounded up
__global__ void residual_in_place(float* x, const float* added, const float* gain, float* n,
                                  int rows, int columns, float epsilon) {
  // BEGIN YOUR CODE
  const int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows) return;
  const int packs = columns / 4;
  const size_t begin = static_cast<size_t>(row) * packs;
  float4* stream = reinterpret_cast<float4*>(x) + begin;
  const float4* others = reinterpret_cast<const float4*>(added) + begin;
  const float4* gains = reinterpret_cast<const float4*>(gain);
  float4* out = reinterpret_cast<float4*>(n) + begin;

  float4 kept[8] = {};
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 a = stream[pack], b = others[pack], g = gains[pack];
    kept[i] = {a.x + g.x * b.x, a.y + g.y * b.y, a.z + g.z * b.z, a.w + g.w * b.w};
    stream[pack] = kept[i];
    sum += kept[i].x + kept[i].y + kept[i].z + kept[i].w;
  }
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xFFFFFFFF, sum, d);
  const float mean = sum / columns;

  float squares = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    if (i * 32 + lane >= packs) continue;
    const float4 v = {kept[i].x - mean, kept[i].y - mean, kept[i].z - mean, kept[i].w - mean};
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  for (int d = 16; d > 0; d /= 2) squares += __shfl_xor_sync(0xFFFFFFFF, squares, d);
  const float scale = 1 / sqrtf(squares / columns + epsilon);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int pack = i * 32 + lane;
    if (pack >= packs) continue;
    const float4 v = kept[i];
    out[pack] = {(v.x - mean) * scale, (v.y - mean) * scale, (v.z - mean) * scale,
                 (v.w - mean) * scale};
  }
  // END YOUR CODE
}

// All arrays in host memory. x holds the stream before and after; n gets its normalised rows.
void add_and_normalise(const float* before, const float* added, const float* gain, float* x,
                       float* n, int rows, int columns, float epsilon) {
  const size_t bytes = sizeof(float) * rows * columns;
  float *device_x, *device_added, *device_gain, *device_n;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_added, bytes);
  cudaMalloc(&device_gain, columns * sizeof(float));
  cudaMalloc(&device_n, bytes);
  cudaMemcpy(device_x, before, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_added, added, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_gain, gain, columns * sizeof(float), cudaMemcpyHostToDevice);
  residual_in_place<<<(rows + 3) / 4, dim3(32, 4)>>>(device_x, device_added, device_gain, device_n,
                                                     rows, columns, epsilon);
  cudaMemcpy(x, device_x, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(n, device_n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_added);
  cudaFree(device_gain);
  cudaFree(device_n);
}

int main() {
  const float before[4] = {1, 2, 3, 4}, added[4] = {2, 2, 2, 2}, gain[4] = {1, 0, 0, 0};
  float x[4] = {}, n[4] = {};
  add_and_normalise(before, added, gain, x, n, 1, 4, 1e-5f);
  std::printf("%g %g %g %g\n%g %g %g %g\n", x[0], x[1], x[2], x[3], n[0], n[1], n[2], n[3]);
}
