// Rows with padding between them are filled and read back as if they were one array.
__global__ void twice(float* image, size_t pitch, int w) {
  float* const row = reinterpret_cast<float*>(reinterpret_cast<char*>(image) + blockIdx.x * pitch);
  if (int(threadIdx.x) < w) row[threadIdx.x] *= 2;  // expect: uninitialized
}

int main() {
  const int w = 50, h = 20, width = w * sizeof(float);
  float host[w * h] = {}, *image;
  size_t pitch;
  cudaMallocPitch(&image, &pitch, width, h);
  cudaMemcpy(image, host, sizeof host, cudaMemcpyHostToDevice);  // expect: invalid-copy
  twice<<<h, 64>>>(image, pitch, w);
  cudaDeviceSynchronize();
  const auto kind = cudaMemcpyDeviceToHost;
  cudaMemcpy2D(host, width, image, width, width, h, kind);  // expect: invalid-copy
  cudaFree(image);
}
