// Every block adds its sum without an atomic.
__global__ void total(int* sum) {
  if (threadIdx.x == 0) *sum += blockIdx.x + 1;  // expect: race
}

int main() {
  int* sum;
  cudaMalloc(&sum, 4);
  cudaMemset(sum, 0, 4);
  total<<<8, 32>>>(sum);
  cudaDeviceSynchronize();
}
