// The array under a texture is freed before the launch that reads it.
__global__ void copy(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 0.5f);  // expect: use-after-free
}

int main() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, 32, 8);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &description, nullptr);
  float* out;
  cudaMalloc(&out, 32 * sizeof(float));
  cudaFreeArray(array);
  copy<<<1, 32>>>(image, out);
  cudaDeviceSynchronize();
}
