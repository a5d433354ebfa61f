// Every thread allocates memory of the device's heap, and one in two frees it.
__global__ void sort_pairs(int* pairs) {
  int* copy = new int[2];  // expect: leak
  copy[0] = pairs[2 * threadIdx.x];
  copy[1] = pairs[2 * threadIdx.x + 1];
  if (copy[0] <= copy[1]) return;
  pairs[2 * threadIdx.x] = copy[1];
  pairs[2 * threadIdx.x + 1] = copy[0];
  delete[] copy;
}

int main() {
  int host[64], *pairs;
  for (int i = 0; i < 64; ++i) host[i] = i * 7 % 16;
  cudaMalloc(&pairs, sizeof host);
  cudaMemcpy(pairs, host, sizeof host, cudaMemcpyHostToDevice);
  sort_pairs<<<1, 32>>>(pairs);
  cudaDeviceSynchronize();
  cudaFree(pairs);
}
