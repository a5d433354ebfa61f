// An image of rows with padding. One kernel lets a row begin where the one before ends, another has
// one column too many: both write into the padding, and no allocation is left. Vectors that reach
// over the end of a row, and whole rows, are right.
__global__ void packed(float* image, int w, int h) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x < w && y < h) image[y * w + x] = 1;  // expect: out-of-bounds
}

__global__ void one_more(float* image, size_t pitch, int w, int h) {
  const int x = threadIdx.x, y = blockIdx.x;
  float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + y * pitch);
  if (x <= w && y < h) row[x] = 1;  // expect: out-of-bounds
}

__global__ void by_vectors(float* image, size_t pitch, int w, int h) {
  const int x = threadIdx.x, y = blockIdx.x;
  auto* const row = reinterpret_cast<float4*>(reinterpret_cast<char*>(image) + y * pitch);
  if (4 * x < w && y < h) row[x] = make_float4(1, 1, 1, 1);
}

int main() {
  const int w = 50, h = 20;
  float *image, host[w * h];
  size_t pitch;
  cudaMallocPitch(&image, &pitch, w * sizeof(float), h);
  by_vectors<<<h, 32>>>(image, pitch, w, h);
  packed<<<h, 64>>>(image, w, h);
  one_more<<<h, 64>>>(image, pitch, w, h);
  cudaMemcpy2D(host, w * sizeof(float), image, pitch, w * sizeof(float), h, cudaMemcpyDeviceToHost);
  cudaFree(image);
}
