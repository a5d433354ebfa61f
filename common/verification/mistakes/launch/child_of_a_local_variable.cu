// A kernel hands the one that it launches a pointer to its own local memory.
// Built with -rdc=true.
#include <cstdio>

__global__ void fill(int* numbers, int value) {
  numbers[threadIdx.x] = value;  // expect: out-of-bounds
}

__global__ void ask_locally(int* out) {
  int numbers[8];
  fill<<<1, 8>>>(numbers, 5);  // expect: out-of-bounds
  *out = 1;
}

// Right: global memory reaches both.
__global__ void ask(int* numbers) { fill<<<1, 8>>>(numbers, 5); }

int main() {
  int* numbers;
  cudaMalloc(&numbers, 8 * sizeof(int));
  ask<<<1, 1>>>(numbers);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  ask_locally<<<1, 1>>>(numbers);
  cudaDeviceSynchronize();
}
