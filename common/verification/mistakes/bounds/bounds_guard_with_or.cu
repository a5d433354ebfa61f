// The guard of a picture lets threads pass that are inside in one direction alone.
__global__ void copy(const int* x, int* y, int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width || row < height)
    y[row * width + column] = x[row * width + column];  // expect: out-of-bounds
}

int main() {
  const int width = 100, height = 60;
  int *x, *y;
  cudaMalloc(&x, 112 * 64 * sizeof(int));
  cudaMalloc(&y, 112 * 64 * sizeof(int));
  cudaMemset(x, 0, 112 * 64 * sizeof(int));
  copy<<<dim3(7, 4), dim3(16, 16)>>>(x, y, 112, 64);  // whole blocks
  cudaFree(x);
  cudaFree(y);
  cudaMalloc(&x, width * height * sizeof(int));
  cudaMalloc(&y, width * height * sizeof(int));
  cudaMemset(x, 0, width * height * sizeof(int));
  copy<<<dim3(7, 4), dim3(16, 16)>>>(x, y, width, height);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(y);
}
