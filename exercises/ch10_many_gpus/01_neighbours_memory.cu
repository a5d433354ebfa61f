// Exercise 01_neighbours_memory: two devices, one array.
//
//   y = 2 x + 1: device 0 doubles the numbers, device 1 adds one.
//
// Streams, an event and memory of both devices are there. The copies, the launches and the access
// from one device to the other are missing.
//
// Build and check it: ./learn run ch10/01. The main below is for you: the check does not call it;
//   ./learn sim --gpus 2 exercises/ch10_many_gpus/01_neighbours_memory.cu
#include <cstdio>
#include <cstring>

// x[i] *= 2, one thread for each of n elements.
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2;
}

// y[i] = x[i] + 1, one thread for each of n elements. y may be x.
__global__ void plus_one(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + 1;
}

// What each device has: a stream and an array of n floats.
struct Device {
  cudaStream_t stream;
  float* array;
};

// in, out: n floats each, page-locked. `doubled` is an event of device 0. Device 0 is current when
// this is called. When it returns, `out` has the result.
void both(const Device* device, cudaEvent_t doubled, const float* in, float* out, int n) {
  const size_t bytes = n * sizeof(float);
  const int blocks = (n + 255) / 256;
  // BEGIN YOUR CODE
  // Your code here.
  // END YOUR CODE
}

// Neither device has access to the other any more; that it had none is no error here.
void forget_access() {
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    if (cudaDeviceDisablePeerAccess(1 - d) != cudaSuccess) (void)cudaGetLastError();
  }
}

// x, y: n floats in any host memory.
void twice_plus_one(const float* x, float* y, int n) {
  const size_t bytes = n * sizeof(float);
  float *in, *out;
  cudaHostAlloc(&in, bytes, cudaHostAllocPortable);
  cudaHostAlloc(&out, bytes, cudaHostAllocPortable);
  std::memcpy(in, x, bytes);
  Device device[2];
  for (int d = 0; d < 2; ++d) {
    cudaSetDevice(d);
    cudaStreamCreateWithFlags(&device[d].stream, cudaStreamNonBlocking);
    cudaMalloc(&device[d].array, bytes);
    cudaMemset(device[d].array, 0, bytes);
    cudaDeviceSynchronize();
  }
  cudaSetDevice(0);
  cudaEvent_t doubled;
  cudaEventCreateWithFlags(&doubled, cudaEventDisableTiming);
  both(device, doubled, in, out, n);
  std::memcpy(y, out, bytes);
  forget_access();
  for (const Device& one : device) {
    cudaFree(one.array);
    cudaStreamDestroy(one.stream);
  }
  cudaEventDestroy(doubled);
  cudaFreeHost(in);
  cudaFreeHost(out);
  cudaSetDevice(0);
}

int main() {
  const float x[3] = {1, 2, 3};
  float y[3] = {};
  twice_plus_one(x, y, 3);
  std::printf("%g %g %g\n", y[0], y[1], y[2]);
}
