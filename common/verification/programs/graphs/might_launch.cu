// Built with -rdc=true.
// Kernels that could launch others and do not, that ask the device runtime something, and that do
// neither: what each counts by itself.
#include <cstdio>
#include <vector>

__global__ void child(int* out) { out[threadIdx.x] += 1; }

__global__ void could_launch(int* out, int n) {
  out[threadIdx.x] = n;
  if (n > 100 && threadIdx.x == 0) child<<<1, 32>>>(out);
}

// It reads nothing and stores nothing.
__global__ void could_launch_alone(int* out, int n) {
  if (n > 100 && threadIdx.x == 0) child<<<1, 32>>>(out);
}

__global__ void asks(int* out) {
  int device = 7;
  if (threadIdx.x == 0) cudaGetDevice(&device);
  out[threadIdx.x] = device;
}

__global__ void does_neither(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * 2; }

__global__ void launches(int* out, int n) {
  __shared__ int values[64];
  values[threadIdx.x] = n;
  __syncthreads();
  out[threadIdx.x] = values[63 - threadIdx.x];
  __syncthreads();
  if (n > 5 && threadIdx.x == 0) child<<<1, 32>>>(out);
}

int main() {
  int* out;
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(out, 0, 256 * sizeof(int));
  could_launch<<<2, 64>>>(out, 3);
  could_launch_alone<<<2, 64>>>(out, 3);
  asks<<<1, 64>>>(out + 64);
  does_neither<<<2, 32>>>(out, out + 128);
  launches<<<1, 64>>>(out + 192, 9);
  child<<<1, 32>>>(out);
  std::vector<int> results(256);
  cudaMemcpy(results.data(), out, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i += 16) printf("%d ", results[i]);
  printf("\n%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
