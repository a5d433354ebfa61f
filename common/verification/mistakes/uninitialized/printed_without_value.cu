// Kernels print what was never written: the mistake is where it was read, not where it is seen.
#include <cstdio>

__global__ void of_global(const int* x) {
  printf("%d\n", x[threadIdx.x]);  // expect: uninitialized
}

__global__ void of_shared(int n) {
  __shared__ float rows[32];
  if (threadIdx.x < n) rows[threadIdx.x] = 1;
  __syncthreads();
  const float last = rows[n];  // expect: uninitialized
  if (threadIdx.x == 0) printf("%d rows, the last one is %f\n", n, last);
}

// Right: a choice between a value and none; a structure's members, of which none is padding; a
// float instead of a double; the text that is printed.
struct Mixed {
  char letter;
  double number;
  short small;
};

__global__ void of_what_there_is(int n, Mixed mixed) {
  __shared__ float rows[32];
  if (threadIdx.x < n) rows[threadIdx.x] = 1;
  __syncthreads();
  char text[8];
  text[0] = mixed.letter;
  text[1] = '\0';
  printf("%f %c %g %hd %s %s\n", threadIdx.x < n ? rows[threadIdx.x] : 0.f, mixed.letter,
         mixed.number, mixed.small, n > 3 ? "many" : "few", text);
}

int main() {
  int* x;
  cudaMalloc(&x, 32 * sizeof(int));
  of_what_there_is<<<1, 32>>>(20, Mixed{'a', 2.5, 3});
  of_global<<<1, 1>>>(x);
  of_shared<<<1, 32>>>(20);
  cudaDeviceSynchronize();
  cudaFree(x);
}
