// Kernels that call printf, malloc and free next to their own atomics, or could call them and do
// not: Nsight Compute counts what these functions do themselves.
#include <cstdio>
#include <vector>

__global__ void prints(int* sum, int* out) {
  const int before = atomicAdd(sum, static_cast<int>(threadIdx.x));
  if (threadIdx.x == 40) printf("a sum before: %d\n", before >= 0);
  atomicMax(&out[1], static_cast<int>(threadIdx.x));
  out[64 + threadIdx.x] = before >= 0;
}

__global__ void never_prints(int* sum, int* out, int n) {
  const int before = atomicAdd(sum, 1);
  if (n > 100) printf("never %d\n", before);
  out[threadIdx.x] = n + (before < 0);
}

__global__ void only_prints() {
  if (threadIdx.x == 0) printf("block %d\n", blockIdx.x);
}

__global__ void allocates(int* sum, int* out) {
  int* four = static_cast<int*>(malloc(16));
  const int before = atomicAdd(sum, 1);
  four[0] = before >= 0;
  out[threadIdx.x] = four[0] + 2;
  free(four);
  atomicOr(&out[100], 1);
}

__global__ void never_allocates(int* sums, int* out, int n) {
  const int before = atomicAdd(&sums[threadIdx.x], 1);
  if (n > 100) {
    int* four = new int[4];
    four[before & 3] = 1;
    out[200] = four[0];
    delete[] four;
  }
  out[threadIdx.x] = before;
}

int main() {
  int *sums, *out;
  cudaMalloc(&sums, 64 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(sums, 0, 64 * sizeof(int));
  cudaMemset(out, 0, 256 * sizeof(int));
  prints<<<2, 64>>>(sums, out);
  cudaDeviceSynchronize();
  never_prints<<<2, 64>>>(sums, out, 3);
  only_prints<<<1, 32>>>();
  cudaDeviceSynchronize();
  allocates<<<1, 64>>>(sums, out);
  never_allocates<<<1, 64>>>(sums, out, 4);
  std::vector<int> results(256);
  cudaMemcpy(results.data(), out, 256 * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i : {0, 1, 63, 64, 100, 127}) printf("%d ", results[i]);
  printf("\n%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(sums);
  cudaFree(out);
}
