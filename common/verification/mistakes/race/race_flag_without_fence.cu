// A flag is set by a plain store: nothing orders the data before it for the other block.
__global__ void pass_on(int* data, int* flag, int* out) {
  if (blockIdx.x == 0) {
    *data = 42;
    *(volatile int*)flag = 1;
  } else {
    while (*(volatile int*)flag == 0) {
    }
    *out = *data;  // expect: race
  }
}

int main() {
  int* x;
  cudaMalloc(&x, 3 * sizeof(int));
  cudaMemset(x, 0, 3 * sizeof(int));
  pass_on<<<2, 1>>>(x, x + 1, x + 2);
  cudaDeviceSynchronize();
}
