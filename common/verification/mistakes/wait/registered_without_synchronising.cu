// The host reads memory of its own, pinned by cudaHostRegister, before it has waited for the kernel
// that writes it. The half that no kernel touches it may use meanwhile, also by system calls.
#include <unistd.h>

#include <cstdio>
#include <vector>

__global__ void fill(int* x, int n, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

int main() {
  const int half = 1 << 15;
  std::vector<int> host(2 * half);
  int* x;
  cudaHostRegister(host.data(), host.size() * sizeof(int), cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&x, host.data(), 0);
  FILE* file = tmpfile();
  bool right = true;
  for (int round = 1; round < 4; ++round) {
    fill<<<half / 256, 256>>>(x, half, round);
    right &= pwrite(fileno(file), &host[half], half, 0) == half;
    right &= pread(fileno(file), &host[half + half / 2], half, 0) == half;
    for (int i = half; i < 2 * half; ++i) host[i] += i;
    cudaDeviceSynchronize();
    right &= host[half - 1] == round && write(fileno(file), &host[0], half) == half;
  }
  printf("%s\n", right ? "right" : "wrong");
  fflush(stdout);
  fill<<<half / 256, 256>>>(x, half, 7);
  printf("%d\n", host[half / 2]);  // expect: missing-sync
  cudaDeviceSynchronize();
  cudaHostUnregister(host.data());
}
