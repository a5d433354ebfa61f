// Rows of a surface that are shifted: the last columns fall outside.
__global__ void fill(cudaSurfaceObject_t image) {
  const int x = threadIdx.x, y = blockIdx.x;
  surf2Dwrite(float(x), image, (x + y) * int(sizeof(float)), y);  // expect: out-of-bounds
}

int main() {
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &channels, 32, 8, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t image;
  cudaCreateSurfaceObject(&image, &resource);
  fill<<<8, 32>>>(image);
  cudaDeviceSynchronize();
}
