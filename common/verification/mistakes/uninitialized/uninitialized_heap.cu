// Only the first of the numbers that malloc made room for is written.
__global__ void sum(int* out) {
  int* numbers = static_cast<int*>(malloc(8 * sizeof(int)));
  numbers[0] = 1;
  int total = 0;
  for (int i = 0; i < 8; ++i) total += numbers[i];  // expect: uninitialized
  out[threadIdx.x] = total;
  free(numbers);
}

int main() {
  int* out;
  cudaMalloc(&out, 128);
  sum<<<1, 4>>>(out);
  cudaDeviceSynchronize();
}
