// A cluster of 16 blocks has to be allowed first.
__global__ void mark(int* out) { out[blockIdx.x] = 1; }

int main() {
  int* out;
  cudaMalloc(&out, 128);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {16, 1, 1};
  cudaLaunchConfig_t config = {};
  config.gridDim = 32;
  config.blockDim = 32;
  config.attrs = &attribute;
  config.numAttrs = 1;
  cudaLaunchKernelEx(&config, mark, out);  // expect: launch-configuration
  cudaDeviceSynchronize();
}
