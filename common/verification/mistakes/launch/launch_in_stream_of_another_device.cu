// A loop over devices that does not set the device before it launches. The launch is not refused:
// the device of the stream runs it.
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
  cudaSetDevice(0);
  for (int device = 0; device < 2; ++device)
    fill<<<1, 32, 0, stream[device]>>>(x[device], device + 5);  // expect: wrong-device
  int sum = cudaGetLastError();
  for (int device = 0; device < 2; ++device) {
    int first = 0;
    cudaSetDevice(device);
    cudaDeviceSynchronize();
    cudaMemcpy(&first, x[device], sizeof first, cudaMemcpyDefault);
    sum += first;
    cudaFree(x[device]);
    cudaStreamDestroy(stream[device]);
  }
  return sum == 11 ? 0 : 1;
}
