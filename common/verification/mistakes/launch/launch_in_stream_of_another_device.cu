// A loop over devices that does not set the device before it launches.
// gpus: 2
#include <cstdio>

__global__ void fill(int* x, int value) { x[threadIdx.x] = value; }

int main() {
  int* x[2];
  cudaStream_t stream[2];
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaMalloc(&x[device], 32 * sizeof(int));
    cudaStreamCreate(&stream[device]);
  }
  int failed = 0;
  for (int device = 0; device < 2; ++device) {
    fill<<<1, 32, 0, stream[device]>>>(x[device], device);  // expect: wrong-device
    failed += cudaGetLastError() == cudaErrorInvalidResourceHandle;
  }
  cudaSetDevice(1);
  fill<<<1, 32, 0, stream[1]>>>(x[1], 1);
  for (int device = 0; device < 2; ++device) {
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaFree(x[device]);
    cudaStreamDestroy(stream[device]);
  }
  return failed == 1 ? 0 : 1;
}
